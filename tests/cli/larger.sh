# shellcheck shell=bash
# Tensors larger than memory: the file is byte for byte the one that the way in memory writes. TSR_STREAM_BUCKET makes buckets of
# so few entries that there are 3 to 50 of them.
ulimit -n 1024
generate 1 900 30 20 10 >g.tns
# in another order, with duplicates, and once with whole numbers
python3 - <<'END'
import random
r = random.Random(4)
lines = open("g.tns").read().split("\n")[:-1]
lines += [" ".join(l.split()[:3]) + " 1.25" for l in lines[::7]]
r.shuffle(lines)
open("in.tns", "w").write("\n".join(lines) + "\n")
open("whole.tns", "w").write("\n".join(" ".join(l.split()[:3] + [str(r.randrange(-9, 9))]) for l in lines) + "\n")
pairs = sorted({(max(a), min(a)) for a in ((r.randrange(1, 60), r.randrange(1, 60)) for _ in range(500))}, key=lambda _: r.random())
open("s.mtx", "w").write("%%%%MatrixMarket matrix coordinate real symmetric\n60 60 %d\n" % len(pairs) +
                         "".join("%d %d %r\n" % (i, j, r.random()) for i, j in pairs))
END
gzip -k in.tns
both() {
    "$@" -q -o memory.out >one 2>&1
    local code=$?
    TSR_STREAM_BUCKET=60 "$@" -q -o stream.out >two 2>&1
    [ $? -eq $code ] && cmp one two && { [ $code -ne 0 ] || cmp memory.out stream.out; } || echo "DIFFERENT: $*"
    rm -f memory.out stream.out
}
for file in in.tns whole.tns in.tns.gz; do
    both tconv $file --to=binsparse
    both tconv $file --to=tns
    both tconv $file --to=mtx
    both tconv $file --to=tns -f csf
done
# several blocks of text, which threads take and bring into their sequence again
python3 - <<'END'
lines = open("in.tns").read().split("\n")[:-1]
with open("blocks.tns", "w") as f:
    for i, line in enumerate(lines):
        f.write("%s%5000s\n" % (line, ""))
with open("broken.tns", "w") as f:
    for i, line in enumerate(lines):
        f.write("%s%5000s\n" % ("1 2 x 4" if i in (len(lines) // 2, len(lines) - 9) else line, ""))
END
for threads in 1 2 3 8; do
    both tconv blocks.tns --to=binsparse -f csf -j$threads
    both tconv blocks.tns --to=tns -f csf --duplicates=last -j$threads
    both tconv broken.tns --to=binsparse -f csf -j$threads
done
rm blocks.tns broken.tns
for file in in.tns; do
    for format in csf dsc coo ddd 'csf:2,0,1' uqq sdd 'hicoo(4)' linear 'dss:1,2,0' '(i,j,k) -> (i floordiv 4 : dense, k : compressed, i mod 4 : dense, j : compressed)'; do
        both tconv $file -f "$format" --to=binsparse
    done
done
for rule in sum first last error; do
    both tconv in.tns -f csf --to=binsparse --duplicates=$rule
    both tconv in.tns --to=mtx --duplicates=$rule
done
both tconv in.tns -f uqq --to=tns --duplicates=keep
both tconv in.tns -f uqq --to=binsparse --duplicates=keep
for step in --slice=0:10,5: --reduce=sum:0 --reverse=0 --transpose=1,0,2 --pad=1:2 --reshape=600,10 --unfold=1; do
    both tconv in.tns --to=binsparse $step
    both tconv in.tns --to=tns $step
done
both tconv whole.tns --to=binsparse --reduce=max:1 --type=f64
for type in f32 i8 pattern; do both tconv whole.tns --to=binsparse --type=$type -f csf; done
for format in csr csc dcsr dd:1,0 'bcsr(4,5)'; do
    both tconv s.mtx --to=binsparse -f "$format"
    both tconv s.mtx --to=binsparse -f "$format" --keep-symmetry
    both tconv s.mtx --to=mtx -f "$format" --keep-symmetry
done
both tconv s.mtx --to=mtx
# archives of arrays, and PETSc: into the format that the file holds where none is named
for more in '' '-f csc' '-f coo' '-f bcsr(4,5)' --deflate=3 --type=pattern --type=c128; do both tconv s.mtx --to=npz $more; done
for more in '' '-f coo' --deflate=2 --unfold=1 --reduce=sum:0; do both tconv in.tns --to=npz $more; done
for more in '' '-f dcsr' --type=f32 --type=pattern --type=c128; do both tconv s.mtx --to=petsc $more; done
both tconv in.tns --to=petsc --unfold=1
# arrays of any order, and complex values, from archives in parts
tconv -q in.tns --to=npz -o in.npz
for more in '' '-f csf' '--slice=0:10,5:' '--to=npz'; do both tconv in.npz --to=binsparse $more; done
tconv -q s.mtx --type=c128 -f csr -o c.npz
tconv -q c.npz -f csc --mat-version=7.3 -o c.mat
for file in c.npz c.mat; do both tconv $file --to=binsparse; both tconv $file --to=binsparse -f coo; done
t "TSR_STREAM_BUCKET=60 tconv in.npz -q -o o.h5 --json | grep -c '.read.: 0,'"
t "TSR_STREAM_BUCKET=60 tconv c.npz -q -o o.h5 --json | grep -c '.read.: 0,'"
t "TSR_STREAM_BUCKET=60 tconv c.mat -q -o o.h5 --json | grep -c '.read.: 0,'"
# (the way in memory reads the whole first, which takes time)
for to in npz petsc; do t "TSR_STREAM_BUCKET=60 tconv s.mtx -q --to=$to -o o --json | grep -c '.read.: 0,'"; done
rm o o.h5 in.npz c.npz c.mat
# packed files as input: coordinates are climbed from parts of the arrays
for format in csf coo ddd 'hicoo(4)' uqq; do
    tconv in.tns -f "$format" -o packed.h5 -q --deflate=1
    for to in '-f csf:2,1,0' '-f linear' --slice=0:10 --index=64 --to=mtx --to=tns; do both tconv packed.h5 --to=binsparse $to; done
done
rm packed.h5
# files of other software, whose arrays are read in parts; unchanged, their arrays keep their widths (10x has 8 bytes)
tconv s.mtx -q --format=csr -o rows.h5
for file in o.npz o.h5ad o.10x.h5 o.mat list.npz; do
    case $file in *.mat) more=--mat-version=7.3 ;; list.npz) more=--format=coo ;; *) more=--deflate=1 ;; esac
    tconv rows.h5 -q $more -o $file
    for to in '' '-f csc' --slice=0:10 --to=mtx --index=64; do both tconv $file --to=binsparse $to; done
    rm $file
done
# PETSc's: rows of 4 and 8 bytes, all cells, a vector before another object
tconv -q s.mtx -o rows.petsc
python3 - <<'END'
import struct
def put(name, form, head, *parts):
    with open(name, "wb") as f:
        for values, kind in [(head, form), *parts]:
            f.write(struct.pack(">%d%s" % (len(values), kind), *values))
n = 20000
lengths = [i % 3 for i in range(n)]
columns = [(7 * i + k) % n for i in range(n) for k in sorted(range(i % 3), key=lambda k: (7 * i + k) % n)]
put("wide.petsc", "q", (1211216, n, n, len(columns)), (lengths, "q"), (columns, "q"), ([0.5 * i for i in range(2 * len(columns))], "d"))
put("cells.petsc", "i", (1211216, 70, 90, -1), ([i % 5 for i in range(70 * 90)], "d"))
put("vector.petsc", "i", (1211214, 5000), ([i % 7 for i in range(5000)], "d"), ((1211214, 1), "i"), ((1.0,), "d"))
END
for file in rows wide cells vector; do
    for to in binsparse petsc mtx; do both tconv $file.petsc --to=$to; done
    [ $file = vector ] || both tconv $file.petsc --to=binsparse -f csc
    t "TSR_STREAM_BUCKET=60 tconv $file.petsc -q --to=binsparse -o o --json | grep -c '.read.: 0,'"
done
head -c 300000 wide.petsc >cut.petsc
both tconv cut.petsc --to=binsparse
rm ./*.petsc o
# R's: columns, rows, coordinates, patterns, truth, all cells; compressed, so each array is decompressed on its own
for format in csc csr coo; do tconv -q s.mtx -f $format -o $format.rds; tconv -q s.mtx --type=pattern -f $format -o p$format.rds; done
for file in csc csr coo pcsc pcsr pcoo; do
    for to in binsparse tns 'binsparse -f dcsc'; do both tconv $file.rds --to=$to; done
    t "TSR_STREAM_BUCKET=60 tconv $file.rds -q --to=binsparse -o o --json | grep -c '.read.: 0,'"
done
gzip -dc csc.rds >plain.rds
both tconv plain.rds --to=binsparse
head -c 9000 plain.rds >cut.rds
both tconv cut.rds --to=binsparse
rm ./*.rds o
# arrays that could be copied are refused where they have no place for duplicates that are to be kept
tconv rows.h5 -q -o rows.h5ad
for to in binsparse h5ad npz rds; do both tconv rows.h5ad --to=$to --duplicates=keep; done
rm rows.h5 rows.h5ad
both tconv in.tns --to=binsparse -f csf --deflate=4
both tconv in.tns --to=binsparse -f csf --index=8
both tconv in.tns --to=binsparse -f csr
# a fault is told with its line, wherever it is
for at in 3 500 900; do
    sed "${at}s/ / x/" in.tns >broken.tns
    both tconv broken.tns --to=binsparse -f csf
done
t tconv broken.tns -f csf -o o.h5
rm broken.tns
export TSR_STREAM_BUCKET=60
t "tconv - --to=binsparse -f csf -o piped.h5 -q <in.tns; TSR_STREAM_BUCKET= tconv in.tns -f csf -o file.h5 -q; cmp piped.h5 file.h5"
t tconv in.tns -f csf -o o.h5
t tconv g.tns -f csf -o o.h5
t tconv in.tns -f csf -o o.h5 --verify
t tconv in.tns -f csf -o o.h5 --memory=1M
t tconv in.tns -f csf -o o.h5 --memory=5Q
t tconv in.tns -f csf -o o.h5 --temp=missing
t "mkdir o.h5.tessera-tmp; tconv in.tns -f csf -o o.h5"
t tconv in.tns -f csf -o o.h5 -q --resume
t "ls -A"
# Large stored arrays that the output takes as they are are copied while they are read: the same bytes; else the whole is read.
unset TSR_STREAM_BUCKET
tconv -q s.mtx -f csr -o stored.npz
tconv -q s.mtx -f csr --deflate=1 -o deflated.npz
copied() { # FILE SUFFIX OPTION...
    from=$1 to=$2
    shift 2
    tconv -q $from "$@" -o memory.$to && TSR_COPY_NBYTES=1 tconv -q $from "$@" -o copied.$to --json | grep -c '.read.: 0,'
    cmp memory.$to copied.$to
}
for to in npz h5 petsc; do t "copied stored.npz $to"; done
t "copied stored.npz npz --format=csr"
t "copied deflated.npz npz"
# A permutation of the modes that leaves the arrays where they are: csr becomes csc.
for to in npz h5; do t "copied stored.npz $to --transpose=1,0 --format=csc"; done
tconv -q s.mtx -f csc -o columns.npz
t "copied columns.npz petsc --transpose=1,0"
t "copied stored.npz npz --transpose=1,0; tinfo --brief copied.npz | grep format"
t "copied stored.npz npz --transpose=1,0 --transpose=1,0"
t "copied stored.npz npz --transpose=0,0 --format=csc"
printf X | dd of=stored.npz bs=1 seek=1200 conv=notrunc 2>/dev/null
t "TSR_COPY_NBYTES=1 tconv -q stored.npz -o copied.h5"
t "TSR_COPY_NBYTES=1 tconv -q stored.npz -o damaged.npz; ls -A | grep damaged"
