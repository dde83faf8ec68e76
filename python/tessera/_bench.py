"""Measuring formats against each other."""
from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._errors import TesseraError
from ._foreign import as_tensor
from ._io import kernels
from ._kernel import Kernel, kernel
from ._tensor import Tensor


def _operands(expression: str, tensor: Tensor, rank: int) -> "tuple[str, dict[str, Any]]":
    """The name of the operand that the tensor takes, and random dense arrays for the others."""
    left, right = expression.split("=", 1)
    terms = re.findall(r"(\w+)\(([\w, ]*)\)", right)
    name, variables = next(((n, v) for n, v in terms if len(v.split(",")) == tensor.ndim), (None, None))
    if name is None or variables is None:
        raise ValueError("%s has no operand of %d modes" % (expression, tensor.ndim))
    size = dict(zip([v.strip() for v in variables.split(",")], tensor.shape))
    random = np.random.default_rng(1)
    others: "dict[str, Any]" = {}
    for other, text in terms:
        if other != name:
            dims = [size.get(v.strip(), rank) for v in text.split(",")] if text.strip() else []
            others[other] = random.standard_normal(dims)
    return name, others


def bench(
    kernel_or_expression: "str | Kernel",
    tensor: Any,
    *,
    formats: "Sequence[Any]" = ("coo", "csr"),
    rank: int = 16,
    nthreads: "int | None" = None,
    nruns: int = 0,
    rounds: int = 3,
    **operands: Any,
) -> "list[dict[str, Any]]":
    """Measure a kernel on one tensor in several storage formats, in turns.

    Parameters
    ----------
    kernel_or_expression : str
        The name of a kernel ("spmv", "mttkrp": see `kernels`), or an expression.
    tensor : Tensor or object of another library
    formats : sequence of formats
    rank : int
        The size of variables that the tensor does not have.
    nruns : int
        Runs of each round; 0: about 0.2 s.
    rounds : int
        How often all formats take their turn.
    **operands
        Operands instead of random ones.

    Returns
    -------
    A list of dicts, one for each format, for pandas.DataFrame: format, nbytes, pack_s, least_s, median_s, gflops, gbytes_per_s,
    speedup (against the first format), check ("equal": the result is that of the first format, with the largest difference), or
    error.
    """
    given = as_tensor(tensor)
    text = kernel_or_expression.expression if isinstance(kernel_or_expression, Kernel) else kernel_or_expression
    if "=" not in text:
        found = next((k for k in kernels() if k["name"] == text), None)
        if found is None:
            raise ValueError("unknown kernel %r (known: %s)" % (text, ", ".join(sorted({k["name"] for k in kernels()}))))
        text = found["expression"]
    name, others = _operands(text, given, rank)
    others.update(operands)
    k = kernel(text)
    rows: "list[dict[str, Any]]" = []
    packed: "list[tuple[dict[str, Any], dict[str, Any]]]" = []
    reference = None
    for format in formats:
        row: "dict[str, Any]" = {"kernel": text, "format": str(format)}
        rows.append(row)
        try:
            begin = time.perf_counter()
            made = given.convert(format, nthreads=nthreads)
            row["pack_s"] = time.perf_counter() - begin
            row["nbytes"] = made.nbytes
            given_now: "dict[str, Any]" = {**others, name: made}
            result = _dense(k(nthreads=nthreads, **given_now))
        except TesseraError as error:
            row["error"] = str(error)
            continue
        reference = result if reference is None else reference
        _check(row, result, reference)
        packed.append((row, given_now))
    _time(packed, k, rounds, nruns, nthreads)
    return rows


def _check(row: "dict[str, Any]", result: Any, reference: Any) -> None:
    difference = float(np.max(np.abs(result - reference), initial=0.0))
    largest = float(np.max(np.abs(reference), initial=0.0))
    row["difference"] = difference
    row["check"] = "equal" if difference <= 1e-10 * max(largest, 1e-300) or difference == 0 else "different"


def _time(packed: "list[tuple[dict[str, Any], dict[str, Any]]]", k: Kernel, rounds: int, nruns: int, nthreads: Any) -> None:
    """Time the kernel with the operands of each row, in turns, and set the times, rates and speed-ups of the rows."""
    for _ in range(rounds):
        for row, given in packed:
            times = k.time(nruns=nruns, nthreads=nthreads, **given)
            row.setdefault("_medians", []).append(times["median_s"])
            row["least_s"] = min(row.get("least_s", times["least_s"]), times["least_s"])
            row["gflops"], row["gbytes_per_s"] = times["flops"] * 1e-9, times["nbytes"] * 1e-9
    first = None
    for row, _ in packed:
        row["median_s"] = float(np.median(row.pop("_medians")))
        row["gflops"] /= row["median_s"]
        row["gbytes_per_s"] /= row["median_s"]
        first = first or row["median_s"]
        row["speedup"] = first / row["median_s"]


def _dense(result: Any) -> "np.ndarray[Any, Any]":
    return result.todense() if isinstance(result, Tensor) else np.asarray(result)
