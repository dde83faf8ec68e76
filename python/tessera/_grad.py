"""Gradients of expressions: statements that the library derives, run as kernels."""
import functools
import re
from typing import Any, Callable, Sequence

import numpy as np

from . import _lib
from ._kernel import Kernel, kernel
from ._lib import C
from ._tensor import Tensor


class Gradient:
    """The function that `grad` and `value_and_grad` return."""

    def __init__(self, expression: str, operands: "str | Sequence[str] | None", engine: str, with_value: bool) -> None:
        self._value = kernel(expression, engine=engine)
        self._engine, self._with_value = engine, with_value
        self._single = isinstance(operands, str)
        self._wanted = (operands,) if isinstance(operands, str) else tuple(self._value.names if operands is None else operands)
        found = re.match(r"\w+", self._value.expression.rsplit("; ", 1)[-1])  # of the last statement
        self._seed = "d" + (found[0] if found else "")
        self.statements = {
            name: _lib.take_text(C.gradient, _lib.encode(expression), _lib.encode(name)) for name in self._wanted
        }  # fmt: skip
        self._made = functools.lru_cache(maxsize=64)(self._make)

    def _make(self, name: str, format: "str | None") -> Kernel:
        return kernel(self.statements[name], format=format, engine=self._engine)

    def __call__(self, *args: Any, cotangent: Any = None, **named: Any) -> Any:
        """The gradients at these operands. cotangent: the derivative of a number with respect to the result, of the shape of the result; 1
        where the result is a number."""
        known = dict(zip(self._value.names, args), **named)
        missing = [name for name in self._value.names if name not in known]
        if missing or len(args) > len(self._value.names):
            raise TypeError("%s takes %s" % (self._value.expression, ", ".join(self._value.names)))
        value = self._value(**known) if self._with_value or cotangent is None else None
        if cotangent is None:
            if np.ndim(value) > 0:
                raise ValueError("the result %s is not a number: give cotangent, of its shape" % self._seed[1:])
            cotangent = 1.0
        known[self._seed] = cotangent
        made = []
        for name in self._wanted:
            obj = known[name]
            format = str(obj.format) if isinstance(obj, Tensor) and np.ndim(obj) > 0 else "dense" if np.ndim(obj) > 0 else None
            run = self._made(name, format)
            made.append(run(**{n: known[n] for n in run.names}))
        out = made[0] if self._single else tuple(made)
        return (value, out) if self._with_value else out


def grad(expression: str, operands: "str | Sequence[str] | None" = None, *, engine: str = "auto") -> "Callable[..., Any]":
    """The gradient of an expression, as a function of the operands.

    >>> import numpy as np, tessera as ts
    >>> x = np.array([1.0, 2.0])
    >>> ts.grad("a = x(i)*x(i)", "x")(x)
    array([2., 4.])

    Parameters
    ----------
    expression : str
        One statement in index notation: docs/notation.md. Its values are real.
    operands : str or sequence of str
        With respect to what; by default to all operands. A name gives one gradient, several give a tuple. The gradient of a sparse
        tensor is a tensor of its format with the entries that it has.
    """
    return Gradient(expression, operands, engine, False)


def value_and_grad(
    expression: str, operands: "str | Sequence[str] | None" = None, *, engine: str = "auto"
) -> "Callable[..., Any]":
    """As `grad`; the function returns the value of the expression, too: (value, gradients)."""
    return Gradient(expression, operands, engine, True)
