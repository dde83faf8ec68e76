"""Transformations of tconv compared with NumPy on the full tensor: each kind alone, and random chains. transform.py [SEED]."""
import os
import random
import sys

from checks import end, expect, own_folder, run, skip

try:
    import numpy as np
except ImportError:
    skip("no numpy")


def write(path, a, rng, extra=0):
    """The non-zeros of a in any order, some zeros spelt out, and `extra` entries split in two that sum to the right value."""
    lines = [(at, int(a[at])) for at in np.ndindex(a.shape) if a[at] or rng.random() < 0.05]
    for _ in range(extra if lines else 0):
        i = rng.randrange(len(lines))
        at, value = lines[i]
        part = rng.randrange(-3, 4)
        lines[i] = (at, value - part)
        lines.append((at, part))
    rng.shuffle(lines)
    with open(path, "w") as f:
        for at, value in lines:
            f.write(" ".join(str(i + 1) for i in at) + " %d\n" % value)
    return len(lines)


def read(text, shape):
    a = np.zeros(shape, dtype=np.int64)
    lines = text.splitlines()
    for line in lines[3:] if text.startswith("#") else lines:
        *at, value = line.split()
        a[tuple(int(i) - 1 for i in at)] += int(value)
    return a


def random_tensor(rng, shape):
    a = np.array([rng.randrange(-9, 10) if rng.random() < 0.3 else 0 for _ in range(int(np.prod(shape)))], dtype=np.int64)
    return a.reshape(shape)


# Each makes (option, what NumPy makes of it) for a tensor, or None where it does not apply.
def transpose(rng, a, folder):
    perm = rng.sample(range(a.ndim), a.ndim)
    said = [p - a.ndim if rng.random() < 0.2 else p for p in perm]
    return "--transpose=" + ",".join(map(str, said)), a.transpose(perm)


def slice_(rng, a, folder):
    words, key = [], []
    count, last = rng.randrange(1, a.ndim + 1), rng.random() < 0.2
    if last:
        words.append("...")
        key.append(Ellipsis)
    for n in a.shape[-count:] if last else a.shape[:count]:
        kind = rng.random()
        if kind < 0.2 and a.ndim > 1 and n > 0 and sum(isinstance(k, int) for k in key) < a.ndim - 1:
            i = rng.randrange(-n, n)
            words.append(str(i))
            key.append(i)
        elif kind < 0.4:
            words.append(":")
            key.append(slice(None))
        else:
            start, stop = (None if rng.random() < 0.3 else rng.randrange(-n - 2, n + 3) for _ in range(2))
            step = rng.choice([None, 1, 2, 3, -1, -2])
            words.append(":".join("" if v is None else str(v) for v in (start, stop)) + ("" if step is None else ":%d" % step))
            key.append(slice(start, stop, step))
    if not last and rng.random() < 0.2:
        words.append("...")
    return "--slice=" + ",".join(words), a[tuple(key)]


def reverse(rng, a, folder):
    modes = rng.sample(range(a.ndim), rng.randrange(1, a.ndim + 1))
    return "--reverse=" + ",".join(map(str, modes)), np.flip(a, modes)


def pad(rng, a, folder):
    widths = [(rng.randrange(0, 3), rng.randrange(0, 3)) for _ in a.shape]
    if rng.random() < 0.2:
        return "--pad=%d" % widths[0][0], np.pad(a, widths[0][0])
    if rng.random() < 0.2:  # cells between neighbours, and cutting off
        out = a
        words = []
        for axis, n in enumerate(a.shape):
            low, high, between = rng.randrange(-1, 3), rng.randrange(-1, 3), rng.randrange(0, 3)
            size = max(0, n + (n - 1) * between)
            if low + high + size < 0 or n == 0:
                low = high = between = 0
                size = n
            shape = list(out.shape)
            shape[axis] = size
            wide = np.zeros(shape, dtype=np.int64)
            wide[(slice(None),) * axis + (slice(None, None, between + 1),)] = out
            wide = np.pad(wide, [(max(low, 0), max(high, 0)) if k == axis else (0, 0) for k in range(a.ndim)])
            cut = slice(max(-low, 0), wide.shape[axis] - max(-high, 0))
            out = wide[(slice(None),) * axis + (cut,)]
            words.append("%d:%d:%d" % (low, high, between))
        return "--pad=" + ",".join(words), out
    return "--pad=" + ",".join("%d:%d" % w for w in widths), np.pad(a, widths)


def reshape(rng, a, folder):
    if a.size == 0:
        return None
    left, dims = a.size, []
    while left > 1 and len(dims) < 4:
        d = rng.choice([d for d in range(1, left + 1) if left % d == 0])
        dims.append(d)
        left //= d
    dims.append(left)
    rng.shuffle(dims)
    said = list(dims)
    if rng.random() < 0.3:
        said[rng.randrange(len(said))] = -1
    return "--reshape=" + ",".join(map(str, said)), a.reshape(dims)


def unfold(rng, a, folder):
    rows = rng.sample(range(a.ndim), rng.randrange(1, a.ndim + 1))
    rest = [m for m in range(a.ndim) if m not in rows]
    n = int(np.prod([a.shape[m] for m in rows]))
    return "--unfold=" + ",".join(map(str, rows)), a.transpose(rows + rest).reshape(n, int(np.prod([a.shape[m] for m in rest])))


def reduce_(rng, a, folder):
    if a.ndim < 2:
        return None
    modes = rng.sample(range(a.ndim), rng.randrange(1, a.ndim))
    name = rng.choice(["sum", "sum", "min", "max"])
    if name != "sum" and 0 in a.shape:
        return None
    return "--reduce=%s:" % name + ",".join(map(str, modes)), getattr(a, name)(axis=tuple(modes))


def permute(rng, a, folder):
    mode = rng.randrange(a.ndim)
    perm = rng.sample(range(a.shape[mode]), a.shape[mode])
    path = os.path.join(folder, "perm%d" % rng.randrange(10 ** 9))
    with open(path, "w") as f:
        f.write("".join("%d\n" % p for p in perm))
    return "--permute-by=%s:%d" % (path, mode), a.take(perm, axis=mode)


def concat(rng, a, folder):
    if 0 in a.shape:
        return None
    axis = rng.randrange(a.ndim)
    shape = list(a.shape)
    shape[axis] = rng.randrange(1, 4)
    other = random_tensor(rng, shape)
    other[tuple(n - 1 for n in shape)] = 7  # so that the text tells the shape
    path = os.path.join(folder, "other%d.tns" % rng.randrange(10 ** 9))
    write(path, other, rng)
    return "--concat=%s,%d" % (path, axis), np.concatenate([a, other], axis)


def any_map(rng, a, folder):
    if a.ndim < 2 or 0 in a.shape:
        return None
    names = ["d%d" % m for m in range(a.ndim)]
    i, j = rng.sample(range(a.ndim), 2)
    kind = rng.randrange(3)
    at = np.argwhere(np.ones(a.shape, bool))
    if kind == 0:  # a sum meets itself
        words, cols = [names[i] + " + " + names[j]] + names[1:], [at[:, i] + at[:, j]] + [at[:, m] for m in range(1, a.ndim)]
        domain, keep = "", np.ones(len(at), bool)
    elif kind == 1:  # blocks
        words = ["%s floordiv 2" % names[i], "%s mod 2" % names[i]] + [n for n in names if n != names[i]]
        cols = [at[:, i] // 2, at[:, i] % 2] + [at[:, m] for m in range(a.ndim) if m != i]
        domain, keep = "", np.ones(len(at), bool)
    else:  # a band
        words, cols = names, [at[:, m] for m in range(a.ndim)]
        keep = (at[:, i] - at[:, j] >= -1) & (at[:, i] - at[:, j] <= 1)
        domain = ", domain: %s - %s in [-1, 1]" % (names[i], names[j])
    out = np.zeros([int(c.max()) + 1 for c in cols], dtype=np.int64)
    np.add.at(out, tuple(c[keep] for c in cols), a[tuple(at[keep].T)])
    return "--map=(%s) -> (%s)%s" % (", ".join(names), ", ".join(words), domain), out


kinds = [transpose, slice_, reverse, pad, reshape, unfold, reduce_, permute, concat, any_map]


def case(rng, folder, first):
    shape = [rng.randrange(1, 7) for _ in range(rng.randrange(1, 5))]
    a = random_tensor(rng, shape)
    source, packed = os.path.join(folder, "in.tns"), os.path.join(folder, "in.h5")
    options, b = [], a
    for k in range(1 if first else rng.randrange(2, 7)):
        made = (first if first and k == 0 else rng.choice(kinds))(rng, b, folder)
        if made and made[1].size < 5000 and 0 < made[1].ndim <= 10:
            options.append(made[0])
            b = made[1]
    if not write(source, a, rng, extra=rng.randrange(4)) or not options:
        return
    reading = ["--dims=" + ",".join(map(str, shape)), "--type=i64"]
    if rng.random() < 0.3:
        form = rng.choice(["coo", "csf", "d" * len(shape)])
        code, _, said = run("tconv", source, "-o", packed, "--format=" + form, *reading)
        assert code == 0, said
        source, reading = packed, []
    how = rng.choice([["--to=tns"], ["--to=tns", "--format=coo"], ["--to=tns", "--format=" + "d" * b.ndim]])
    command = ["tconv", source, "-o", "-", "-j%d" % rng.randrange(1, 4)] + how + reading + options
    code, out, said = run(*command)
    dims = " x ".join(map(str, b.shape))
    well = code == 0 and (" -> " + dims + ",") in said
    got = read(out, b.shape) if well else None
    expect(command, well and (got == b).all(), "%s; expected dims %s\ngot\n%s\nexpected\n%s\nfrom\n%s" % (said, dims, got, b, a))


rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
folder = own_folder()
for kind in kinds:
    for _ in range(6):
        case(rng, folder, kind)
for _ in range(80):
    case(rng, folder, None)
end(least=100)
