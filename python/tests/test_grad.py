"""Gradients of expressions, beside differences of their values."""
import os
import random
import textwrap

import numpy as np
import pytest

import tessera as ts

SIZE = {"i": 4, "j": 3, "k": 3}
MODES = {"A": "ij", "B": "jk", "X": "ik", "x": "j", "b": "i", "p": ""}
FORMATS = {2: ["csr", "csr", "csc", "coo", "dense"], 1: ["dense"], 0: ["dense"]}
SMOOTH = ["exp(-{0})", "sin({0})", "cos({0})", "tanh({0})", "atan({0})", "square({0})", "cube({0})", "abs({0})", "min({0}, {1})", "max({0}, {1})",
          "hypot({0} + 3, {1})", "sinh({0}/9)", "erf({0})", "log1p(abs({0}))", "sqrt(square({0}) + 1)", "pow(square({0}) + 1, {1}/5)", "expm1(-abs({0}))"]


def access(name, modes=MODES):
    return name + "(%s)" % ",".join(modes[name]) * bool(modes[name])


def expression(rng, depth, modes=MODES, letters="AAABXxbp"):
    if depth == 0:
        return access(rng.choice(letters), modes)
    x = rng.random()
    a, b = expression(rng, depth - 1, modes, letters), expression(rng, depth - 1, modes, letters)
    if x < 0.4:
        return "%s*%s" % (a, b)
    if x < 0.6:
        return "(%s %s %s)" % (a, rng.choice("+-"), b)
    if x < 0.72:
        return "(%s > %s ? %s : %s)" % (expression(rng, 0, modes, letters), expression(rng, 0, modes, letters), a, b)
    return "%s/(square(p) + 1)" % a if x < 0.76 else rng.choice(SMOOTH).format(a, b)


def statement(rng, name="r", modes=MODES, right=None):
    right = right or expression(rng, rng.choice([1, 2, 2, 3]))
    used = [v for v in "ijk" if any(v in modes[n] and n + "(" in right for n in modes)]
    left = rng.sample(used, min(len(used), rng.choice([0, 0, 1, 2])))
    how = rng.choice(["="] * 6 + (["max=", "min="] * (modes is MODES) + ["top(2)="]) * bool(left and name == "r"))
    return "%s %s %s" % (access(name, {name: left}), how, right), left


def program(rng):
    """Several statements, of which each reads results before it."""
    modes, unread, texts = dict(MODES), [], []
    for name in "TUV"[: rng.choice([1, 1, 2, 3])] + "r":
        right = expression(rng, rng.choice([1, 1, 2]), modes, "AAABXxbp" + "".join(unread) * 3)
        for made in unread:
            if access(made, modes) not in right and (name == "r" or rng.random() < 0.5):
                right += rng.choice(["*", " + "]) + access(made, modes)
        text, left = statement(rng, name, modes, right)
        modes[name] = "".join(left)
        unread = [made for made in unread if access(made, modes) not in right] + [name]
        texts.append(text)
    return "; ".join(texts)


def operand(rng, name):
    values = np.random.default_rng(rng.randint(0, 1 << 30))
    x = values.uniform(0.4, 1.6, [SIZE[v] for v in MODES[name]])
    return x * (values.random(x.shape) < 0.7) if x.ndim == 2 else x


def as_array(x):
    return np.asarray(x.todense() if isinstance(x, ts.Tensor) else x, dtype=float)


def check(text, rng):
    """Whether there was a gradient to compare."""
    with_top = "top(" in text
    value = ts.kernel(text, engine="interpreter", format=None if with_top else "dense")
    plain = {name: operand(rng, name) for name in value.names}
    formats = {name: rng.choice(FORMATS[x.ndim]) for name, x in plain.items()}

    def given(arrays):
        return {n: ts.convert(x, formats[n]) if formats[n] != "dense" else float(x) if x.ndim == 0 else x for n, x in arrays.items()}

    seed = np.random.default_rng(7).random(np.shape(as_array(value(**given(plain)))))
    for name in value.names:
        try:
            way = ts.grad(text, name, engine="interpreter")
        except ts.UnsupportedError as error:
            assert "its gradient is 0" in str(error)
            continue
        got = way(**given(plain), cotangent=seed if seed.ndim else float(seed))
        if formats[name] != "dense":
            assert got.format == ts.Format(formats[name], 2) or str(got.format) == formats[name]
        stored = plain[name] != 0
        step = 1e-5 * np.random.default_rng(3).choice([-1.0, 1.0], np.shape(plain[name])) * stored
        ends = []
        for sign in (1, -1):
            moved = dict(plain, **{name: plain[name] + sign * step})
            result = as_array(value(**given(moved)))
            ends.append((np.where(np.isfinite(result), result, 0) * seed).sum())
        wanted, found = (ends[0] - ends[1]) / 2, (as_array(got) * step).sum()
        scale = 1e-5 * max(1, np.abs(as_array(got)).sum())
        assert abs(wanted - found) <= 1e-4 * scale, (text, name, way.statements, wanted, found, formats)


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_random_statements(first):
    for number in range(first, first + 50):
        rng = random.Random(number)
        check(statement(rng)[0], rng)


@pytest.mark.parametrize("first", range(0, 100, 50))
def test_random_programs(first):
    for number in range(first, first + 50):
        rng = random.Random(number)
        check(program(rng), rng)


def test_formats_and_values():
    a = ts.convert(np.array([[1.0, 0, 2], [0, 3, 0]]), "csr")
    x = np.array([1.0, 2, 3])
    value, (da, dx) = ts.value_and_grad("y(i) = A(i,j)*x(j)", ["A", "x"])(a, x, cotangent=np.array([1.0, 10]))
    assert np.array_equal(value, [7, 6]) and da.format == "csr" and np.array_equal(da.todense(), [[1, 0, 3], [0, 20, 0]])
    assert np.array_equal(dx, [1, 30, 2])
    assert ts.grad("a = x(i)*x(i)")(x)[0].tolist() == [2, 4, 6]
    value, dp = ts.value_and_grad("a = p*p", "p")(3.0)
    assert value == 9 and dp == 6
    gradient = ts.grad("G(i,j) = A(i,k)*A(j,k)", "A")
    assert gradient.statements["A"].count(";") == 2
    assert np.allclose(gradient(a, cotangent=np.eye(2)).todense(), 2 * a.todense())
    value, dx = ts.value_and_grad("T(i) = A(i,j)*x(j); y = T(i)*T(i)", "x")(a, x)
    assert value == 85 and np.array_equal(dx, 2 * a.todense().T @ (a @ x))


@pytest.mark.parametrize("text,name,words", [
    ("y(i) = A(i,j)*x(j)", "z", "not an operand"), ("y *= x(j)", "x", "not known"), ("y(i) = x(i)*dx(i)", "x", "'dx' is a name"),
    ("y(i) = floor(x(i))", "x", "is 0"), ("T(i) = x(i); y *= T(i)", "x", "not known"), ("T(i) = floor(x(i)); y = T(i)", "x", "is 0"), ("y(i) = x(i(0,2))", "x", "window"),
    ("y(i) = mod(2, x(i))", "x", "derivative of mod"),
])  # fmt: skip
def test_refusals(text, name, words):
    with pytest.raises(ts.TesseraError, match=words):
        ts.grad(text, name)


def test_a_result_with_modes_needs_a_cotangent():
    with pytest.raises(ValueError, match="cotangent"):
        ts.grad("y(i) = 2*x(i)", "x")(np.ones(3))


def test_torch():
    """The class of docs/howto/gradients.md, as it stands there, where PyTorch is installed."""
    torch = pytest.importorskip("torch")
    page = os.path.join(os.path.dirname(__file__), "../../docs/howto/gradients.md")
    with open(page, encoding="utf-8") as f:
        text = f.read()
    lines = text[text.index("    class Multiply") : text.index("The coordinates must")]
    names = {"torch": torch, "ts": ts}
    exec(textwrap.dedent(lines), names)
    crd = np.array([[0, 1, 1, 3], [2, 0, 1, 1]])
    values = torch.rand(4, dtype=torch.float64, requires_grad=True)
    x = torch.rand(3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda v, w: names["Multiply"].apply(v, w, crd, (4, 3)), (values, x))
