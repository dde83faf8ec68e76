"""Random shapes of 0 to 5 modes, types, formats, fill values, broadcasting, indices: NumPy on all cells is the oracle.

One seed is one pair of operands, which pytest names where a test fails. TSR_SEEDS="1000 500" in the environment: 500 seeds of each test
from 1000 on."""
import os

import numpy as np
import pytest

import tessera as ts

TYPES = ["f8", "f4", "c16", "c8", "i8", "i4", "i2", "i1", "u1", "u2", "u4", "u8", "?"]
FORMATS = [
    ["scalar"], ["cvec", "dvec", "coo"], ["csr", "csc", "coo", "dcsr", "bcsr(2,3)", "dense", "ell", "dense:1,0", "hash", "bitmap"],
    ["csf", "coo", "dense", "csf:2,0,1", "dss"], ["csf", "coo"], ["csf", "coo"],
]  # fmt: skip
BINARY = [
    np.add, np.subtract, np.multiply, np.floor_divide, np.remainder, np.power, np.less, np.less_equal, np.greater, np.equal,
    np.not_equal, np.maximum, np.minimum, np.fmax, np.hypot, np.arctan2, np.logical_and, np.logical_or, np.logical_xor,
    np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.left_shift, np.copysign, np.logaddexp, np.divmod, np.heaviside,
]  # fmt: skip
SEEDS = [int(n) for n in os.environ.get("TSR_SEEDS", "0 60").split()]
SEEDS = range(SEEDS[0], SEEDS[0] + SEEDS[1])
QUOTIENTS = {np.floor_divide, np.remainder, np.divmod}  # absent where the dividend is, also where an array divides by 0
UNARY = [
    np.sin, np.cos, np.exp, np.log, np.sqrt, np.abs, np.sign, np.negative, np.square, np.ceil, np.rint, np.isnan, np.isfinite,
    np.logical_not, np.invert, np.conjugate, np.reciprocal, np.expm1, np.signbit, np.modf, np.frexp,
]  # fmt: skip


class Case:
    """Two operands that broadcast, as tensors A, B and arrays a, b, and what their shapes allow."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        shape = tuple(int(n) for n in rng.choice([0, 1, 2, 3, 4, 7], rng.integers(0, 6), p=[0.04, 0.2, 0.2, 0.26, 0.2, 0.1]))
        types = rng.choice(TYPES, 2)
        self.A, self.a = self.make(shape, types[0])
        spread = tuple(n if rng.random() < 0.7 else 1 for n in shape)[rng.integers(0, len(shape) + 1) if rng.random() < 0.3 else 0 :]
        self.B, self.b = self.make(shape if rng.random() < 0.5 else spread, types[rng.integers(2)])
        if rng.random() < 0.15 and types[0] != "?" and shape:
            self.A, self.a = self.A + 1, self.a + self.a.dtype.type(1)
        self.fill = getattr(self.A, "fill_value", 0)

    def make(self, shape, dtype):
        rng = self.rng
        stored = rng.random(shape) < rng.choice([0, 0.1, 0.4, 1])
        values = rng.integers(-6 if np.dtype(dtype).kind in "ifc" else 0, 7, shape)
        if np.dtype(dtype).kind in "fc":
            values = values / 2 + (1j * rng.integers(-3, 4, shape) if np.dtype(dtype).kind == "c" else 0)
        a = np.where(stored, values, 0).astype(dtype)
        if not shape:
            return (ts.tensor(a) if dtype != "?" else a), a
        if dtype == "?":
            stored = a
        A = ts.from_coords(np.nonzero(stored), a[stored], shape, format="coo" if len(shape) > 1 else "cvec")
        return A.convert(str(rng.choice(FORMATS[len(shape)]))), a

    def key(self):
        rng, key, arrays = self.rng, [], self.rng.random() < 0.4
        for n in self.a.shape:
            bounds = [None if rng.random() < 0.3 else int(rng.integers(-n - 2, n + 3)) for _ in range(2)]
            choices = [slice(None), slice(*bounds, int(rng.choice([1, 2, 3, -1, -2]))), slice(int(rng.integers(0, n + 1)), None)]
            if n:
                choices.append(int(rng.integers(-n, n)))
            if n and arrays:
                choices += [rng.integers(-n, n, 3), rng.integers(-n, n, (2, 1)), rng.random(n) < 0.5]
            key.append(choices[rng.integers(len(choices))])
            if rng.random() < 0.1:
                key.append(None)
        if rng.random() < 0.2:
            at = int(rng.integers(0, len(key) + 1))
            key[at : at + int(rng.integers(0, 2))] = [...]
        return tuple(key)


def cells(made):
    if isinstance(made, ts.Tensor):
        made.check()
        return made.todense()
    return np.asarray(made)


def agree(name, ours, numpys):
    """Both give the same shape, type and cells; what NumPy refuses is refused."""
    with np.errstate(all="ignore"):
        try:
            wanted = numpys()
        except Exception as error:
            with pytest.raises(type(error) if isinstance(error, TypeError) else Exception):
                ours()
            return
        made = ours()
    pairs = list(zip(made, wanted)) if isinstance(wanted, tuple) else [(made, wanted)]
    for got, right in pairs:
        got, right = cells(got), np.asarray(right)
        if right.dtype == np.float16:  # which tensors widen
            right, got = right.astype(np.float32), got.astype(np.float32)
        assert (got.shape, got.dtype) == (right.shape, right.dtype), (name, got.shape, got.dtype, right.shape, right.dtype)
        single = got.dtype in (np.float32, np.complex64)
        close = np.allclose(got, right, rtol=2e-5 if single else 1e-10, atol=1e-6 if single else 1e-12, equal_nan=True)
        assert close if got.dtype.kind in "fc" else np.array_equal(got, right), (name, got, right)


@pytest.mark.parametrize("seed", SEEDS)
def test_functions_of_elements(seed):
    c = Case(seed)
    A, a, B, b = c.A, c.a, c.B, c.b
    number = [0, 1, 2.5, 1 + 1j, np.float32(2), np.int8(3), True][seed % 7]
    for f in c.rng.permutation(BINARY)[:4]:
        if f not in QUOTIENTS or not getattr(B, "is_dense", False):
            agree(f, lambda: f(A, B), lambda: f(a, b))
        if f not in QUOTIENTS:
            agree((f, "array"), lambda: f(A, b), lambda: f(a, b))
        agree((f, "array first"), lambda: f(a, B), lambda: f(a, b))
        agree((f, number), lambda: f(A, number), lambda: f(a, number))
        agree((number, f), lambda: f(number, A), lambda: f(number, a))
    for f in c.rng.permutation(UNARY)[:4]:
        agree(f, lambda: f(A), lambda: f(a))
    for text in ("np.where(A, B, 0)", "np.where(A > 0, A, B)", "np.clip(A, 0, 2)", "np.round(A, 1)", "A.real", "A.imag", "np.count_nonzero(A)"):
        agree(text, lambda: eval(text, {"np": np, "A": A, "B": B}), lambda: eval(text, {"np": np, "A": a, "B": b}))
    if isinstance(A, ts.Tensor):
        agree("astype", lambda: A.astype(b.dtype), lambda: a.astype(b.dtype))


@pytest.mark.parametrize("seed", SEEDS)
def test_reductions_and_indices(seed):
    c = Case(100 + seed)
    A, a, n = c.A, c.a, c.a.ndim
    for name in ("sum", "prod", "min", "max", "mean", "any", "all", "var", "std"):
        axes = tuple(int(m) for m in c.rng.permutation(n)[: c.rng.integers(0, n + 1)])
        axis = None if c.rng.random() < 0.3 else axes[0] - n if len(axes) == 1 else axes
        if axis == () and name in ("var", "std"):
            continue
        keep = bool(c.rng.random() < 0.4)
        agree((name, axis, keep), lambda: getattr(A, name)(axis=axis, keepdims=keep), lambda: getattr(a, name)(axis=axis, keepdims=keep))
    if a.dtype.kind != "c":
        axis = None if n == 0 or c.rng.random() < 0.5 else int(c.rng.integers(-n, n))
        if a.dtype.kind == "f" and seed % 3 == 0:  # NaN among the entries, or as the fill value
            A, a = (np.where(x > 1, np.nan, x) for x in (A, a)) if seed % 2 else (A + np.nan, a + a.dtype.type(np.nan))
        agree(("argmax", axis), lambda: A.argmax(axis=axis), lambda: a.argmax(axis=axis))
        agree(("argmin", axis), lambda: A.argmin(axis=axis), lambda: a.argmin(axis=axis))
    for _ in range(6):
        key = c.key()
        agree(key, lambda: A[key], lambda: a[key])


SHAPES = [
    "np.flip(A, m)", "np.roll(A, 2, m)", "np.roll(A, 2)", "np.take(A, [0, -1], m)", "np.concatenate([A, A], m)", "np.stack([A, A], m)",
    "np.repeat(A, 2, m)", "np.tile(A, 2)", "np.transpose(A, p)", "A.reshape(-1)", "A.reshape(-1, 1)", "np.squeeze(A)", "np.expand_dims(A, m)",
    "A.nonzero()", "np.broadcast_to(A, (2,) + A.shape)", "np.swapaxes(A, 0, m)", "np.moveaxis(A, 0, m)", "A.ravel()",
]  # fmt: skip
MATRICES = ["np.tril(A, 1)", "np.triu(A, -1)", "A.diagonal(1)", "np.trace(A)", "np.diagonal(A, -1, -1, 0)"]


@pytest.mark.parametrize("seed", SEEDS)
def test_shapes(seed):
    c = Case(200 + seed)
    n = c.a.ndim
    if n == 0:
        return
    given = {"np": np, "m": int(c.rng.integers(-n, n)), "p": [int(m) for m in c.rng.permutation(n)]}
    for text in SHAPES + (MATRICES if n > 1 else []):
        agree(text, lambda: eval(text, {**given, "A": c.A}), lambda: eval(text, {**given, "A": c.a}))


# m: a mode, k: a number from -2 to 3, w: weights of mode m, i: a bool for each index of m, X: A with NaNs. NumPy runs the same line.
MORE = [
    "np.cumsum(A, m)", "np.cumprod(A, m)", "np.cumsum(A)", "A.cumsum(m)", "np.add.accumulate(A, m)", "np.diff(A, abs(k), m)",
    "np.ptp(A, m)", "np.average(A, m)", "np.average(A, m, w)", "np.average(A, weights=A + 9)", "np.average(A, m, w, returned=True)", "np.nansum(X, m)", "np.nanmax(X, m)",
    "np.nanmin(X)", "np.nanmean(X, m)", "np.nanmean(X)", "np.nanprod(A, m)", "np.nansum(A)", "np.array_split(A, 3, m)", "np.split(A, [1, 3], m)", "np.split(A, 2, m)",
    "np.hsplit(A, [1])", "np.vsplit(A, [1])", "np.dsplit(A, [1])", "np.append(A, A, m)", "np.append(A, [1, 2])", "np.delete(A, [0, -1], m)", "np.delete(A, slice(0, 2), m)",
    "np.compress(i, A, m)", "np.take_along_axis(A, np.argsort(cells(A), m), m)", "np.atleast_2d(A)", "np.atleast_3d(A)", "np.column_stack([A, A])",
    "np.dstack([A, A])", "np.hstack([A, A])", "np.vstack([A, A])", "np.block([A, A])", "np.block([[A, A], [A, A]])", "np.pad(A, abs(k))",
    "np.pad(A, [(n, 1) for n in range(A.ndim)])", "np.rollaxis(A, m)", "np.rollaxis(A, m, k)", "np.rot90(A, k)", "np.rot90(A, k, (m, 0))", "np.fliplr(A)",
    "np.flipud(A)", "np.diag(A, k)", "np.diagflat(A, k)", "np.inner(A, A)", "np.vdot(A, A)", "np.linalg.norm(A)", "np.linalg.norm(A, axis=m)",
    "np.linalg.norm(A, k, m)", "np.linalg.norm(A, np.inf, m, keepdims=True)", "np.linalg.norm(A, 1)", "np.linalg.norm(A, -np.inf)", "np.linalg.norm(A, 'fro')",
    "np.linalg.matrix_power(A, abs(k))", "np.isclose(A, A + 1e-9)", "np.isclose(A, A[:1])", "np.allclose(A, A + 1e-9)", "np.array_equal(A, A + 0)", "np.array_equal(A, A[:1])",
    "np.array_equal(X, X, equal_nan=True)", "np.unique(A)", "np.unique(A, return_counts=True)", "np.argwhere(A)", "np.flatnonzero(A)", "np.where(A > 1)",
    "np.select([A > 1, A < 0], [A, A * 2], 0)", "np.isin(A, [1, 2, 0.5])", "np.nan_to_num(A)", "np.angle(A)", "np.fix(A)", "np.sinc(A)", "np.isreal(A)",
    "np.zeros_like(A)", "np.ones_like(A)", "np.full_like(A, 3)", "np.full_like(A, 3, dtype='f4')", "np.copy(A)", "np.size(A, m)", "np.iscomplexobj(A)",
    "np.broadcast_arrays(A, A[:1])", "np.expand_dims(A, (0, m))", "A.reshape(-1, order='F')", "A.reshape((1, -1), order='F')", "A.flatten('F')", "A.take([0, -1], m)",
    "A.repeat(2, m)", "A.ptp(m)", "A.conjugate()", "A.tolist()", "A.itemsize", "1 in A", "0 in A", "77 in A", "A.item(0)", "A.item(-1)", "A.item((0,) * A.ndim)",
    "np.einsum('i...->...i', A)", "np.einsum('...i,...i', A, A)", "np.einsum('...i,i->...', A, w_last)", "np.moveaxis(A, [0, m], [-1, 0])",
]  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.filterwarnings("ignore")
def test_more_functions(seed):
    c = Case(400 + seed)
    a, n = c.a, c.a.ndim
    if n == 0:
        return
    m = int(c.rng.integers(-n, n))
    given = {
        "np": np, "cells": cells, "m": m, "k": int(c.rng.integers(-2, 4)), "w": c.rng.integers(0, 3, a.shape[m]) / 2,
        "i": c.rng.random(a.shape[m]) < 0.5, "w_last": np.arange(1.0, 1 + a.shape[-1]),
    }  # fmt: skip
    for text in c.rng.permutation(MORE)[:15]:
        if c.fill and any(word in text for word in ("pad", "einsum", "diag", "vdot", "block", "power", "inner")):
            continue  # need the fill value 0, or the same one in all parts
        ours, numpys = ({**given, "A": x, "X": np.where(x > 1, np.nan, x)} for x in (c.A, a))
        agree(text, lambda: as_tuple(eval(text, ours)), lambda: as_tuple(eval(text, numpys)))


def as_tuple(made):
    return tuple(made) if isinstance(made, list) and made and not isinstance(made[0], (list, int, float, complex, bool)) else made


def test_what_sparse_functions_refuse():
    A = ts.eye(3)
    for text, words in [
        ("np.linalg.norm(A, 2)", "todense"), ("np.linalg.norm(A, 'nuc')", "todense"), ("np.linalg.matrix_power(A, -1)", "inverse"), ("np.pad(A, 1, constant_values=2)", "fill|entry"),
        ("np.pad(A, 1, 'edge')", "constant"), ("np.unique(A, return_inverse=True)", "todense"), ("np.sort(A)", "todense"), ("A.row", "csr.*coo"), ("ts.eye(3, format='coo').indptr", "csr"),
        ("np.cumsum(ts.zeros((10**6, 10**6)), 0)", "each of"), ("np.einsum('i...,j', A)", "operands"), ("np.einsum('ijk...', A)", "modes"),
    ]:  # fmt: skip
        with pytest.raises(Exception, match=words):
            eval(text, {"np": np, "ts": ts, "A": A})
    big = ts.from_coords([[0, 5], [7, 10**9]], [1.0, 2.0], (10**10, 10**10), format="coo")
    assert np.allclose(big, big) and np.array_equal(big, big * 1) and not np.allclose(big, 2 * big) and 2 in big and 0 in big and 3 not in big
    assert np.linalg.norm(big) == 5**0.5 and np.pad(big, 1).shape == (10**10 + 2,) * 2 and ts.diff(big[:9], axis=0).nnz == 3


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.filterwarnings("ignore")
def test_matrices_of_any_size(seed):
    """The ways for few entries and for many, of csr and csc, whole rows, empty rows and cells that both store or none does."""
    rng = np.random.default_rng(seed)
    shape = [(40, 50), (700, 900), (1, 3000), (3000, 1), (0, 5), (300, 300)][seed]
    made = []
    for dtype, share, format in (("f8", 0.3, "csr"), (("f8", "f4", "i4")[seed % 3], 0.2, ("csr", "csc")[seed % 2])):
        a = (rng.integers(-3, 4, shape) * (rng.random(shape) < share)).astype(dtype)
        a[: shape[0] // 3] *= rng.integers(0, 2)
        made.append((ts.convert(a, format), a))
    (A, a), (B, b) = made
    for text in (
        "np.maximum(A, B)", "A < B", "A == B", "A != B", "np.where(A > 0, A, B)", "A + B", "A * B", "np.copysign(A, B)", "np.arctan2(A, B)",
        "np.logical_and(A, B)", "np.where(A > 1, A, 0)", "(A + 1) * B", "np.hypot(A + 1, B)", "A.astype(bool)", "A.T.astype(bool)", "np.vstack([A, B])",
        "np.hstack([A.T, B.T])", "A.diagonal()", "A.T.diagonal(1)", "A.diagonal(-2, 1, 0)", "A.todense()", "A.T @ A[:, 0].todense()", "A.argmax(axis=1) if A.size else 0",
    ):  # fmt: skip
        agree(text, lambda: eval(text, {"np": np, "A": A, "B": B}), lambda: eval(text.replace(".todense()", ""), {"np": np, "A": a, "B": b}))


def test_tensors_of_one_kind_share_a_plan():
    """Products with tensors that are new in each call, arrays that are not aligned, read-only and cut."""
    a = np.arange(12.0).reshape(3, 4)
    x = np.arange(1.0, 5)
    odd = np.frombuffer(b"." + x.tobytes(), np.uint8)[1:].view(float)
    assert not odd.flags.aligned
    for _ in range(70):  # more than a kernel remembers
        A = ts.convert(a, "csr")
        for given in (x, odd, np.repeat(x, 2)[::2], np.broadcast_to(x, (2, 4))[1]):
            assert np.array_equal(A @ given, a @ x)
        assert np.array_equal(A.T @ x[:3], a.T @ x[:3])
    with pytest.raises(ValueError):
        ts.convert(a, "csr") @ x[:3]
    assert np.array_equal((ts.convert(a, "csr") + 1) @ x, (a + 1) @ x)


@pytest.mark.parametrize("seed", SEEDS[:12] if len(SEEDS) == 60 else SEEDS)
def test_products(seed):
    c = Case(300 + seed)
    if not isinstance(c.A, ts.Tensor) or c.A.ndim == 0 or c.A.fill_value != 0:
        return
    A, a = c.A, c.a
    tail = [(), (3,), (2, 3)][seed % 3]
    X, x = c.make(tail[:-1] + (a.shape[-1],) + tail[-1:] if tail else (a.shape[-1],), str(c.rng.choice(TYPES)))
    agree("A @ X", lambda: A @ X, lambda: a @ x)
    agree("A @ x", lambda: A @ x, lambda: a @ x)
    agree("dot", lambda: np.dot(A, X), lambda: np.dot(a, x))
    agree("tensordot", lambda: np.tensordot(A, A, ([0], [0])), lambda: np.tensordot(a, a, ([0], [0])))
    if a.size * x.size < 20000:
        agree("tensordot 0", lambda: np.tensordot(A, X, 0), lambda: np.tensordot(a, x, 0))
        agree("outer", lambda: np.outer(A, X), lambda: np.outer(a, x))
        agree("kron", lambda: np.kron(A, X), lambda: np.kron(a, x))


def test_ellipsis_of_no_modes_parts_arrays():
    a = np.arange(24.0).reshape(2, 3, 4) * (np.arange(24).reshape(2, 3, 4) % 3 > 0)
    A = ts.convert(a, "csf")
    for key in [(slice(None), [0, 1], ..., [1, 2]), ([0, 1], ..., [1, 2], 0), (slice(None), 1, ..., [2, 0]), (..., [0, 1], [1, 2])]:
        agree(key, lambda: A[key], lambda: a[key])


# ---- expressions that are computed later, and at once ----

FUNCTIONS = [
    "np.sqrt(abs(%s))", "-%s", "np.sin(%s)", "np.exp(%s)", "abs(%s)", "np.square(%s)", "%s*2", "%s/2", "%s/3", "3-%s", "%s+1", "np.cos(%s)",
    "np.sign(%s)", "np.maximum(%s, 0)", "%s**2", "np.real(%s)", "%s > 0", "%s.astype(float)", "np.round(%s, 1)", "np.conj(%s)", "%s.T.T",
    "np.clip(%s, -1, 1)", "np.float32(2)*%s", "%s != 0", "%s // 2", "(%s).mean()", "(%s).std()",
]  # fmt: skip
PAIRS = [
    "%s + %s", "%s - %s", "%s * %s", "%s * %s", "np.maximum(%s, %s)", "%s / (1 + abs(%s))", "np.where(%s > 0, %s, 0)", "%s == %s",
    "np.hypot(%s, %s)",
]  # fmt: skip


class Tree:
    """A random expression as a text, and its operands: tensors, and arrays of the same cells."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        self.tensors, self.arrays = {}, {}
        shape = tuple(int(n) for n in rng.choice([0, 1, 2, 3, 4], rng.integers(1, 4), p=[0.05, 0.15, 0.2, 0.3, 0.3]))
        self.text = self.of(int(rng.integers(1, 5)), shape)

    def operand(self, shape):
        rng, known = self.rng, [name for name, a in self.arrays.items() if a.shape == shape]
        if known and rng.random() < 0.25:
            return str(rng.choice(known))
        dtype = str(rng.choice(["f8", "f4", "i8", "i4", "i1", "c16", "?"], p=[0.5, 0.1, 0.1, 0.1, 0.05, 0.1, 0.05]))
        a = rng.integers(-3 if dtype[0] in "ifc" else 0, 4, shape) * (rng.random(shape) < rng.choice([0, 0.2, 0.5, 1]))
        a = (a * (40 if dtype == "i1" else 1 if dtype[0] != "c" else 1 + 0.5j)).astype(dtype)
        A = a
        if rng.random() > 0.15:
            at = np.nonzero(a)
            A = ts.from_coords(at, a[at], shape, format="coo" if len(shape) > 1 else "cvec").convert(str(rng.choice(FORMATS[len(shape)])))
            if rng.random() < 0.1 and dtype[0] == "f":
                A, a = A + 1, a + a.dtype.type(1)
        name = "v%d" % len(self.arrays)
        self.tensors[name], self.arrays[name] = A, a
        return name

    def of(self, depth, shape):
        rng, n, draw = self.rng, len(shape), self.rng.random()
        if depth == 0 or rng.random() < 0.1:
            small = tuple(k if rng.random() < 0.6 else 1 for k in shape)
            whole = self.operand(shape)
            return whole if rng.random() < 0.8 else "(%s %s %s)" % (self.operand(small), rng.choice(["+", "*"]), whole)
        if draw < 0.35:
            text, inner = str(rng.choice(FUNCTIONS)), self.of(depth - 1, shape)
            return "(%s - %s)" % (inner, text % inner) if text.startswith("(") else "(" + text % inner + ")"
        if draw < 0.7:
            return "(" + str(rng.choice(PAIRS)) % (self.of(depth - 1, shape), self.of(depth - 1, shape)) + ")"
        if draw < 0.8 and n < 3:
            at, name = int(rng.integers(0, n + 1)), str(rng.choice(["sum", "sum", "sum", "max", "mean", "any", "prod"]))
            inner = self.of(depth - 1, (*shape[:at], int(rng.integers(1, 5)), *shape[at:]))
            return "%s.%s(axis=%d)%s" % (inner, name, at, ".reshape(%s)" % (shape,) if rng.random() < 0.2 else "")
        if draw < 0.87 and n == 2:
            return "%s.T" % self.of(depth - 1, shape[::-1])
        if n == 3:
            return self.of(depth - 1, shape)
        k = int(rng.integers(0, 5))
        return "(%s @ %s)" % (self.of(depth - 1, (shape[0], k)), self.of(depth - 1, (k, *shape[1:])))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.filterwarnings("ignore")
def test_expressions(seed, monkeypatch):
    monkeypatch.setenv("TSR_CC", "/there/is/no/compiler")  # interpreted: each statement is run once
    tree = Tree(seed)
    with np.errstate(all="ignore"):
        try:
            wanted = np.asarray(eval(tree.text, {"np": np}, dict(tree.arrays)))
        except TypeError:  # of functions that NumPy does not have for a type
            return
        if wanted.dtype == np.float16 or is_short(tree):
            return
        for given in (tree.tensors, {name: ts.lazy(A) for name, A in tree.tensors.items()}):
            try:
                made = eval(tree.text, {"np": np}, dict(given))
                made = cells(made.compute() if isinstance(made, ts.Expr) else made)
            except ValueError as error:
                assert "@ needs 0, or a finite one" in str(error), tree.text
                continue
            assert (made.shape, made.dtype) == (wanted.shape, wanted.dtype), tree.text
            assert np.allclose(made, wanted, rtol=1e-4, atol=1e-5, equal_nan=True), (tree.text, made, wanted)


def is_short(tree):
    """Whether NumPy computes a part in float16, which has three digits: a function of booleans or bytes. Tensors widen it."""
    has_bytes = any(a.dtype.itemsize == 1 for a in tree.arrays.values()) or any(f in tree.text for f in (">", "==", "!=", "any"))
    return has_bytes and any(f in tree.text for f in ("np.s", "np.e", "np.c", "np.h", "/"))
