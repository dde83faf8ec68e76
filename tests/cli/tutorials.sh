# shellcheck shell=bash
# The commands of the tutorials print what the pages say. TSR_UPDATE=1 writes the pages anew.
mkdir tutorials
for page in data-scientist hpc kernel-engineer layout-engineer benchmarker; do
    check_page tutorials/$page && echo "$page: done"
done
