# shellcheck shell=bash
# Symmetric matrices: expanded to both triangles, or kept as one.
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n2 1 2\n3 2 3\n3 3 4\n' >sym.mtx
printf '%%%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 2\n3 2 3\n' >skew.mtx
printf '%%%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 2 3\n' >herm.mtx
printf '%%%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n' >array.mtx
for name in sym skew herm array; do
    t tconv $name.mtx -o $name.h5
    t tconv $name.h5 --format=csr -o - --to=mtx -q
    t tconv $name.mtx --keep-symmetry -o $name.kept.h5
    t tconv $name.kept.h5 --keep-symmetry -o - --to=mtx -q
    t tconv $name.kept.h5 --format=csr -o - --to=mtx -q
done
t tconv sym.mtx --keep-symmetry --format=csc -o csc.h5
t tconv csc.h5 -o back.h5
t 'tinfo sym.kept.h5 | head -1'
# A dense level stores both triangles, so a claim that one is there would be wrong.
t tconv sym.mtx --keep-symmetry --format=dense -o dense.h5
t tconv sym.mtx --keep-symmetry --format=sd -o dense.h5
t tconv sym.mtx --keep-symmetry --format="'bcsr(2,2)'" -o blocks.h5
[ -e dense.h5 ] || echo "no output"
