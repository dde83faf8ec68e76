# shellcheck shell=bash
# --dry-run says what a conversion would do, with the codes of the errors that can be known before, and writes nothing.
generate 1 40 4 5 6 >in.tns
printf '%%%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1.5\n3 4 2.5\n' >m.mtx
tconv -q m.mtx -f csr -o m.h5
tconv -q m.mtx -f csr -o m.npz
ls >before
dry() { t tconv "$@" --dry-run; }
dry in.tns -f csf -o out.h5
dry m.mtx -o out.mtx
dry m.mtx -f csr -o out.npz
dry m.h5 -o out.tns
dry m.h5 -o copy.h5
dry m.h5 --transpose=1,0 -o out.h5
dry m.npz --index=8 --deflate=3 -o out.h5
dry m.mtx --to=tns -o -
dry in.tns --unfold=1 -f csr -o out.h5 --json
dry in.tns -f csf -o out.h5 -q
# The size of a text is that of the file.
for out in out.tns out.mtx.gz; do
    said=$(tconv m.h5 -o $out --dry-run --json | sed -n 's/.*"output_bytes": \([0-9]*\).*/\1/p')
    tconv -q m.h5 -o $out
    [ "$said" = "$(wc -c <$out)" ] && echo "$out: the size is right"
    rm $out
done
# Entries that would go through temporary files are counted, not packed.

export TSR_STREAM_BUCKET=16
dry in.tns -f csf -o out.h5 --memory=64M
dry in.tns -o out.tns --memory=64M
dry m.h5 -o copy.h5 --memory=64M
dry in.tns -f csf -o out.h5 --shard=0/2
dry in.tns -f csf -o out.h5 --join
dry in.tns -f csf -o out.h5 --memory=64M --temp=nofolder
dry in.tns -f ell -o out.h5 --shard=0/2
t 'cat in.tns | tconv - -f csf -o out.h5 --memory=64M --dry-run'
unset TSR_STREAM_BUCKET
# Errors that a run would have.
dry m.mtx -f csf:2 -o out.h5
dry m.mtx -o nofolder/out.h5
dry m.mtx --slice=9 -o out.h5
dry missing.mtx -o out.h5
dry m.mtx --labels=names -o out.h5
dry in.tns -o out.mtx
dry m.mtx -o m.h5 --no-clobber
ls | diff before - && echo "nothing was written"
