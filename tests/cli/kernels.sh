# docs/kernels.md: its commands print what it says. UPDATE=1 writes the page anew.
run_page <"$TSR_SOURCE/docs/kernels.md" >page.md
[ -z "${UPDATE:-}" ] || cp page.md "$TSR_SOURCE/docs/kernels.md"
diff "$TSR_SOURCE/docs/kernels.md" page.md
[ $(grep -c '^\$ tkern' page.md) -ge 5 ] && echo done
