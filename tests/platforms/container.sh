#!/usr/bin/env bash
# container.sh FOLDER: do what packaging/container/Containerfile says, without a daemon. Each stage begins with a root: packages of Debian
# that apt downloads into FOLDER and dpkg-deb unpacks. The commands of the stage `build` run here, in a clone of the last commit, since this machine
# has the packages that ./dev installs there; those of the last stage run in its root by chroot, its apt-get lines by root.sh. Exit 77, in
# words, where the archive of Debian cannot be reached or chroot is not allowed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
file=$source/packaging/container/Containerfile
mkdir -p "$1"
dir=$(cd "$1" && pwd)
fail() { echo "container: $1" >&2; exit 1; }
skip() { echo "container: skipped: $1"; exit 77; }
chroot / true 2>/dev/null || skip "this user may not use chroot"
root=$dir/root stage= stages=0 workdir=/ entry=()
rm -rf "$dir/clone"
# What a command of the last stage installs: apt and dpkg cannot run in a root without their data.
installs() { sed -nE 's/.*apt-get install ((-[^ ]+|--[^ ]+) )*//p' <<<"$1"; }
# No script of a package has run in the root, so that gcc is not called cc, too.
in_root() { chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp TSR_CC=gcc "$@"; }
while read -r word rest; do
    case $word in
    "" | "#"*) ;;
    FROM)
        [[ $rest == "debian:12"* ]] || fail "FROM $rest: not Debian 12"
        stages=$((stages + 1)) stage=${rest##* AS }
        [ "$stage" != "$rest" ] || stage=last
        ;;
    WORKDIR) workdir=$rest ;;
    COPY)
        case "$stage:$rest" in
        "build:. /src") git clone -q "$source" "$dir/clone" ;;
        last:--from=build\ *)
            read -r _ from to <<<"$rest"
            [ "$from" = /opt/tessera ] || fail "COPY $rest: what is it?"
            mkdir -p "$root$to" && cp -a "$dir/opt/tessera/." "$root$to/"
            ;;
        *) fail "COPY $rest: what is it?" ;;
        esac
        ;;
    RUN)
        if [ "$stage" = build ]; then
            [ "$workdir" = /src ] || fail "WORKDIR is $workdir"
            (cd "$dir/clone" && bash -euc "${rest//\/opt\/tessera/$dir/opt/tessera}" >"$dir/build.log" 2>&1) || { tail -n 20 "$dir/build.log"; fail "RUN $rest"; }
        elif [ -n "$(installs "$rest")" ]; then
            # shellcheck disable=SC2046
            "$here/root.sh" "$(dpkg --print-architecture)" "$dir" base-files bash dash coreutils libc-bin $(installs "$rest")
            mkdir -p "$root/tmp" "$root/dev" # as every container has them
            [ -e "$root/dev/null" ] || mknod -m 666 "$root/dev/null" c 1 3
        else
            in_root sh -euc "$rest" || fail "RUN $rest"
        fi
        ;;
    ENTRYPOINT) mapfile -t entry < <(tr -d '[]" ' <<<"$rest" | tr , '\n') ;;
    *) fail "unknown instruction $word" ;;
    esac
done <"$file"
[ $stages = 2 ] && [ "${entry[*]}" = tconv ] || fail "$stages stages, entry point ${entry[*]}"
# A user's run: a file in a mounted folder, the compiler, Python.
mkdir -p "$root/data"
printf '%%%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1.5\n3 4 2.5\n' >"$root/data/a.mtx"
in_root "${entry[@]}" --quiet /data/a.mtx --format=csr -o /data/a.h5 || fail "the entry point does not convert"
said=$(in_root tkern 'y(i) = 2*A(i,j)*x(j)' -i A:/data/a.h5 --engine=jit --check) || fail "no kernel is compiled: $said"
echo "container: the image converts, and compiles kernels"
