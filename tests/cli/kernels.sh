# shellcheck shell=bash
# The commands of docs/kernels.md and docs/notation.md print what the pages say. TSR_UPDATE=1 writes the pages anew.
for page in kernels notation; do
    check_page $page
    [ $(grep -c '^\$ tkern' $page.md) -ge 5 ] && echo "$page: done"
done
