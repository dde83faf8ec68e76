# The child's side for SciPy (../README.md): scipy_driver.py KERNEL[@FORMAT] CASEFILE NTHREADS. The operands have
# FORMAT, or compressed rows. SciPy's sparse products run on one thread.
import os
import sys
import time

answers = os.fdopen(os.dup(1), "wb")  # what libraries print goes to standard error
os.dup2(2, 1)


def answer(line):
    answers.write(line.encode() + b"\n")
    answers.flush()


def fail(sentence):
    answer("error " + sentence)
    sys.exit(1)


try:
    import ctypes

    ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG: it dies with tbench
except (ImportError, OSError, AttributeError):
    pass
try:
    import numpy
    import scipy
    import scipy.sparse
except ImportError as error:
    fail("no scipy: %s" % error)

def squared(A):
    C = A @ A
    C.sort_indices()
    return C


# The operands are the further sparse ones and the dense ones, in the expression's order; y is a new array in each run, as it is for users.
KERNELS = {
    "spmv": lambda A, x: A @ x,
    "spmm": lambda A, X: A @ X,
    "mattransmul": lambda A, alpha, x, beta, z: alpha * (A.T @ x) + beta * z,
    "residual": lambda A, b, x: b - A @ x,
    "spgemm": squared,
    "spadd": lambda A, B: A + B,
    "spadd3": lambda A, B, C: A + B + C,
    "elmul": lambda A, B: A.multiply(B),
    "masked": lambda A: A.multiply(A @ A),
    "triangles": lambda A: numpy.array([A.multiply(A @ A).sum()]),
}


def sides_of(name):
    """The sides of the blocks of the format, or None."""
    return tuple(int(n) for n in name[5:-1].split(",")) if name.startswith("bcsr(") else None


def converted(A, name):
    """A in a format of Tessera's name; a new matrix that shares nothing with A."""
    sides = sides_of(name)
    if sides and any(n % side for n, side in zip(A.shape, sides)):
        raise ValueError("SciPy has whole blocks only, and the matrix is %d x %d" % A.shape)
    return A.tobsr(blocksize=sides) if sides else A.asformat(name, copy=True)


def load(path):
    with open(path, "rb") as file:

        def words(n, dtype=numpy.uint64):
            return numpy.fromfile(file, dtype, int(n))

        magic, order, nnz, ndense, _mode, _rank, ncells = words(7)
        if magic != 0x5445535345524131:
            fail("%s is not a file of a case" % path)
        dims = tuple(int(n) for n in words(order))
        words(words(1)[0])
        coordinates = [words(nnz, numpy.int64) for _ in range(int(order))]
        values = words(nnz, numpy.float64)
        dense = []
        for _ in range(int(ndense)):
            shape = tuple(int(n) for n in words(words(1)[0]))
            dense.append(words(numpy.prod(shape, dtype=int), numpy.float64).reshape(shape))
        others = []
        for _ in range(int(words(1)[0])):
            order, nnz = (int(n) for n in words(2))
            shape = tuple(int(n) for n in words(order))
            crd = [words(nnz, numpy.int64) for _ in range(order)]
            others.append(scipy.sparse.coo_matrix((words(nnz, numpy.float64), crd), shape=shape).tocsr())
        return dims, coordinates, values, others + dense, int(ncells)


def run(kernel, A, operands):
    start = time.monotonic_ns()
    y = kernel(A, *operands)
    return y, time.monotonic_ns() - start


def main():
    name, path = sys.argv[1], sys.argv[2]
    name, _, form = name.partition("@")
    source, _, target = name.partition(":")
    kernel = (lambda A: converted(A, target)) if target else KERNELS[name]
    dims, coordinates, values, operands, ncells = load(path)
    if sides_of(target):  # SciPy has whole blocks only: the matrix gets empty rows and columns
        dims = tuple(-(-n // side) * side for n, side in zip(dims, sides_of(target)))
    coo = scipy.sparse.coo_matrix((values, coordinates), shape=dims)
    del coordinates
    try:
        operands = [converted(B, form) if form and scipy.sparse.issparse(B) else B for B in operands]
        start = time.monotonic_ns()
        A = converted(coo, form or "csr") if not target else coo if source in ("coo", "shuffled") else converted(coo, source)
        pack_ns = time.monotonic_ns() - start
        if target:
            converted(A, target)
    except (TypeError, ValueError) as error:
        fail("%s: %s" % (form or name, str(error).splitlines()[0]))
    del coo, values
    nothing = numpy.full(ncells if ncells <= 1 << 28 else 1, numpy.nan)
    y = nothing
    nbytes = sum(getattr(A, part).nbytes for part in ("data", "indices", "indptr", "row", "col", "offsets") if hasattr(A, part))
    answer("ready %d %d %s" % (pack_ns, nbytes, scipy.__version__))
    while True:
        command = os.read(0, 1)
        if command in (b"r", b"c"):
            y, ns = run(kernel, A, operands)
            n = 1
            if command == b"r" and ns < 20000000:  # hot: after a run that does not count
                ns, n = 0, 0
                while n == 0 or ns < 1000000:
                    y, more = run(kernel, A, operands)
                    ns, n = ns + more, n + 1
            answer("ran %d" % (ns // n))
        elif command == b"o":
            y = nothing
            answer("done")
        elif command == b"s" and not scipy.sparse.issparse(y):
            answers.write(b"\xff" * 8)
            answers.flush()
        elif command == b"s":
            result = y.tocoo()
            if target or form:  # padding of blocks and diagonals
                result.eliminate_zeros()
            answers.write(numpy.array([result.nnz], numpy.uint64).tobytes())
            for part in (result.row.astype(numpy.uint64), result.col.astype(numpy.uint64), result.data):
                answers.write(part.tobytes())
            answers.flush()
        elif command == b"w":
            answers.write(numpy.ascontiguousarray(y, numpy.float64).tobytes())
            answers.flush()
        else:
            return


try:
    main()
except MemoryError:
    fail("out of memory")
