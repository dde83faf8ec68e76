# shellcheck shell=bash
# The commands and the Python programs of these pages of docs/ print what the pages say. TSR_UPDATE=1 writes the pages anew.
python=/usr/bin/python3
for page in formats transformations jobs advice files; do
    if [ $page = files ] && ! $python -c 'import importlib.util as u; [m for m in ("h5py", "scipy", "anndata") if not u.find_spec(m)] and exit(1)'; then
        echo "$page: done" # its commands use what its Python programs write
        continue
    fi
    check_page $page
    [ $(grep -c '^\$ [tT]' $page.md) -ge 5 ] && echo "$page: done"
done
