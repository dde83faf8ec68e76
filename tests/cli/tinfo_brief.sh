# shellcheck shell=bash
# tinfo --brief: what the headers of each kind of file report, without reading entries.
brief() {
    tinfo --brief "$@" | sed -E '/^file .*(binsparse|gzip)/s/, [0-9.]+ ([kMG]?B|bytes)$/, SIZE/'
    return "${PIPESTATUS[0]}"
}
printf '1 1 2 1\n1 1 3 2\n1 4 1 3\n3 2 2 4\n' >in.tns
t brief in.tns
t brief in.tns --dims=4,5,6
t brief in.tns --no-values
gzip -k in.tns
t brief in.tns.gz
t 'brief - <in.tns'
printf '# extended FROSTT format\n3 2\n4 5 6\n1 1 1 1\n1 2 wrong 1\n' >head.tns
t brief head.tns
printf '%%%%MatrixMarket matrix coordinate integer symmetric\n%% \033[31m a comment\n6 6 2\n2 1 1\n6 1 2\n' >in.mtx
t brief in.mtx
printf '%%%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n' >array.mtx
t brief array.mtx
printf '%%%%MatrixMarket matrix coordinate integer general\n%%%%GraphBLAS type uint8_t\n6 6 1\n2 1 1\n' >typed.mtx
t brief typed.mtx
printf '%% sym unweighted\n%% 2 4 4\n1 2\n4 3\n' >konect.txt
t brief konect.txt
printf '0 1 2.5\n4 3 1\n' >graph.wel
t brief graph.wel
printf '1 2\n4 3\n' >pairs.txt
t brief pairs.txt
tconv in.tns --format=sss:2,0,1 -o csf.h5 -q
t brief csf.h5
tconv in.mtx --format='bcsr(2,3)' -o many.h5 -q
tconv in.mtx --format=csr -o many.h5:x/y -q --deflate=3
tconv array.mtx -o many.h5:d -q
t brief many.h5
t brief many.h5:x/y
# One damaged group does not hide the others.
sed 's/"CSR"/"CSQ"/' many.h5 >damaged.h5
t "brief damaged.h5 | grep '^damaged'"
t brief damaged.h5:x/y
t 'tinfo many.h5:x/y --brief --json | grep -v file_bytes'
t 'tinfo head.tns --brief --json'
# Only headers are looked at, but these are checked.
printf '%%%%MatrixMarket matrix coordinate real general\n3 3\n' >bad.mtx
t brief bad.mtx
t brief many.h5:none
t brief nothing.h5
t brief in.tns --check
# Time and memory do not grow with the file: 3 GB, with 300 MB of address space.
cp head.tns big.tns && truncate -s 3G big.tns
cp in.mtx big.mtx && truncate -s 3G big.mtx
small='ulimit -v 300000; export OMP_NUM_THREADS=1; timeout 20'
if [ "$(stat -c %b big.mtx)" -lt 1000 ] && (eval "$small tinfo --version" >version 2>&1); then
    (eval "$small tinfo --brief big.tns" 2>&1) | head -1 >said
    (eval "$small tinfo --brief big.mtx" 2>&1) | head -1 >>said
else
    printf 'big.tns: 4 x 5 x 6, 2 stored values\nbig.mtx: 6 x 6, 2 stored values, i64, symmetric_lower (one triangle is stored)\n' >said
fi
t cat said
