# shellcheck shell=bash
# What newcomers come for: one command each.
command -v /usr/bin/python3 >/dev/null || skip "no python3"
/usr/bin/python3 -c 'import scipy.sparse, scipy.io, h5py' 2>/dev/null || skip "no scipy or h5py"
make() { /usr/bin/python3 -c "
import numpy, scipy.sparse, scipy.io, h5py
a = scipy.sparse.csr_matrix(numpy.array([[0, 2.5, 0, 0], [1, 0, 0, -3], [0, 0, 0, 4]]))
scipy.sparse.save_npz('a.npz', a)
scipy.io.savemat('m.mat', {'Problem': {'A': a.tocsc(), 'name': 'x'}})
with h5py.File('a.h5ad', 'w') as f:
    for name, m in ('X', a), ('layers/counts', 2 * a):
        g = f.create_group(name)
        g.attrs['encoding-type'], g.attrs['encoding-version'], g.attrs['shape'] = 'csr_matrix', '0.1.0', m.shape
        g['data'], g['indices'], g['indptr'] = m.data, m.indices, m.indptr
with h5py.File('t.h5', 'w') as f:
    g, m = f.create_group('matrix'), a.tocsc()
    g['data'], g['indices'], g['indptr'], g['shape'] = m.data.astype('i4'), m.indices, m.indptr, m.shape
    g['barcodes'] = numpy.array([b'b%d' % i for i in range(4)])
"
printf '# FromNodeId ToNodeId\n0 1\n1 2\n2 0\n' >graph.txt; }
make
t tconv a.npz --format=csf -o a.h5 -q '&& tinfo a.h5 | head -1'
t tconv a.h5ad:layers/counts -o counts.mtx.gz -q '&& zcat counts.mtx.gz'
t tconv t.h5 --transpose=1,0 -o t.h5ad -q '&& tinfo t.h5ad | head -1'
# No array moves between 10x and AnnData: the report has no step "pack".
steps() { sed -n 's/.*(\(cs[rc]\)).*/\1/p; s/.*\(pack\).*/\1/p' $1; }
t 'tconv t.h5 --transpose=1,0 -o t.h5ad 2>report; steps report'
t 'tconv a.h5ad --transpose=1,0 -o a.10x.h5 2>report; steps report'
t 'tconv a.npz --transpose=1,0 --format=csc -o t.npz 2>report; steps report'
t tconv m.mat:Problem/A --format=csr -o p.h5 -q '&& tinfo p.h5 | head -1'
t tconv graph.txt -o graph.mtx -q '&& cat graph.mtx'
t tconv a.h5 -o b.npz -q
t "/usr/bin/python3 -c 'import scipy.sparse; print((scipy.sparse.load_npz(\"b.npz\") != scipy.sparse.load_npz(\"a.npz\")).nnz)'"
# What is inside, and what is meant.
t tconv a.h5ad:obs -o x.mtx
t tconv m.mat:Problem/B -o x.mtx
t 'tinfo --brief a.h5ad | grep -E "^a|^array|^indptr"'
# Without a matrix, and the text of Octave.
mkdir store.zarr && echo '{}' >store.zarr/.zgroup
t tconv store.zarr -o x.h5
printf '# Created by Octave 7.3.0\n# name: A\n# type: sparse matrix\n# nnz: 1\n# rows: 9\n# columns: 9\n1 1 5\n' >a.txt
t tconv a.txt -o x.h5
# Arrays of several dimensions and integers; fields of structs; what is not read is named.
printf '%s\n' '# Created by Octave 7.3.0' '# name: n' '# type: int32 matrix' '# ndims: 3' ' 2 1 2' ' 1' ' -2' ' 3' ' 4' '' '' \
    '# name: s' '# type: scalar struct' '# ndims: 2' ' 1 1' '# length: 2' '# name: A' '# type: sparse matrix' '# nnz: 1' '# rows: 3' '# columns: 2' '3 2 5' '' '' \
    '# name: x' '# type: scalar' '3' '' '' '' '' '# name: q' '# type: cell' '# rows: 1' '# columns: 1' '# name: <cell-element>' '# type: matrix' '# rows: 1' '# columns: 1' ' 7' '' '' '' \
    '# name: f' '# type: float matrix' '# rows: 1' '# columns: 2' ' 1.5 2' >o.txt
for what in n s/A f s q s/x x; do t tconv -q o.txt:$what --to=tns -o -; done
t tinfo --brief o.txt '| grep ^o.txt'
printf '%s\n' '# Created by Octave 7.3.0' '# name: t' '# type: string' '# elements: 1' '# length: 1' a >t.txt
t tconv t.txt -o x.h5
