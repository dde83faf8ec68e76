# shellcheck shell=bash
# tbench calibrate: what is measured differs from machine to machine, what kernels do with it does not.
export TSR_TUNING=$PWD/kept/tuning
t 'tbench calibrate | sed -E "/ varied between /d; s/[0-9]+$/N/; s/ in .*/ in FILE/"'
t 'grep -c "^[a-z-]*: [1-9]" kept/tuning'
rm -r kept
t 'tbench calibrate --print -q; ls'
TSR_TUNING=none
t tbench calibrate
t tbench calibrate --output=none/../../here.txt -q
# The distance is lines / lines of an entry, and no row of a tensor up to prefetch-bytes is prefetched.
ir() { tkern 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:coo -d B:100000,60000,2000 -d r:16 -j1 --emit=ir | grep -E 'ahead|prefetch' | sed 's/^ *//'; }
printf '# mine\n\nprefetch-lines: 160\ncached-lines: 128\n' >mine
TSR_TUNING=mine
t ir
# Rows that are in the caches together (C and D have 7,936,000 bytes) are fetched less far ahead.
cached() { printf 'cached-lines: %d\ncached-bytes: %d\n' $1 $2 >mine; ir | head -n 1; }
for lines in 64 24 1; do
    t cached $lines 7936000
done
t cached 64 7935999
printf 'prefetch-bytes: 100000000\n' >mine
t ir
printf 'prefetch-bytes: 1\nprefetch-lines: 0\n' >mine
t ir
printf 'distance: 5\n' >mine
t ir
# The rows of D that a strip of 50 columns selects have 6400 bytes, if each is used several times; those of A stay for
# more than four entries, and are fetched where a run of entries begins.
fetched() { tkern 'A(i,r) = B(i,j,k)*C(k,r)*D(j,r)' -i "B:$1" -d r:16 -j1 --emit=ir | grep -o 'prefetch.*\[' | sort -u; }
for n in 20000 100; do
    tbench gen uniform:dims=40x200x30,nnz=$n -q -o t.tns
    tconv -q t.tns --dims=40,200,30 --format='strips(50)' -o s$n.h5
done
for bytes in 6400 6399 1; do
    printf 'prefetch-bytes: %d\ncached-lines: 128\n' $bytes >mine
    t "fetched s20000.h5 # $bytes"
    t "fetched s100.h5"
done
