#!/usr/bin/env python3
"""python_rows.py [--json=FILE] [--threads=1,2] [--matrix=NAME,...] [--job=NAME;...] [--without-sparse]

The Python package beside SciPy and sparse. Each job is what users type, through the calls that they
would use, with a new result in each run and sources that are kept. The packages run by turns in one
process for each number of threads; SciPy and sparse have one thread. The matrices are four large ones and, beside SciPy alone, eight
of unusual shapes (--matrix=shapes: only these). An answer is compared with SciPy's before its time counts. Standard output is a table of least and median times in ms; FILE
receives all samples.

python_rows.py --table=FILE: the table of such a file, for docs/python.md."""
import argparse
import json
import os
import platform
import subprocess
import sys
import time

NAMES = ["laplacian", "rmat", "arrow", "uniform"]
SHAPES = ["tall", "wide", "hypersparse", "half", "full-row", "full-column", "diagonal", "one-a-row"]
BUDGET_S = 0.5  # of each job, for all samples of one package
MOST = 10


def laplacian(n):
    import numpy as np
    import scipy.sparse as sp

    line = sp.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1])
    return sp.csr_array(sp.kron(line, sp.eye(n)) + sp.kron(sp.eye(n), line))


def entries(rows, columns, n, seed=1):
    """n: the rows and columns, or the shape."""
    import numpy as np
    import scipy.sparse as sp

    shape = n if isinstance(n, tuple) else (n, n)
    made = sp.csr_array(
        sp.coo_array((np.random.default_rng(seed).random(rows.size), (rows, columns)), shape=shape)
    )
    made.sum_duplicates()
    return made


def rmat(bits, per_row):
    import numpy as np

    rng = np.random.default_rng(1)
    rows = columns = np.zeros(per_row << bits, np.int64)
    for _ in range(bits):
        u = rng.random(rows.size)
        rows, columns = 2 * rows + (u > 0.76), 2 * columns + (
            ((u > 0.57) & (u <= 0.76)) | (u > 0.95)
        )
    return entries(rows, columns, 1 << bits)


def matrix(name):
    import numpy as np

    if name in SHAPES:
        return shaped(name)
    if name == "laplacian":  # 5 points, 1000 x 1000
        return laplacian(1000)
    if name == "rmat":
        return rmat(17, 16)
    if name == "arrow":  # first row, first column, diagonal and seven beside it
        n = 200_000
        i = np.arange(n)
        band = [(i[: n - k], i[k:]) for k in range(1, 7)]
        rows = np.concatenate([i, 0 * i, i] + [b[0] for b in band])
        return entries(rows, np.concatenate([i, i, 0 * i] + [b[1] for b in band]), n)
    rng = np.random.default_rng(2)
    return entries(
        rng.integers(0, 500_000, 4_000_000), rng.integers(0, 500_000, 4_000_000), 500_000
    )


def shaped(name):
    import numpy as np
    import scipy.sparse as sp

    rng = np.random.default_rng(4)

    def drawn(rows, columns, n):
        return entries(rng.integers(0, rows, n), rng.integers(0, columns, n), (rows, columns))

    n = 1_000_000
    i = np.arange(n)
    if name == "tall":
        return drawn(n, 20, 3 * n)
    if name == "wide":
        return drawn(20, n, 3 * n)
    if name == "hypersparse":
        return drawn(5 * n, 5 * n, n // 10)
    if name == "half":
        return sp.csr_array((rng.random((1500, 1500)) < 0.5) * rng.random((1500, 1500)))
    if name in ("full-row", "full-column"):  # and two entries in each other
        line, rest = np.full(n, n // 2), np.concatenate([i, i])
        crd = [np.concatenate([rest, line]), np.concatenate([rng.integers(0, n, 2 * n), i])]
        return entries(*(crd if name == "full-row" else crd[::-1]), n)
    if name == "diagonal":
        return entries(i, i, n)
    return entries(i, rng.integers(0, n, n), n)  # one-a-row


def half_shared(A):
    """A matrix of as many entries, which shares half of its places with A."""
    import numpy as np

    coo = A.tocoo()
    rng = np.random.default_rng(3)
    columns = np.where(rng.random(coo.nnz) < 0.5, coo.col, rng.integers(0, A.shape[1], coo.nnz))
    return entries(coo.row, columns, A.shape, 4)


def jobs(name, A):
    """Rows of (job, Tessera, SciPy, sparse or None): functions without arguments."""
    import numpy as np
    import scipy.sparse as sp
    import sparse

    import tessera as ts

    B = half_shared(A)
    T, U = ts.tensor(A), ts.tensor(B)
    P, Q = [
        sparse.GCXS((M.data, M.indices, M.indptr), shape=M.shape, compressed_axes=[0])
        for M in (A, B)
    ]
    rng = np.random.default_rng(5)
    x, X = rng.random(A.shape[1]), rng.random((A.shape[1], 16))
    rows = rng.integers(0, A.shape[0], A.shape[0] // 10)
    coo = A.tocoo()
    made = [
        ("A @ x", lambda: T @ x, lambda: A @ x, lambda: P @ x),
        ("A @ X, 16 columns", lambda: T @ X, lambda: A @ X, None),
        ("A + B", lambda: T + U, lambda: A + B, lambda: P + Q),
        ("A * B", lambda: T * U, lambda: A.multiply(B).tocsr(), lambda: P * Q),
        ("2 * A", lambda: 2 * T, lambda: 2 * A, lambda: 2 * P),
        ("A.sum(axis=0)", lambda: T.sum(axis=0), lambda: A.sum(axis=0), lambda: P.sum(axis=0)),
        ("A.sum(axis=1)", lambda: T.sum(axis=1), lambda: A.sum(axis=1), lambda: P.sum(axis=1)),
        ("A[rows], a tenth", lambda: T[rows], lambda: A[rows], None),
        ("tocsc", lambda: T.convert("csc"), lambda: A.tocsc(), None),
        ("tocoo(copy=True)", lambda: T.convert("coo"), lambda: A.tocoo(copy=True), None),
        ("tocsc, SciPy to SciPy", lambda: ts.convert(A, "csc").to_scipy(), lambda: A.tocsc(), None),
        (
            "coo_array to csr", lambda: ts.convert(sp.coo_array((coo.data, (coo.row, coo.col)), shape=A.shape), "csr"),
            lambda: sp.coo_array((coo.data, (coo.row, coo.col)), shape=A.shape).tocsr(), None,
        ),
        ("fused (A*B + A).sum(axis=0)", ts_fused_sum(T, U), lambda: (A.multiply(B) + A).sum(axis=0), None),
    ]  # fmt: skip
    if name in ("laplacian", "uniform", "hypersparse", "diagonal", "one-a-row"):
        made += [
            ("A @ A, sorted", lambda: T @ T, lambda: scipy_sorted(A), None),
            ("A @ A, SciPy unsorted", lambda: T @ T, lambda: A @ A, None),
        ]
        made.append(
            (
                "fused ((A @ B) * A).sum()",
                ts_fused_product(T, U),
                lambda: (A @ B).multiply(A).sum(),
                None,
            )
        )
    return made


def ts_fused_sum(T, U):
    import tessera as ts

    with ts.fuse():
        expression = (T * U + T).sum(axis=0)
    return expression.compute


def ts_fused_product(T, U):
    import tessera as ts

    with ts.fuse():
        expression = ((T @ U) * T).sum()
    return expression.compute


def scipy_sorted(A):
    made = A @ A
    made.sort_indices()
    return made


def same(ours, theirs):
    import numpy as np
    import scipy.sparse as sp

    import tessera as ts

    ours = ours.to_scipy() if isinstance(ours, ts.Tensor) else ours
    if sp.issparse(theirs):
        apart = abs(sp.csr_array(ours) - sp.csr_array(theirs))
        return ours.shape == theirs.shape and (
            apart.nnz == 0 or apart.max() <= 1e-9 * max(1.0, abs(theirs).max())
        )
    return np.allclose(ours, theirs)


def measure(names, wanted, with_sparse):
    """All rows for the number of threads of this process."""
    rows = []
    for name in names:
        A = matrix(name)
        for job, *functions in jobs(name, A):
            if wanted and job not in wanted:
                continue
            if not with_sparse or name in SHAPES:
                functions[2] = None
            elif functions[2] is not None:
                functions[2]()  # compiles
            ok = same(functions[0](), functions[1]())
            samples = [[], [], []]
            spent = [0.0, 0.0, 0.0]
            for _ in range(MOST):  # by turns
                for n, f in enumerate(functions):
                    if f is None or (
                        spent[n] > BUDGET_S and len(samples[n]) >= (1 if n == 2 else 3)
                    ):
                        continue
                    begin = time.perf_counter()
                    kept = f()
                    seconds = time.perf_counter() - begin
                    del kept
                    samples[n].append(seconds)
                    spent[n] += seconds
            rows.append({"matrix": name, "nnz": int(A.nnz), "job": job, "equal": bool(ok), "threads": int(os.environ["OMP_NUM_THREADS"]),
                         "tessera_s": samples[0], "scipy_s": samples[1], "sparse_s": samples[2]})  # fmt: skip
            print(
                "%-10s %-28s %s"
                % (name, job, " ".join("%.2f" % (1e3 * min(s)) for s in samples if s)),
                file=sys.stderr,
            )
    return rows


def middle(samples):
    s = sorted(samples)
    return (s[len(s) // 2] + s[(len(s) - 1) // 2]) / 2


def ratio(row):
    return min(row["scipy_s"]) / min(row["tessera_s"])


def table_of_shapes(found):
    """SciPy / Tessera on one and two threads: a line for each job, a column for each shape."""
    names = [name for name in SHAPES if any(matrix == name for matrix, _ in found)]
    lines = ["| SciPy / Tessera, threads 1; 2 | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for job in dict.fromkeys(job for name, job in found if name in SHAPES):
        cells = []
        for name in names:
            by = found.get((name, job), {})
            cells.append("; ".join("%.2f" % ratio(by[n]) if n in by else "-" for n in (1, 2)) if by else "-")
        lines.append("| `%s` | %s |" % (job, " | ".join(cells)))
    return lines if names else []


def counts(found):
    """A line for each number of threads: in how many cells what is wanted holds."""
    lines = []
    for threads in (1, 2):
        ratios = [ratio(by[threads]) for by in found.values() if threads in by]
        if ratios:
            lines += ["", "%d %s: at most SciPy's time in %d of %d cells, at most 0.7 of it in %d." % (
                threads, "thread" if threads == 1 else "threads", sum(r >= 1 for r in ratios), len(ratios), sum(r >= 1 / 0.7 for r in ratios))]  # fmt: skip
    return lines


def table(record):
    lines = [
        "| matrix | job | Tessera, threads 1 | 2 | SciPy | sparse | SciPy / Tessera, 1 | 2 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    found = {}
    for row in record["rows"]:
        found.setdefault((row["matrix"], row["job"]), {})[row["threads"]] = row

    def cell(samples):
        return "%.3g / %.3g" % (1e3 * min(samples), 1e3 * middle(samples)) if samples else "-"

    for (name, job), by in found.items():
        if name in SHAPES:
            continue
        one, two = by.get(1), by.get(2)
        scipy = [s for row in by.values() for s in row["scipy_s"]]
        others = [s for row in by.values() for s in row["sparse_s"]]
        ratios = ["%.2f" % ratio(row) if row else "-" for row in (one, two)]
        wrong = "" if all(row["equal"] for row in by.values()) else " (answers differ)"
        lines.append("| %s | `%s`%s | %s | %s | %s | %s | %s | %s |" % (
            name, job, wrong, cell(one["tessera_s"]) if one else "-", cell(two["tessera_s"]) if two else "-", cell(scipy), cell(others), *ratios))  # fmt: skip
    shapes = table_of_shapes(found)
    return "\n".join(lines + ([""] + shapes if shapes else []) + counts(found))


def machine():
    import numpy
    import scipy
    import sparse

    import tessera

    with open("/proc/cpuinfo") as file:
        models = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return {"processor": models[0] if models else platform.machine(), "nprocessors": os.cpu_count(), "tessera": tessera.__version__,
            "scipy": scipy.__version__, "numpy": numpy.__version__, "sparse": sparse.__version__, "python": platform.python_version(),
            "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}  # fmt: skip


def main():
    options = argparse.ArgumentParser(usage=__doc__.split("\n")[0])
    options.add_argument("--json")
    options.add_argument("--threads", default="1,2")
    options.add_argument("--matrix", default=",".join(NAMES + SHAPES))
    options.add_argument("--job", default="")
    options.add_argument("--table")
    options.add_argument("--without-sparse", action="store_true")
    options.add_argument("--child", action="store_true")
    given = options.parse_args()
    if given.table:
        with open(given.table) as file:
            print(table(json.load(file)))
        return
    wanted = [job for job in given.job.split(";") if job]
    given.matrix = given.matrix.replace("shapes", ",".join(SHAPES))
    if given.child:
        json.dump(
            {
                "machine": machine(),
                "rows": measure(given.matrix.split(","), wanted, not given.without_sparse),
            },
            sys.stdout,
        )
        return
    record = None
    for threads in given.threads.split(","):
        done = subprocess.run(
            [sys.executable, __file__, "--child", "--matrix=" + given.matrix, "--job=" + given.job]
            + ["--without-sparse"] * given.without_sparse,
            env={**os.environ, "OMP_NUM_THREADS": threads}, stdout=subprocess.PIPE, check=True,
        )  # fmt: skip
        made = json.loads(done.stdout)
        if record is None:
            record = made
        else:
            record["rows"] += made["rows"]
    if given.json:
        if os.path.exists(given.json) and given.matrix != ",".join(NAMES + SHAPES):  # a part: replace its rows
            with open(given.json) as file:
                old = json.load(file)
            new = {(r["matrix"], r["job"], r["threads"]) for r in record["rows"]}
            record["rows"] = [
                r for r in old["rows"] if (r["matrix"], r["job"], r["threads"]) not in new
            ] + record["rows"]
        with open(given.json, "w") as file:
            json.dump(record, file)
    print(table(record))


if __name__ == "__main__":
    main()
