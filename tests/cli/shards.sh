# shellcheck shell=bash
# Several processes over one folder: the file is the one of a single process; mistakes are told with a way out. TSR_STREAM_BUCKET makes
# small buckets, TSR_STREAM_BUCKET= (empty) none.
generate 1 900 30 20 10 >g.tns
sed '1!G;h;$!d' g.tns >in.tns
awk 'NR % 7 == 0 { print $1, $2, $3, 1.25 }' g.tns >>in.tns
export TSR_STREAM_BUCKET=60
same() {
    tconv in.tns -q -o want.out "$@" && for i in 2 0 3 1; do tconv in.tns -q -o shard.out "$@" --shard=$i/4 & done
    wait
    tconv in.tns -q -o shard.out "$@" --join && cmp want.out shard.out || echo "DIFFERENT: $*"
    [ ! -e shard.out.tessera-tmp ] || echo "LEFT: $*"
    rm -f want.out shard.out
}
same -f csf --to=binsparse
same -f dss:2,0,1 --to=binsparse --deflate=1
same -f csf --to=tns --slice=2:25 --duplicates=last
same -f 'ell:1,0' --unfold=1 --to=binsparse # as a whole, by the join
t "tconv in.tns -f csf -o o.h5 --shard=1/3 2>&1 | sed 's/, [^,]* s$//'"
t tconv in.tns -f csf -o o.h5 --shard=1/3
t tconv in.tns -f csf -o o.h5 --shard=3/4
t tconv in.tns -f dss -o o.h5 --shard=2/3
t tconv in.tns -f csf -o o.h5
t tconv in.tns -f csf -o o.h5 --resume
t tconv in.tns -f csf -o o.h5 --join
t tconv in.tns -f csf -o o.h5 --shard=0/3 -q --json=shard.json
t "cat shard.json; rm shard.json"
t tconv in.tns -f csf -o o.h5 --join
t tconv in.tns -f csf -o o.h5 --shard=2/3 -q
# a join that was killed while it removed the shards, its output complete
cp -r o.h5.tessera-tmp kept
tconv in.tns -q -f csf -o o.h5 --join
mkdir o.h5.tessera-tmp && cp kept/plan o.h5.tessera-tmp/joined && touch o.h5.tessera-tmp/shard0001
t tconv in.tns -f csf -o o.h5 --join
t "ls o.h5.tessera-tmp o.h5"
# the mark of another job: it counted as done
mkdir o.h5.tessera-tmp && sed s/csf/dss/ kept/plan >o.h5.tessera-tmp/joined && sed -i 's/compressed/dense/' o.h5.tessera-tmp/joined
t tconv in.tns -f csf -o o.h5 --join
t tconv in.tns -q -f csf -o o.h5 --shard=0/2
t tconv in.tns -f csf -o o.h5 --join
rm -r o.h5 o.h5.tessera-tmp
# an object of a file is the same input only if the file is
tconv in.tns -q -f csf -o a.h5:x
tconv g.tns -q -f csf -o b.h5:x
tconv a.h5:x -q -f csf:2,0,1 -o o.h5 --shard=0/2
mv b.h5 a.h5
t tconv a.h5:x -f csf:2,0,1 -o o.h5 --shard=1/2
t tconv a.h5:x -f csf:2,0,1 -o o.h5 --join
rm -r o.h5.tessera-tmp a.h5
# what is converted as a whole
printf 'row,col,val\n0,1,1.5\n2,0,2.5\n' >s.csv
t tconv s.csv -o s.h5 --shard=0/1
t tconv s.csv -q -o s.h5 --join
t "tconv s.h5 -q -o - --to=tns; rm s.h5"
mv kept o.h5.tessera-tmp
t "touch in.tns; tconv in.tns -f csf -o o.h5 --join"
rm -r o.h5.tessera-tmp
t tconv in.tns -f csf -o o.h5 --join
t tconv in.tns -f csf -o o.h5 --shard=3/3
t tconv in.tns -f csf -o o.h5 --shard=1
t tconv in.tns -f csf -o o.h5 --shard=0/2 --join
t tconv in.tns -f csf -o - --to=tns --shard=0/2
# a shard that fails leaves nothing, or only the other shards
gzip -k in.tns
t tconv in.tns.gz -f csf -o o.h5 --shard=0/2
# all fail at once: each says why, although the first to do so removes the folder
for _ in {1..40}; do
    for i in 0 1 2 3; do tconv in.tns.gz -f csf -o o.h5 --shard=$i/4 2>>why & done
    wait
done
t "sort why | uniq -c | sed 's/^ *//; s/: it cannot.*//'; rm why"
(cat in.tns; echo 1 2 x 3) >bad.tns
t tconv bad.tns -f csf -o o.h5 --shard=1/2
t "ls -d *tmp"
tconv bad.tns -q -f csf -o o.h5 --shard=0/2
t tconv bad.tns -f csf -o o.h5 --shard=1/2
t "ls o.h5.tessera-tmp/shard0001*"
