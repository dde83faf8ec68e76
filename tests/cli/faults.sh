# shellcheck shell=bash
# A full disk: an error, and the old output is unchanged.
[ "$(id -u)" -eq 0 ] || skip "needs root for a small tmpfs"
mkdir small
mount -t tmpfs -o size=256k tmpfs small 2>/dev/null || skip "cannot mount a tmpfs"
trap 'umount -l small' EXIT
generate 1 20000 300 300 >in.tns
for out in out.h5 out.tns out.mtx; do
    echo old >small/$out
    t tconv in.tns -o small/$out
    t cat small/$out
done
t 'tconv in.tns -o small/new.h5 --format=dense'
t ls -A small
