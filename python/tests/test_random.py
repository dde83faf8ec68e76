"""Random rounds of what is computed in two steps or of several statements, beside NumPy: the softmax of rows, entries before their values,
numbers of entries, gradients of a sum, and values of 16 bits; of operands in many formats, on 1 to 3 threads."""
import random

import numpy as np
import pytest

import tessera as ts

FORMATS = ["csr", "csc", "dcsr", "dcsc", "coo", "csf", "bcsr(2,3)", "bitmap", "hicoo(4)", "linear", "sell(4,8)"]
ROUNDS = range(12)


def engine(seed):
    return "interpreter" if seed % 4 else "auto"


def draw(rng, nrows, ncols, density, dtype="f8"):
    """A dense matrix with absent entries, which are told by the second array, and its entries in a format of Tessera."""
    gen = np.random.default_rng(rng.randrange(1 << 30))
    stored = gen.random((nrows, ncols)) < density
    values = np.where(stored, gen.integers(-8, 9, (nrows, ncols)) / 4 + 0.125, 0).astype(dtype)
    i, j = np.nonzero(stored)
    sparse = ts.from_coords((i, j), values[i, j], shape=(nrows, ncols))
    return values, stored, sparse.convert(rng.choice(FORMATS))


@pytest.mark.parametrize("seed", ROUNDS)
def test_softmax_of_rows(seed):
    rng = random.Random(seed)
    a, stored, given = draw(rng, rng.randrange(1, 40), rng.randrange(1, 30), rng.choice([0.05, 0.3, 0.9]))
    k = ts.kernel("m(i) max= A(i,j); e(i,j) = !!A(i,j)*exp(A(i,j) - m(i)); s(i) = e(i,j); P(i,j) = e(i,j)/s(i)",
                  format=rng.choice(["csr", "csc", "dcsr"]), engine=engine(seed))
    got = np.asarray(k(given, nthreads=rng.randrange(1, 4)).todense())
    low = np.where(stored, a, -np.inf).max(axis=1, keepdims=True, initial=-np.inf)
    e = np.where(stored, np.exp(np.where(stored, a - np.where(np.isfinite(low), low, 0), 0)), 0)
    total = e.sum(axis=1, keepdims=True)
    # blocks hold zeros at places without entries, which are entries to exp where a format stores them
    if given.nnz == stored.sum():
        np.testing.assert_allclose(got, np.divide(e, total, out=np.zeros_like(e), where=total > 0), rtol=1e-12)
    np.testing.assert_allclose(got.sum(axis=1)[stored.any(axis=1)], 1, rtol=1e-12)


@pytest.mark.parametrize("seed", ROUNDS)
def test_entries_before_their_values(seed):
    rng = random.Random(100 + seed)
    n, inner, m = (rng.randrange(1, 30) for _ in range(3))
    a, _, A = draw(rng, n, inner, 0.2)
    b, _, B = draw(rng, inner, m, 0.2)
    k = ts.kernel("C(i,j) = A(i,k)*B(k,j)", format=rng.choice(["csr", "csc", "dcsr", "coo"]), engine=engine(seed))
    nthreads = rng.randrange(1, 4)
    C = k.assemble(A, B, nthreads=nthreads)
    assert k.nnz(A, B, nthreads=nthreads) == C.nnz == k(A, B).nnz
    assert not np.asarray(C.values).any()
    for factor in (1, 3, 2, 5):  # from the third time on along a trail
        k.compute(C, A * factor, B, nthreads=nthreads)
        np.testing.assert_array_equal(np.asarray(C.todense()), factor * a @ b)


@pytest.mark.parametrize("seed", ROUNDS)
def test_values_of_16_bits(seed):
    rng = random.Random(200 + seed)
    a, _, A = draw(rng, rng.randrange(1, 50), rng.randrange(1, 50), 0.3)
    x = np.arange(a.shape[1], dtype="f4") / 8
    half = A.convert(A.format, dtype=rng.choice(["f16", "bf16"]))  # of numbers that both types hold
    y = ts.kernel("y(i) = A(i,j)*x(j)", engine=engine(seed))(half, x, nthreads=rng.randrange(1, 4))
    np.testing.assert_array_equal(np.asarray(y, dtype="f8"), a @ x.astype("f8"))
