"""Which format serves a kernel."""
import numpy as np
import pytest

import tessera as ts


def band(n=3000, width=5):
    i = np.repeat(np.arange(n), width)
    j = np.clip(i + np.tile(np.arange(width) - width // 2, n), 0, n - 1)
    i, j = np.unique(np.stack([i, j]), axis=1)
    return ts.from_coords([i, j], np.ones(len(i)), shape=(n, n), format="csr")


def test_advice_explains_itself():
    A = band()
    a = ts.advise(A, "spmv", runs=1e6)
    assert a.format == a["chosen"] and a.format in str(a) and a["sentence"] in str(a)
    rows = {row["format"]: row for row in a["rows"]}
    assert rows["csr"]["pack_ns"] == 0 and rows["csc"]["pack_ns"] > 0
    for row in a["rows"]:
        assert row["run_ns"] == pytest.approx(sum(t["ns"] for t in row["terms"].values()), rel=1e-6)
    assert rows["csr"]["bytes"] == A.nbytes
    assert ts.advise(A, "y(j) = A(i,j) * x(i)", runs=5, formats="csr csc")["rows"][0]["format"] in ("csr", "csc")


def test_convert_takes_the_advice():
    A = band()
    B = A.convert("auto", kernel="spmv", runs=1e6)
    assert B.format == ts.advise(A, "spmv", runs=1e6).format
    assert np.array_equal(B.todense(), A.todense())
    assert A.convert("auto", kernel="spmv").format == "csr"  # a tensor so small does not pay for packing within 10 runs


def test_wrong_questions():
    A = band(20)
    with pytest.raises(ValueError, match="go together"):
        A.convert("auto")
    with pytest.raises(ValueError, match="go together"):
        A.convert("csr", kernel="spmv")
    with pytest.raises(ts.ArgumentError, match="spmv"):
        ts.advise(A, "spvm")
    with pytest.raises(ts.UnsupportedError, match="does not have 2 modes"):
        ts.advise(A, "A(i) = B(i,j,k) * c(j) * d(k)")
