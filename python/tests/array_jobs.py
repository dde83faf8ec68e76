"""The table "The same lines in three packages" of docs/python.md: what users type. A, B, M are
matrices of the package (6 x 8, 6 x 8,
8 x 6), T, U are tensors of three modes, x a vector of 8 and X a matrix 8 x 3 of NumPy. "": the
package cannot do it in a line."""

LINES = [
    # job, Tessera, SciPy, sparse, NumPy on all cells
    ("product with a vector", "A @ x", "A @ x", "A @ x", "a @ x"),
    ("vector times matrix", "x @ M", "x @ M", "x @ M", "x @ m"),
    ("product with a dense matrix", "A @ X", "A @ X", "A @ X", "a @ X"),
    ("product of two sparse matrices", "A @ M", "A @ M", "A @ M", "a @ m"),
    ("A squared, A^T A", "A.T @ A", "A.T @ A", "A.T @ A", "a.T @ a"),
    ("sum", "A + B", "A + B", "A + B", "a + b"),
    ("difference", "A - B", "A - B", "A - B", "a - b"),
    ("elementwise product", "A * B", "A.multiply(B)", "A * B", "a * b"),
    ("times a number", "2 * A", "2 * A", "2 * A", "2 * a"),
    ("divided by a number", "A / 2", "A / 2", "A / 2", "a / 2"),
    ("plus a number", "A + 1", "", "A + 1", "a + 1"),
    ("times a row vector", "A * x", "A.multiply(x)", "A * x", "a * x"),
    ("plus a dense array", "A + a", "A + a", "", "a + a"),
    ("power", "A**2", "A.power(2)", "A**2", "a**2"),
    ("absolute values", "abs(-A)", "abs(-A)", "abs(-A)", "abs(-a)"),
    ("square roots", "np.sqrt(A)", "A.sqrt()", "np.sqrt(A)", "np.sqrt(a)"),
    ("sines", "np.sin(A)", "A.sin()", "np.sin(A)", "np.sin(a)"),
    ("cosines", "np.cos(A)", "", "np.cos(A)", "np.cos(a)"),
    ("the larger of two", "np.maximum(A, B)", "A.maximum(B)", "np.maximum(A, B)", "np.maximum(a, b)"),
    ("comparison with a number", "A > 2", "A > 2", "A > 2", "a > 2"),
    ("comparison of two", "A < B", "A < B", "A < B", "a < b"),
    ("where a condition holds", "ts.where(A > 2, A, 0)", "(A > 2).multiply(A)", "sparse.where(A > 2, A, 0)", "np.where(a > 2, a, 0)"),
    ("sum of all", "A.sum()", "A.sum()", "A.sum()", "a.sum()"),
    ("sums of columns", "A.sum(axis=0)", "A.sum(axis=0)", "A.sum(axis=0)", "a.sum(axis=0)"),
    ("means of rows", "A.mean(axis=1)", "A.mean(axis=1)", "A.mean(axis=1)", "a.mean(axis=1)"),
    ("greatest of each row", "A.max(axis=1)", "A.max(axis=1)", "A.max(axis=1)", "a.max(axis=1)"),
    ("standard deviations", "A.std(axis=0)", "", "A.std(axis=0)", "a.std(axis=0)"),
    ("place of the greatest", "A.argmax(axis=1)", "A.argmax(axis=1)", "", "a.argmax(axis=1)"),
    ("whether any", "(A > 8).any()", "", "(A > 8).any()", "(a > 8).any()"),
    ("one cell", "A[1, 2]", "A[1, 2]", "A[1, 2]", "a[1, 2]"),
    ("a block", "A[1:4, ::2]", "A[1:4, ::2]", "A[1:4, ::2]", "a[1:4, ::2]"),
    ("rows by a list", "A[[4, 0, 0]]", "A[[4, 0, 0]]", "A[[4, 0, 0]]", "a[[4, 0, 0]]"),
    ("the cells where", "A[A > 2]", "A[A > 2]", "", "a[a > 2]"),
    ("one matrix below the other", "np.concatenate([A, B])", "scipy.sparse.vstack([A, B])", "sparse.concatenate([A, B])", "np.concatenate([a, b])"),
    ("another shape", "A.reshape(4, 12)", "A.reshape(4, 12)", "A.reshape((4, 12))", "a.reshape(4, 12)"),
    ("lower triangle", "ts.tril(A)", "scipy.sparse.tril(A)", "sparse.tril(A)", "np.tril(a)"),
    ("diagonal", "A.diagonal()", "A.diagonal()", "", "a.diagonal()"),
    ("Kronecker product", "ts.kron(A, B)", "scipy.sparse.kron(A, B)", "sparse.kron(A, B)", "np.kron(a, b)"),
    ("another type", 'A.astype("f4")', 'A.astype("f4")', 'A.astype("f4")', 'a.astype("f4")'),
    ("sum of two tensors", "T + U", "", "T + U", "t + u"),
    ("sum of a tensor over a mode", "T.sum(axis=2)", "", "T.sum(axis=2)", "t.sum(axis=2)"),
    ("a slice of a tensor", "T[:, 1, [0, 2]]", "", "T[:, 1, [0, 2]]", "t[:, 1, [0, 2]]"),
    ("product over two modes", "ts.tensordot(T, U, ([0, 2], [0, 2]))", "", "sparse.tensordot(T, U, ([0, 2], [0, 2]))", "np.tensordot(t, u, ([0, 2], [0, 2]))"),
    ("einsum of sparse operands", 'ts.einsum("ij,jk,ik->i", A, M, A @ M)', "", "", 'np.einsum("ij,jk,ik->i", a, m, a @ m)'),
    ("one kernel for an expression", "((ts.lazy(A) @ M) * (A @ M)).sum().compute()", "", "", "((a @ m) * (a @ m)).sum()"),
]  # fmt: skip


def table():
    rows = ["| job | Tessera | SciPy | sparse |", "|---|---|---|---|"]
    rows += [
        "| %s | %s |"
        % (job, " | ".join("`%s`" % c.replace("|", "\\|") if c else "-" for c in cells[:3]))
        for job, *cells in LINES
    ]
    return "\n".join(rows) + "\n"
