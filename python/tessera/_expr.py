"""Expressions of tensors that are computed later, as one statement of index notation where that
can express them.

A node is a leaf, a function of elements, a sum over modes, a product with summed modes, or another
order of modes. `Statement` writes
a node as a sum of products; a part that a product cannot hold, such as the square root of a sum
over a mode, is computed first."""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _entries
from ._kernel import _cached, matmul
from ._ops import Operators, eager
from ._tensor import Tensor

# Functions of NumPy that index notation has with the same value for all arguments.
_NAMES = {
    np.sqrt: "sqrt", np.square: "square", np.absolute: "abs", np.fabs: "abs", np.cbrt: "cbrt", np.exp: "exp", np.expm1: "expm1",
    np.log: "log", np.log10: "log10", np.log2: "log2", np.log1p: "log1p", np.sin: "sin", np.cos: "cos", np.tan: "tan",
    np.arcsin: "asin", np.arccos: "acos", np.arctan: "atan", np.sinh: "sinh", np.cosh: "cosh", np.tanh: "tanh",
    np.arcsinh: "asinh", np.arccosh: "acosh", np.arctanh: "atanh", np.floor: "floor", np.ceil: "ceil", np.rint: "round",
    np.sign: "sign",
}  # fmt: skip
_SUMS = {np.add: 1, np.subtract: -1}
_LETTERS = "ijklmnopqstuvwxyz"
_MAX_TERMS = 64


class Expr(Operators):
    """An expression that is computed later: made by `lazy`, or by operators in a block `with
    fuse():`.

    `compute()` runs it; `print(expr)` shows its index notation, `plan()` and `source()` what runs.
    """

    __slots__ = ("_kind", "_args", "_options", "_shape", "_dtype", "_made")

    def __init__(
        self, kind: Any, args: "tuple[Any, ...]", options: Any, shape: Sequence[int], dtype: Any
    ) -> None:
        self._kind, self._args, self._options = kind, args, options
        self._shape, self._dtype = tuple(int(n) for n in shape), np.dtype(dtype)
        self._made: Any = (
            None  # the result, where the expression was computed as a part of another one
        )

    @property
    def shape(self) -> "tuple[int, ...]":
        """The sizes of the modes of the result."""
        return self._shape

    @property
    def ndim(self) -> int:
        """The number of modes of the result."""
        return len(self._shape)

    @property
    def dtype(self) -> Any:
        """The value type of the result, by NumPy's rules."""
        return self._dtype

    def compute(self, *, format: Any = None, nthreads: "int | None" = None) -> Any:
        """The result: a Tensor where it is sparse, else an array or a number."""
        with eager():
            return _compute(self, format, nthreads)

    def plan(self) -> str:
        """The loops of the statement, as `Kernel.text("graph")`."""
        return self._text("graph")

    def source(self) -> str:
        """The C text of the statement."""
        return self._text("c")

    def _text(self, what: str) -> str:
        with eager():
            kernel, operands = Statement(self).kernel(None)
        return kernel.text(what, *operands)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        if self._kind == "leaf":
            return "<tessera.Expr of %r>" % (self._args[0],)
        return "<tessera.Expr %s, %s: %s>" % (
            " x ".join(map(str, self.shape)) or "scalar",
            self.dtype,
            Statement(self, False).text,
        )

    def __str__(self) -> str:
        return Statement(self, False).text

    def transpose(self, *axes: Any) -> "Expr":
        """The expression with its modes in another order."""
        given = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        modes = (
            list(range(self.ndim))[::-1]
            if given is None or len(given) == 0
            else [int(a) % self.ndim for a in given]
        )
        if sorted(modes) != list(range(self.ndim)):
            raise ValueError(
                "axes %r are not the modes 0 to %d in some order" % (tuple(given), self.ndim - 1)
            )
        return Expr("transpose", (self,), modes, [self.shape[m] for m in modes], self.dtype)

    def astype(self, dtype: Any, *, copy: bool = True) -> "Expr":
        """The values in another type, cast by NumPy's rules."""
        return self if self.dtype == dtype else apply(_Cast(dtype), (self,), {})

    def reshape(self, *shape: Any) -> "Expr":
        """The same cells in row-major order in another shape; the expression is computed first."""
        return lazy(self.compute().reshape(*shape))

    def __bool__(self) -> bool:
        raise ValueError("the truth value of an expression is ambiguous: compute() it first")

    def __getitem__(self, key: Any) -> Any:
        return lazy(self.compute()[key])

    # what Operators needs

    def _apply(self, function: Any, operands: "tuple[Any, ...]", options: "dict[str, Any]") -> Any:
        return apply(function, operands, options)

    def _reduced(self, function: Any, axis: Any, dtype: Any, keepdims: bool) -> Any:
        axes = _entries.axes_of(axis, self.ndim)
        if function is np.add and not keepdims and dtype is None:
            kept = [n for m, n in enumerate(self.shape) if m not in axes]
            return Expr("sum", (self,), axes, kept, np.add.reduce(np.empty(0, self.dtype)).dtype)
        made = self.compute()
        with eager():
            return lazy(made._reduced(function, axis, dtype, keepdims) if isinstance(made, Tensor)
                        else function.reduce(made, axis=axis, dtype=dtype, keepdims=keepdims))  # fmt: skip

    def _product(self, a: Any, b: Any) -> Any:
        return product(a, b)


class _Cast:
    """astype as a function of elements."""

    __name__ = "astype"

    def __init__(self, dtype: Any) -> None:
        self.dtype = np.dtype(dtype)

    def __call__(self, x: Any) -> Any:
        with np.errstate(all="ignore"):
            return np.asarray(x).astype(self.dtype)


def lazy(obj: Any) -> Expr:
    """The object as an expression: operators and functions of it are computed later, together, by
    `compute()`."""
    if isinstance(obj, Expr):
        return obj
    leaf = _entries.plain(obj)
    shape = leaf.shape if isinstance(leaf, Tensor) else np.shape(leaf)
    dtype = (
        leaf.dtype
        if isinstance(leaf, (Tensor, np.ndarray, np.generic))
        else np.asarray(leaf).dtype
    )
    return Expr("leaf", (leaf,), None, shape, dtype)


def apply(function: Any, operands: Sequence[Any], options: "dict[str, Any]") -> Expr:
    args = tuple(lazy(o) for o in operands)
    shape = _entries.broadcast([a.shape for a in args])
    stand_ins = [
        a._args[0] if a._kind == "leaf" and a.ndim == 0 else np.empty((0,), a.dtype) for a in args
    ]
    types = _entries.result_types(function, stand_ins, options)
    if len(types) > 1:
        raise TypeError("%s has several results: compute() the operand first" % function.__name__)
    return Expr(function, args, options, shape, types[0])


def product(a: Any, b: Any) -> Expr:
    x, y = lazy(a), lazy(b)
    if not 1 <= x.ndim <= 2 or not 1 <= y.ndim <= 2:
        raise ValueError("@ of %d and %d modes: use einsum" % (x.ndim, y.ndim))
    if x.shape[-1] != y.shape[0]:
        raise ValueError(
            "@ of shapes %s and %s: %d is not %d" % (x.shape, y.shape, x.shape[-1], y.shape[0])
        )
    return Expr(
        "product", (x, y), None, x.shape[:-1] + y.shape[1:], np.result_type(x.dtype, y.dtype)
    )


# ---- as index notation ----


class Term(NamedTuple):
    """A product: a number, the texts of factors, the variables that they have, and those that
    sparse ones have."""

    scale: Any
    factors: "tuple[str, ...]"
    variables: "frozenset[str]"
    stored: "frozenset[str]"
    nsparse: int


class _TooLarge(Exception):
    """The expression does not fit into one statement."""


class Statement:
    """An expression as one statement. is_final: parts that it cannot hold are computed; else they
    are named P1, P2..., and an
    expression that is such a part is the text P1."""

    def __init__(self, expr: Expr, is_final: bool = True) -> None:
        self.expr, self.is_final = expr, is_final
        self.operands: "list[Any]" = []
        self.names: "list[str]" = []
        self.nvariables = self.nparts = 0
        self.index = [self.variable() for _ in expr.shape]
        try:
            self.terms = self.sum(expr, self.index)
        except _TooLarge:
            if is_final:
                raise
            self.names, self.operands = [], []
            self.terms = [self.computed(expr, self.index)]
        left = "R" + ("(%s)" % ",".join(self.index) if self.index else "")
        right = ""
        for n, term in enumerate(self.terms):
            sign = "-" if term.scale == -1 else ""
            factors = list(term.factors)
            if term.scale not in (1, -1):
                factors.insert(0, self.operand(np.asarray(term.scale)))
            right += (" - " if sign else " + ") if n else ("-" if sign else "")
            right += "*".join(factors) or "1"
        self.text = "%s = %s" % (left, right or "0")

    def variable(self) -> str:
        n, self.nvariables = self.nvariables, self.nvariables + 1
        return _LETTERS[n] if n < len(_LETTERS) else "i%d" % n

    def operand(self, obj: Any) -> str:
        for name, known in zip(self.names, self.operands):
            if known is obj:
                return name
        # without R, the result; names of functions have small letters
        number = len(self.names)
        name = "ABCDEFGHIJKLMNOPQSTUVWXYZ"[number] if number < 25 else "T%d" % number
        self.names.append(name)
        self.operands.append(obj)
        return name

    def access(self, obj: Any, index: "list[str]", shape: Sequence[int]) -> Term:
        """A tensor or an array with these variables, without its modes of size 1 that stand for
        others."""
        own = obj.shape if isinstance(obj, Tensor) else np.shape(obj)
        index = index[len(index) - len(own) :]
        spread = [m for m, n in enumerate(own) if n == 1 and shape[len(shape) - len(own) + m] != 1]
        if spread:
            obj = obj[tuple(0 if m in spread else slice(None) for m in range(len(own)))]
            index = [v for m, v in enumerate(index) if m not in spread]
        name = self.operand(obj)
        used = frozenset(index)
        sparse = isinstance(obj, Tensor)
        if sparse and (obj.fill_value != 0 or obj.dtype == np.bool_):
            raise _TooLarge
        return Term(
            1,
            (name + ("(%s)" % ",".join(index) if index else ""),),
            used,
            used if sparse else frozenset(),
            int(sparse),
        )

    def sum(self, e: Expr, index: "list[str]") -> "list[Term]":
        """The terms of the expression at these variables."""
        kind = e._kind
        if kind == "leaf":
            obj = e._args[0]
            if not isinstance(obj, Tensor) and np.ndim(obj) == 0:
                return [Term(np.asarray(obj)[()], (), frozenset(), frozenset(), 0)]
            return [self.access(obj, index, e.shape)]
        if kind == "transpose":
            inner = [""] * len(index)
            for v, m in zip(index, e._options):
                inner[m] = v
            return self.sum(e._args[0], inner)
        if kind == "sum" and e.dtype == self.expr.dtype:
            given = iter(index)
            child = e._args[0]
            inner = [
                self.variable() if m in e._options else next(given) for m in range(child.ndim)
            ]
            new = [(v, child.shape[m]) for m, v in enumerate(inner) if m in e._options]
            return [_counted(term, new) for term in self.sum(child, inner)]
        if kind == "product" and e.dtype == self.expr.dtype:
            a, b = e._args
            v = self.variable()
            first = self.sum(a, index[: a.ndim - 1] + [v])
            second = self.sum(b, [v] + index[a.ndim - 1 :])
            return [_counted(term, [(v, a.shape[-1])]) for term in self.times(first, second)]
        if e.dtype != self.expr.dtype:  # by NumPy's rules each function has the type of its own operands
            return [self.computed(e, index)]
        known = len(self.names)
        try:
            return self.function(e, index)
        except _TooLarge:
            if e is self.expr:
                raise
            del self.names[known:], self.operands[known:]
            return [self.computed(e, index)]

    def computed(self, e: Expr, index: "list[str]") -> Term:
        """A part that is computed first."""
        if self.is_final:
            if e._made is None:
                e._made = _step(e, None, None)
            return self.access(e._made, index, e.shape)
        self.nparts += 1
        name = "P%d" % self.nparts + ("(%s)" % ",".join(index) if index else "")
        return Term(1, (name,), frozenset(index), frozenset(), 0)

    def part(self, child: Expr, shape: Sequence[int], index: "list[str]") -> "list[Term]":
        if (
            child._kind == "leaf"
            and not isinstance(child._args[0], Tensor)
            and np.ndim(child._args[0]) == 0
        ):
            return self.sum(child, [])
        own = index[len(index) - child.ndim :]
        if any(
            n == 1 and shape[len(shape) - child.ndim + m] != 1 for m, n in enumerate(child.shape)
        ):
            if not self.is_final:
                return [self.computed(child, own)]
            return [self.access(_compute(child, None, None), own, shape)]
        return self.sum(child, own)

    def function(self, e: Expr, index: "list[str]") -> "list[Term]":
        kind, args = e._kind, e._args
        parts = [self.part(a, e.shape, index) for a in args]
        if e._options:
            raise _TooLarge
        if kind in _SUMS:
            terms = parts[0] + [t._replace(scale=_SUMS[kind] * t.scale) for t in parts[1]]
        elif kind is np.negative:
            terms = [t._replace(scale=-t.scale) for t in parts[0]]
        elif kind is np.multiply:
            terms = self.times(*parts)
        elif (
            kind is np.true_divide
            and len(parts[1]) == 1
            and not parts[1][0].factors
            and _is_power_of_two(parts[1][0].scale)
        ):
            terms = [t._replace(scale=t.scale / parts[1][0].scale) for t in parts[0]]
        elif kind in _NAMES and e.dtype.kind == "f" and args[0].dtype == e.dtype:
            terms = [self.call(_NAMES[kind], parts[0], index)]
        else:
            raise _TooLarge
        if len(terms) > _MAX_TERMS:
            raise _TooLarge
        return terms

    def call(self, name: str, terms: "list[Term]", index: "list[str]") -> Term:
        """A function of a sum without summed variables."""
        texts = []
        variables: "frozenset[str]" = frozenset()
        for t in terms:
            if t.variables - set(index):
                raise _TooLarge
            variables |= t.variables
            factors = list(t.factors)
            if t.scale != 1 or not factors:
                factors.insert(0, self.operand(np.asarray(t.scale)))
            texts.append("*".join(factors))
        keeps = all(t.nsparse for t in terms) and name in _KEEP_ZERO
        stored = frozenset.intersection(*[t.stored for t in terms]) if keeps else frozenset()
        return Term(
            1,
            ("%s(%s)" % (name, " + ".join(texts)),),
            variables,
            stored,
            sum(t.nsparse for t in terms) if keeps else 0,
        )

    def times(self, first: "list[Term]", second: "list[Term]") -> "list[Term]":
        if len(first) > 1 < len(second) or len(first) * len(second) > _MAX_TERMS:
            raise _TooLarge  # (a - m)*(a - m) as a*a - a*m - m*a + m*m would lose the digits that cancel
        return [
            Term(a.scale * b.scale, a.factors + b.factors, a.variables | b.variables, a.stored | b.stored, a.nsparse + b.nsparse)
            for a in first for b in second
        ]  # fmt: skip

    def format(self) -> Any:
        """The format of the result, where the rule of the library would make it dense although it
        has entries only where an operand
        has."""
        names = set(self.index)
        if len(self.index) < 2 or not all(t.stored >= names for t in self.terms):
            return "dense"
        if any(f.count("(") > 1 for t in self.terms for f in t.factors):  # a function of operands
            return _entries.fitting_format(None, len(self.index))
        if len(self.terms) > 1 or max(t.nsparse for t in self.terms) > 1:
            return None
        access = "(%s)" % ",".join(self.index)
        for name, obj in zip(self.names, self.operands):
            if isinstance(obj, Tensor) and any(f == name + access for f in self.terms[0].factors):
                return obj._format
        return _entries.fitting_format(None, len(self.index))

    def kernel(self, format: Any) -> "tuple[Any, list[Any]]":
        dtype = self.expr.dtype
        if (
            dtype == np.bool_
            or dtype.kind not in "iufc"
            or dtype == np.float16
        ):
            raise _TooLarge
        operands = [
            o if isinstance(o, Tensor) or np.ndim(o) else np.asarray(o, dtype)
            for o in self.operands
        ]
        text = str(format if format is not None else self.format() or "")
        return _cached("kernel_new", self.text, text or None, dtype.str), [
            operands[n] for n in _first_use(self.text, self.names)
        ]


_KEEP_ZERO = {"sqrt", "square", "abs", "cbrt", "expm1", "log1p", "sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh",
              "floor", "ceil", "round", "sign"}  # fmt: skip


def _first_use(text: str, names: "list[str]") -> "list[int]":
    right = text.split(" = ", 1)[1]
    order: "list[int]" = []
    for word in re.findall(r"[A-Za-z_]\w*", right):
        if word in names and names.index(word) not in order:
            order.append(names.index(word))
    return order


def _is_power_of_two(scale: Any) -> bool:
    """Whether a factor 1 / scale gives the same values as the division."""
    return np.asarray(scale).dtype.kind in "iuf" and abs(np.frexp(scale)[0]) == 0.5


def _counted(term: Term, summed: "list[tuple[str, int]]") -> Term:
    """The term after a sum over variables: one that it does not have adds it so often."""
    for v, n in summed:
        if v not in term.variables:
            term = term._replace(scale=term.scale * n if n else 0)  # of no cells: 0, also of NaN
    return term


# ---- running ----


def _compute(e: Expr, format: Any, nthreads: "int | None") -> Any:
    if e._kind == "leaf":
        made = e._args[0]
        return made.convert(format) if format is not None and isinstance(made, Tensor) else made
    try:
        kernel, operands = Statement(e).kernel(format)
    except _TooLarge:
        return _step(e, format, nthreads)
    if not any(isinstance(o, Tensor) for o in operands):
        return _step(e, format, nthreads)
    return kernel(*operands, nthreads=nthreads)


def _step(e: Expr, format: Any, nthreads: "int | None") -> Any:
    """One node on its own, of computed operands."""
    args = [a._made if a._made is not None else _compute(a, None, nthreads) for a in e._args]
    if e._kind == "transpose":
        made = args[0].transpose(e._options)
    elif e._kind == "sum":
        made = args[0].sum(axis=e._options)
    elif e._kind == "product":
        made = matmul(*args) if any(isinstance(a, Tensor) for a in args) else args[0] @ args[1]
    else:
        made = _entries.elementwise(e._kind, [_entries.plain(a) for a in args], e._options)
    return made.convert(format) if format is not None and isinstance(made, Tensor) else made
