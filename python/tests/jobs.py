"""The table "The same jobs with other packages" of docs/python.md: what each package needs for a job. Each program leaves its result in r.

In the folder are in.mtx, in.tns, in.h5ad (with the layer counts) and in.h5 (csr); S is a SciPy matrix, pos, crd, val are the arrays of a csr
matrix of the shape dims, B, C, x are dense, T3 and coords3, values3, dims3 are a sparse tensor.

TACO holds programs in C++, which were compiled and run once by hand, with the same data and results; no test runs them."""

JOBS = [
    ("read a `.mtx` as csr", {
        "Tessera": 'r = ts.read("in.mtx", format="csr")',
        "SciPy, NumPy": 'r = scipy.sparse.csr_array(scipy.io.mmread("in.mtx"))'}),
    ("read a `.tns` tensor as CSF", {
        "Tessera": 'r = ts.read("in.tns", format="csf")'}),
    ("a layer of an `.h5ad` as a SciPy matrix", {
        "Tessera": 'r = ts.read("in.h5ad", "layers/counts").to_scipy()',
        "h5py": '''
with h5py.File("in.h5ad") as f:
    g = f["layers/counts"]
    r = scipy.sparse.csr_matrix((g["data"][:], g["indices"][:], g["indptr"][:]), shape=g.attrs["shape"])'''}),
    ("Tessera's HDF5 as a SciPy matrix", {
        "Tessera": 'r = ts.read("in.h5").to_scipy()',
        "h5py": '''
with h5py.File("in.h5") as f:
    shape = json.loads(f.attrs["binsparse"])["binsparse"]["shape"]
    r = scipy.sparse.csr_matrix((f["values"][:], f["indices_1"][:], f["pointers_to_1"][:]), shape=shape)'''}),
    ("a SciPy matrix into HDF5 that names its format", {
        "Tessera": 'ts.write("out.h5", S)',
        "h5py": '''
types = {"pointers_to_1": "int32", "indices_1": "int32", "values": "float64"}
with h5py.File("out.h5", "w") as f:
    f["pointers_to_1"], f["indices_1"], f["values"] = S.indptr, S.indices, S.data
    f.attrs["binsparse"] = json.dumps({"binsparse": {"version": "0.1", "format": "CSR", "shape": S.shape, "number_of_stored_values": S.nnz, "data_types": types}})'''}),
    ("shape and type of the matrix in an HDF5 file, without reading it", {
        "Tessera": 'r = ts.info("in.h5", brief=True)["tensors"][0]["dims"]',
        "h5py": '''
with h5py.File("in.h5") as f:
    facts = json.loads(f.attrs["binsparse"])["binsparse"]
    r, t = facts["shape"], facts["data_types"]["values"]'''}),
    ("a csr matrix of own arrays, without a copy", {
        "Tessera": 'r = ts.from_arrays("csr", dims, [pos, crd, val])',
        "SciPy, NumPy": 'r = scipy.sparse.csr_array((val, crd, pos), shape=dims)'}),
    ("refuse a file that needs more than 1 GB", {
        "Tessera": 'r = ts.read("in.mtx", memory="1G")'}),
    ("y = A x", {
        "Tessera": 'r = A @ x',
        "SciPy, NumPy": 'r = S @ x'}),
    ("sampled product: A .* (B C), sparse", {
        "Tessera": 'r = ts.einsum("ij,ik,kj->ij", A, B, C, format="csr")',
        "SciPy, NumPy": '''
coo = S.tocoo()
sums = np.einsum("nk,nk->n", B[coo.row], C.T[coo.col])
values = coo.data * sums
r = scipy.sparse.csr_array((values, (coo.row, coo.col)), shape=S.shape)'''}),
    ("MTTKRP of a sparse tensor with 3 modes", {
        "Tessera": 'r = ts.mttkrp(T3, [None, U, V], mode=0)',
        "SciPy, NumPy": '''
i, j, k = coords3
products = values3[:, None] * U[j] * V[k]
r = np.zeros((dims3[0], U.shape[1]))
np.add.at(r, i, products)'''}),
    ("sum of products of three sparse matrices, no intermediate", {
        "Tessera": 'r = ts.einsum("ij,ij,ij->", A, A, A)'}),
    ("blocks of 2 x 2", {
        "Tessera": 'r = A.convert("bcsr(2,2)")',
        "SciPy, NumPy": 'r = S.tobsr(blocksize=(2, 2))'}),
    ("transpose without a copy", {
        "Tessera": 'r = A.T',
        "SciPy, NumPy": 'r = S.T'}),
    ("which of three formats is fastest", {
        "Tessera": 'r = ts.bench("spmv", A, formats=["csr", "csc", "coo"], nruns=3, rounds=1)',
        "SciPy, NumPy": '''
r = []
for kind in ("csr", "csc", "coo"):
    M = S.asformat(kind)
    r.append((kind, min(timeit.repeat(lambda: M @ x, number=3, repeat=3))))'''}),
    ("the offset of an element in a tiled layout", {
        "Tessera": 'r = ts.layout("f32[3,5]{1,0:T(2,2)}").index(2, 3)'}),
]  # fmt: skip

TACO = {
    'read a `.mtx` as csr': '''Tensor<double> r = read("in.mtx", CSR);''',
    'read a `.tns` tensor as CSF': '''Tensor<double> r = read("in.tns", Format({Sparse, Sparse, Sparse}));''',
    'a csr matrix of own arrays, without a copy': '''Tensor<double> r = makeCSR("r", dims, pos, crd, val);''',
    'y = A x': '''
IndexVar i, j;
Tensor<double> r({A.getDimension(0)}, Format({Dense}));
r(i) = A(i, j) * x(j);
r.evaluate();''',
    'MTTKRP of a sparse tensor with 3 modes': '''
IndexVar i, j, k, l;
Tensor<double> r({T.getDimension(0), U.getDimension(1)}, Format({Dense, Dense}));
r(i, j) = T(i, k, l) * U(k, j) * V(l, j);
r.evaluate();''',
    'sum of products of three sparse matrices, no intermediate': '''
IndexVar i, j;
Tensor<double> r;
r = A(i, j) * A(i, j) * A(i, j);
r.evaluate();''',
    'blocks of 2 x 2': '''
Tensor<double> r({A.getDimension(0) / 2, A.getDimension(1) / 2, 2, 2}, Format({Dense, Sparse, Dense, Dense}));
for (auto &v : A)
    r.insert({v.first[0] / 2, v.first[1] / 2, v.first[0] % 2, v.first[1] % 2}, v.second);
r.pack();''',
    'which of three formats is fastest': '''
std::vector<double> r;
for (Format f : {CSR, CSC, COO(2)}) {
    IndexVar i, j;
    Tensor<double> M(A.getDimensions(), f), y({A.getDimension(0)}, Format({Dense}));
    for (auto &v : A)
        M.insert({v.first[0], v.first[1]}, v.second);
    M.pack();
    y(i) = M(i, j) * x(j);
    y.compile();
    y.assemble();
    auto start = std::chrono::steady_clock::now();
    y.compute();
    r.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}''',
}  # fmt: skip


def nlines(program):
    return len(program.strip().splitlines())
