"""What test_mpi.py runs under mpirun: mpi_job.py FOLDER, where the files are. Each check compares the ranks with one process."""
import os
import sys
import traceback
from pathlib import Path

import numpy as np
from mpi4py import MPI

import tessera as ts
import tessera.mpi

comm = MPI.COMM_WORLD
folder = Path(sys.argv[1])


def factors(shape, k=3):
    return [np.random.default_rng(m).random((n, k)) for m, n in enumerate(shape)]


def same_entries(A, whole):
    gathered = A.gather()
    assert (gathered is None) == (comm.rank > 0)
    if comm.rank == 0:
        made, want = gathered.convert("coo"), whole.convert("coo")
        assert made.shape == want.shape and np.array_equal(made.coords(), want.coords()) and np.array_equal(made.values, want.values)


def check_matrix(path):
    A, W = ts.read(path, comm=comm), ts.read(path, format="csr", dtype="f64")
    x, X = np.linspace(-1, 1, W.shape[1]), factors(W.shape, 5)[1]
    assert A.shape == W.shape and A.nnz == W.nnz and A.by_rows
    same_entries(A, W)
    # the bits of one process: each row is summed by one rank, in the same sequence
    assert np.array_equal(A.whole(A @ x), W @ x) and np.array_equal(A.whole(A @ X), W @ X)
    assert np.array_equal(A @ A.share(x, 1), A @ x)
    assert len(A @ x) == np.subtract(*A.range()[::-1]) and (A @ X).shape[1] == 5
    assert (A @ X[:, :0]).shape[1] == 0
    for B in (A, ts.read(path, comm=comm, share="grid"), A.split()):
        z, Z = np.linspace(0, 1, W.shape[0]), factors(W.shape)[0]
        assert np.allclose(B.whole(z @ B, 1), W.T @ z) and np.allclose(B.whole(B.mttkrp([Z, None], 1), 1), W.T @ Z)
        assert np.allclose(B.whole(B @ X), W @ X)
        assert np.isclose(B.sum(), W.values.sum()) and np.isclose(B.norm(), np.linalg.norm(W.values))
        same_entries(B, W)


def plain_mttkrp(whole, given, mode):
    rows = np.repeat(whole.values[:, None], given[0].shape[1], axis=1)
    for m, crd in enumerate(whole.coords()):
        rows = rows * given[m][crd] if m != mode else rows
    made = np.zeros_like(given[mode])
    np.add.at(made, whole.coords()[mode], rows)
    return made


def check_tensor(path):
    whole = ts.read(path, format="coo", dtype="f64")
    given = factors(whole.shape)
    for share in ("rows", "grid"):
        A = ts.read(path, comm=comm, share=share)
        same_entries(A, whole)
        for mode in range(whole.ndim) if whole.ndim == 3 else (0, whole.ndim - 1) if whole.ndim > 1 else ():
            assert np.allclose(A.whole(A.mttkrp(given, mode), mode), plain_mttkrp(whole, given, mode), rtol=1e-12, atol=1e-12)


def raises(kind, text, work):
    """An error of one rank is raised by all, and none waits."""
    try:
        work()
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError("no error: " + text)


def check_errors():
    last = comm.size - 1
    path = folder / "a.mtx"
    A = ts.read(path, comm=comm)
    raises(FileNotFoundError, "", lambda: ts.read(folder / "absent.mtx", comm=comm))
    raises(ts.TesseraError, "expected", lambda: ts.read(folder / "broken.tns", comm=comm))
    raises(ts.UnsupportedError, "leave out", lambda: ts.read(path, comm=comm, select="0:3; :"))
    raises(ts.UnsupportedError, "leave out", lambda: ts.read(path, comm=comm, dtype="f32"))
    raises(ts.UnsupportedError, "complex", lambda: ts.read(folder / "complex.mtx", comm=comm))
    raises(ValueError, "'rows' or 'grid'", lambda: ts.read(path, comm=comm, share="columns"))
    raises(TypeError, "unknown option", lambda: tessera.mpi.read(path, comm=comm, colour="red"))
    raises(ValueError, "matrices", lambda: ts.read(folder / "t.tns", comm=comm) @ np.ones(3))
    raises(ValueError, "factors", lambda: A.mttkrp([None]))
    # of one rank
    own = folder / ("rank%d" % comm.rank)
    own.mkdir(exist_ok=True)
    if comm.rank != last:
        (own / "here.mtx").write_bytes(path.read_bytes())
    comm.barrier()
    os.chdir(own)
    raises(FileNotFoundError, "", lambda: ts.read("here.mtx", comm=comm))
    (own / "here.mtx").write_bytes(path.read_bytes())
    comm.barrier()
    assert ts.read("here.mtx", comm=comm).nnz == A.nnz  # the same bytes in files of their own
    if comm.size > 1:
        if comm.rank == last:
            (own / "here.mtx").write_text("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n")
        comm.barrier()
        raises(ts.ArgumentError, "another file", lambda: ts.read("here.mtx", comm=comm))
        raises(ValueError, "other arguments", lambda: ts.read(path, comm=comm, share="grid" if comm.rank == last else "rows"))
        raises(ValueError, "numbers of columns", lambda: A.mttkrp([None, np.ones((A.shape[1], 1 + (comm.rank == last)))]))
    raises(ValueError, "rank %d" % last, lambda: A @ np.ones(A.shape[1] + (comm.rank == last)))
    raises(ValueError, "modes", lambda: A @ np.ones((2,) * (3 if comm.rank == last else 1)))
    raises(ValueError, "rows", lambda: A.whole(np.ones(10**6 if comm.rank == last else np.subtract(*A.range()[::-1]))))
    os.chdir(folder)


def check_petsc():
    import petsc4py

    petsc4py.init([])
    from petsc4py import PETSc

    for name in ("square.mtx", "a.mtx", "tall.mtx"):
        A, W = ts.read(folder / name, comm=comm), ts.read(folder / name, format="csr", dtype="f64")
        M = A.split().to_petsc()
        x = M.createVecRight()
        x.setArray(A.share(np.linspace(-1, 1, W.shape[1]), 1))  # the shares are those of PETSc
        y = M.createVecLeft()
        M.mult(x, y)
        assert np.allclose(A.whole(y.getArray()), W @ np.linspace(-1, 1, W.shape[1]))
        # back, in the same memory
        B = tessera.mpi.from_petsc(M)
        assert B.nnz == W.nnz and B.shape == W.shape
        same_entries(B, W)
        assert np.allclose(B @ x.getArray(), y.getArray())
        assert np.allclose(B.whole(B.mttkrp([np.linspace(0, 1, W.shape[0]), None], 1), 1), W.T @ np.linspace(0, 1, W.shape[0]))
        M.scale(2.0)
        assert np.isclose(B.sum(), 2 * W.values.sum())  # a view: PETSc's numbers are ours
        for local in B.locals:
            local.values[:] /= 2
        assert np.allclose(B.to_petsc().getValuesCSR()[2].sum(), sum(p.values.sum() for p in B.locals))
        M.mult(x, y)
        assert np.allclose(A.whole(y.getArray()), W @ np.linspace(-1, 1, W.shape[1]))
        N = A.to_petsc()  # not split before
        N.mult(x, y)
        assert np.allclose(A.whole(y.getArray()), W @ np.linspace(-1, 1, W.shape[1]))
        # made by PETSc, used after PETSc's name for it is gone
        C = tessera.mpi.from_petsc(N.copy())
        N.destroy()
        assert np.isclose(C.sum(), W.values.sum())
        raises(ts.UnsupportedError, "convert", lambda M=M: tessera.mpi.from_petsc(M.convert("dense")))
    raises(ts.UnsupportedError, "rows", lambda: ts.read(folder / "a.mtx", comm=comm, share="grid").to_petsc())


def main():
    for name in ("a.mtx", "half.mtx", "square.mtx", "tall.mtx", "one.mtx", "none.mtx", "a.h5", "big.mtx.gz"):
        check_matrix(folder / name)
    for path in sorted(folder.glob("order*.tns")) + [folder / "t.tns", folder / "t.h5"]:
        check_tensor(path)
    check_errors()
    if "petsc" in sys.argv:
        check_petsc()
    print("done", flush=True)


try:
    main()
except BaseException:  # the other ranks would wait for ever
    traceback.print_exc()
    comm.Abort(1)
