"""Who keeps memory alive, and until when."""
import gc
import weakref

import numpy as np
import pytest

import tessera as ts


def gone(*references):
    gc.collect()
    return [r() is None for r in references]


def test_borrowed_memory_lives_as_long_as_the_tensor():
    pos, crd, values = np.array([0, 1, 3]), np.array([1, 0, 2]), np.array([1.0, 2, 3])
    references = [weakref.ref(a) for a in (pos, crd, values)]
    T = ts.from_arrays("csr", (2, 3), [pos, crd, values])
    del pos, crd, values
    assert gone(*references) == [False] * 3
    assert T.todense().tolist() == [[0, 1, 0], [2, 0, 3]]
    for make in (lambda: T.T, lambda: T.to_scipy() if scipy_there() else T.T, lambda: T.values, lambda: T.levels):
        made = make()
        del made
    del T, make
    assert gone(*references) == [True] * 3


def scipy_there():
    try:
        import scipy.sparse  # noqa: F401
    except ImportError:
        return False
    return True


def test_views_keep_the_memory():
    dense = np.array([[1.0, 0], [0, 2]])
    reference = weakref.ref(dense)
    T = ts.tensor(dense)
    view = T.values
    del dense, T
    assert gone(reference) == [False]
    view[0] = 5
    assert reference()[0, 0] == 5
    del view
    assert gone(reference) == [True]


def test_views_keep_an_own_tensor():
    T = ts.convert(np.diag(np.arange(1.0, 2001)), "csr")
    handle = weakref.ref(T._handle)
    values, crd, transposed = T.values, T.levels[1].crd, T.T
    part = values[10:20]
    del T, values
    assert gone(handle) == [False] and part.tolist() == list(range(11, 21)) and crd[5] == 5
    del part, crd
    assert gone(handle) == [False] and transposed.values[3] == 4
    del transposed
    assert gone(handle) == [True]


def test_scipy_keeps_the_tensor():
    pytest.importorskip("scipy.sparse")
    T = ts.convert(np.eye(100), "csr")
    handle = weakref.ref(T._handle)
    S = T.to_scipy()
    del T
    assert gone(handle) == [False] and S.sum() == 100
    data = S.data
    del S
    assert gone(handle) == [False] and data.sum() == 100
    del data
    assert gone(handle) == [True]


def test_kernels_do_not_keep_operands():
    """A kernel remembers shapes, not tensors; a bound operand lives as long as the kernel."""
    k = ts.kernel("y(i) = A(i,j)*x(j)")
    T, x = ts.convert(np.eye(3), "csr"), np.array([1.0, 2, 3])
    references = [weakref.ref(T), weakref.ref(T._handle), weakref.ref(x)]
    for again in range(3):
        assert k(A=T, x=x).tolist() == [1, 2, 3]
        assert k(A=T, x=np.array(x)).tolist() == [1, 2, 3]
    y = k(A=T, x=x)
    del T, x
    assert gone(*references) == [True] * 3 and y.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="does not exist any more"):
        k.c_source
    T = ts.convert(np.eye(3), "csr")
    bound = ts.kernel("y(i) = A(i,j)*x(j)", A=T)
    reference = weakref.ref(T)
    del T
    assert gone(reference) == [False] and bound(x=np.ones(3)).tolist() == [1, 1, 1]
    del bound
    assert gone(reference) == [True]


def test_results_are_new_each_time():
    A, x = ts.convert(np.eye(3), "csr"), np.ones(3)
    k = ts.kernel("y(i) = A(i,j)*x(j)", A=A)
    results = [k(x=i * x) for i in range(4)]
    assert [r.tolist() for r in results] == [[float(i)] * 3 for i in range(4)]
    assert results[3].flags.writeable and results[3].flags.c_contiguous


def test_no_leak():
    """Memory stays level over many objects."""
    import resource

    dense = np.random.default_rng(1).random((100, 100))

    def work(n):
        k = ts.kernel("y(i) = A(i,j)*x(j)")
        for _ in range(n):
            T = ts.convert(dense, "csr")
            T.T.values
            T.levels
            k(A=T, x=dense[0])
            k(A=T, x=dense[0].copy())
            with pytest.raises(ts.TesseraError):
                T.convert("nonsense")
            for _ in range(10):
                ts.formats()  # texts of the library, 2 kB each and more

    assert len(str(ts.formats())) > 2000
    work(50)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(700)  # 700 tensors of 120 kB would take 84 MB, 7000 texts 14 MB and more
    gc.collect()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 12000


def test_arrays_that_the_library_completes():
    """A borrowed coo has positions of the library's: a tensor of its arrays used them after they were freed."""
    sp = pytest.importorskip("scipy.sparse", reason="python3-scipy is not installed")
    wanted = np.arange(1.0, 4001)
    made = []
    for _ in range(50):
        coo = sp.coo_array((wanted.copy(), (np.arange(4000), np.arange(4000))), shape=(4000, 4000))
        T = ts.tensor(coo)
        made += [T * 2, T.T * 2, T.T.with_labels(None, None), ts.convert(np.diag([1.0, 2.0]), "csr")[1] * 2]
        del T
    gc.collect()
    for t in made:
        t.check()
    assert np.array_equal(made[0].values, 2 * wanted) and made[3].todense()[1] == 4


def test_a_transposed_matrix_is_made_once():
    """It keeps the arrays alive, not the tensor that it was made of: neither waits for the collector of circles."""
    A = ts.convert([[1.0, 0], [2, 3]], "csr")
    assert A.T is A.T and A.T.T is A and A.T.format == "csc"
    first, turned = weakref.ref(A), A.T
    del A
    assert first() is None
    assert turned.T.todense().tolist() == [[1, 0], [2, 3]]
    turned.T.values[0] = 5
    assert turned.todense()[0, 0] == 5
    second = weakref.ref(turned)
    del turned
    assert second() is None
