# shellcheck shell=bash
# The commands of the pages of docs/howto print what the pages say. TSR_UPDATE=1 writes the pages anew.
mkdir howto
for page in "$TSR_SOURCE"/docs/howto/*.md; do
    name=$(basename "$page" .md)
    check_page "howto/$name" && echo "$name: done"
done
