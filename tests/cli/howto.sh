# shellcheck shell=bash
# The commands of the pages of docs/howto print what the pages say. TSR_UPDATE=1 writes the pages anew.
mkdir howto
number=0
for page in "$TSR_SOURCE"/docs/howto/*.md; do
    name=$(basename "$page" .md)
    if case_runs $((number++)); then check_page "howto/$name"; fi && echo "$name: done"
done
