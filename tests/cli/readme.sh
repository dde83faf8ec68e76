# shellcheck shell=bash
# Each command of README.md's quick start (its blocks ```sh) runs as it stands there; tbench takes each sample once (--quick). The
# example of tkern prints what README.md shows, times aside, and the loops that it shows are in the generated C.
awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside { sub(/ +# .*/, ""); print }' "$TSR_SOURCE/README.md" >commands
[ $(wc -l <commands) -ge 10 ] || echo "README.md has too few commands"
command -v tbench >/dev/null || skip "no tbench"
export XDG_CACHE_HOME=$PWD/cache
while read -r command; do
    case $command in
    'tbench gen'*) ;;
    'tbench '*) command+=' --quick' ;;
    esac
    eval "$command" >said 2>&1 </dev/null || { echo "\$ $command [exit $?]"; cat said; }
done <commands
for file in commands in.tns out.h5 blocks.h5 back.mtx.gz part.h5 spmv.c; do
    [ -s $file ] && echo "$file: written"
done

# README's output of "$ tkern ...", without blanks at the ends of lines, times, numbers of threads and rounding errors.
plain_output() { sed -E 's/ +$//; s/^(run +).* ms on [0-9]+ threads/\1TIME/; s/difference [0-9.e-]+ of/difference SOME of/'; }
sed -n '/^    \$ tkern/,/^$/p' "$TSR_SOURCE/README.md" | sed -n 's/^    //p' >shown
command=$(sed -n '1s/^\$ //p' shown)
eval "$command" 2>&1 | plain_output | diff <(sed 1d shown | plain_output) - || echo "README.md shows another output of $command"
tkern 'y(i) = A(i,j)*x(j)' -f A:csr --emit=c >emitted
sed -n '/^    for (int64_t i = /,/^$/p' "$TSR_SOURCE/README.md" | sed 's/^ *//; /^$/d' | while read -r line; do
    grep -qF -- "$line" emitted || echo "the generated C does not have: $line"
done
