"""tessera.test(): whether the installed package works, in some seconds and without other packages
than NumPy."""
from __future__ import annotations

import os
import tempfile

import numpy as np


def run() -> "list[str]":
    """What was checked, in the order of the checks; AssertionError where something is wrong."""
    import tessera as ts

    rng = np.random.default_rng(0)
    cells = (rng.random((20, 30)) < 0.3) * rng.random((20, 30))
    x = rng.random(30)
    A = ts.convert(cells, "csr")
    done = ["version " + ts.__version__]

    def check(name: str, got: object, wanted: object) -> None:
        made = got.todense() if isinstance(got, ts.Tensor) else got
        if not np.allclose(made, wanted):  # type: ignore[arg-type]
            raise AssertionError("tessera.test(): %s is wrong" % name)
        done.append(name)

    for format in ("csc", "coo", "dcsr", "bcsr(2,3)", "ell"):
        check("format " + format, A.convert(format).convert("csr"), cells)
    with tempfile.TemporaryDirectory() as folder:
        for name in (
            "a.mtx",
            "a.tns",
            "a.npz",
            *(["a.h5"] if any(codec.get("name") == "binsparse" for codec in ts.codecs()) else []),
        ):
            A.write(os.path.join(folder, name))
            check("file " + name, ts.read(os.path.join(folder, name)), cells)
    check("kernel y(i) = A(i,j)*x(j)", A @ x, cells @ x)
    check(
        "kernel, interpreted",
        ts.kernel("y(i) = 2*A(i,j)*x(j)", engine="interpreter")(A, x),
        2 * cells @ x,
    )
    check("A @ A.T", A @ A.T, cells @ cells.T)
    check(
        "operators",
        (2 * A + A * A) / 3 - np.sin(A),
        (2 * cells + cells * cells) / 3 - np.sin(cells),
    )
    check("sums", A.sum(axis=0), cells.sum(axis=0))
    check("indices", A[3:17:2, [5, 1]], cells[3:17:2, [5, 1]])
    return done
