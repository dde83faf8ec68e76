"""Layouts."""
import itertools
import pickle

import numpy as np
import pytest

import tessera as ts


def test_xla():
    layout = ts.layout("f32[3,5]{1,0:T(2,2)}")
    assert layout.shape == (3, 5) and layout.span == 24 and layout.index(2, 3) == 17
    for i, j in itertools.product(range(3), range(5)):
        assert layout.coord(layout.index(i, j)) == (i, j)
    assert sum(layout.coord(o) is None for o in range(24)) == 9
    for bad in [(3, 0), (-1, 0), (0, 5)]:
        with pytest.raises(IndexError):
            layout.index(*bad)
    for bad in [(1,), (1, 2, 3)]:
        with pytest.raises(TypeError):
            layout.index(*bad)
    with pytest.raises(TypeError):
        layout.index("a", 1)


def test_notations():
    tla = ts.layout("(2,3):(3,1)")
    assert [tla.index(i, j) for i in range(2) for j in range(3)] == list(range(6))
    assert tla == ts.layout("f32[2,3]{1,0}") and tla != ts.layout("(2,3):(1,2)")
    assert ts.layout("(d0, d1) -> (d1, d0)", (2, 3)).index(1, 2) == 5
    assert ts.layout("(4,2):(2,1)").compose("(2,2):(1,4)").index(1, 1) >= 0
    assert "(" in tla.text("map") and tla.text("tla") and str(tla) == "(2,3):(3,1)"
    assert repr(tla) == "tessera.Layout('(2,3):(3,1)')"
    with pytest.raises(ts.TesseraError):
        ts.layout("f32[3,5]{1,0:T(2")


def test_gather_with_numpy():
    layout = ts.layout("f32[4,6]{0,1:T(2,2)}")
    dense = np.arange(24.0).reshape(4, 6)
    memory = np.zeros(layout.span)
    for i, j in itertools.product(range(4), range(6)):
        memory[layout.index(i, j)] = dense[i, j]
    assert sorted(memory) == sorted(dense.ravel())
