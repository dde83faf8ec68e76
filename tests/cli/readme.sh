# Each command of README.md's quick start (its blocks ```sh) runs as it stands there. tbench takes each sample once (--quick).
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
