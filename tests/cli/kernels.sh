# docs/kernels.md and docs/notation.md: their commands print what they say. UPDATE=1 writes the pages anew.
for page in kernels notation; do
    run_page <"$TSR_SOURCE/docs/$page.md" >$page.md
    [ -z "${UPDATE:-}" ] || cp $page.md "$TSR_SOURCE/docs/$page.md"
    diff "$TSR_SOURCE/docs/$page.md" $page.md
    [ $(grep -c '^\$ tkern' $page.md) -ge 5 ] && echo "$page: done"
done
