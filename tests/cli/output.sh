# shellcheck shell=bash
# The bytes that come out: the same for any number of threads, smaller when deflated, whole through a link, and with
# the modes of the file that they replace.
generate 1 30000 90 80 70 >in.tns
generate 2 30000 500 400 >in2.tns
for out in h5 tns tns.gz mtx; do
    in=in.tns
    [ $out = mtx ] && in=in2.tns
    for threads in 1 2 5; do
        tconv $in -o out$threads.$out -j $threads -q || echo "failed with $threads threads"
    done
    cmp out1.$out out2.$out && cmp out1.$out out5.$out && echo "$out: the same"
done
for format in sss:2,0,1 ddd 'hicoo(16)' dsd; do
    for threads in 1 2 5; do
        tconv in.tns --format="$format" --deflate=1 -o out$threads.h5 -j $threads -q
    done
    cmp out1.h5 out2.h5 && cmp out1.h5 out5.h5 && echo "$format: the same"
done
tconv in.tns -o plain.h5 -q
for level in 1 9; do
    tconv in.tns --deflate=$level -o deflated.h5 --verify -q
    [ $(wc -c <deflated.h5) -lt $(($(wc -c <plain.h5) / 2)) ] && echo "--deflate=$level: less than half"
done
tconv in.tns -o a.tns.gz -q --deflate=1 && tconv in.tns -o b.tns.gz -q --deflate=9
[ $(wc -c <b.tns.gz) -lt $(wc -c <a.tns.gz) ] && echo "gzip 9 is smaller than gzip 1"
t 'gzip -dc a.tns.gz | cmp - in.tns'

echo old >target.h5
chmod 640 target.h5
ln -s target.h5 link.h5
t tconv in.tns -o link.h5 -q
t 'ls -l link.h5 target.h5 | sed "s/ .* / /"'
t 'mkfifo pipe; cat pipe >copy.tns & tconv in.tns -o pipe --to=tns -q; wait; cmp in.tns copy.tns'
t 'tconv in.tns -o /dev/null --to=tns'
