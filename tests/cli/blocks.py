"""Tensors of one blocked format, merged where they are stored, against the same statement over copies in sorted levels, which a schedule
item about a loop asks for. Values are zeros (absent in blocks), infinities and NaN, too; blocks do not divide the sizes.

    blocks.py [FIRST LAST] [compiled]

A round depends on its number alone."""
import random
import sys

from checks import end, expect, own_folder, run

formats = ["bcsr(%d,%d)", "bcsrc(%d,%d)", "bcsc(%d,%d)", "bcscc(%d,%d)", "dbcsr(%d,%d)", "dbcsc(%d,%d)", "bdia(%d)", "crow", "ccol"]
elementwise = ["C(i,j) = A(i,j) + B(i,j)", "C(i,j) = A(i,j)*B(i,j)", "C(i,j) = 2*A(i,j) - B(i,j)*A(i,j)/3", "C(i,j) = A(i,j)/B(i,j)",
               "C(i,j) = A(i,j)*B(i,j) + B(i,j) - A(i,j)", "C = A(i,j)*B(i,j)", "C(i,j) = -A(i,j)*B(i,j)*s", "C(i,j) = (A(i,j) - B(i,j))*A(i,j)"]


def write(name, rng, dims, values):
    cells = [(i, j) for i in range(dims[0]) for j in range(dims[1])]
    stored = sorted(rng.sample(cells, int(len(cells) * rng.choice([0, 0.05, 0.3, 0.9]))))
    with open(name, "w") as f:
        f.write("%%MatrixMarket matrix coordinate real general\n%d %d %d\n" % (*dims, len(stored)))
        for i, j in stored:
            f.write("%d %d %s\n" % (i + 1, j + 1, rng.choice(values)))


def entries(text):
    """The entries that are not zero."""
    rows = [line.split() for line in text.split("\n") if line and not line.startswith("%")]
    return {tuple(row[:-1]): float(row[-1]) for row in rows[1:] if float(row[-1]) != 0}


def near(x, y):
    return x == y or (x != x and y != y) or abs(x - y) <= 1e-5 * (1 + abs(x) + abs(y))


def equal(a, b):
    return all(near(a.get(cell, 0.0), b.get(cell, 0.0)) for cell in set(a) | set(b))


def round_(number, compiled):
    rng = random.Random(number)
    dims = (rng.randint(1, 23), rng.randint(1, 23))
    expression, stored_as = rng.choice(elementwise), rng.choice(formats)
    stored_as %= tuple(rng.randint(1, 5) for _ in range(stored_as.count("%d")))
    kind = rng.choice(["f64", "f64", "f32", "i32"])
    values = ["1", "-2", "3", "0"] + (["0.5", "inf", "-inf", "nan"] if kind != "i32" and rng.random() < 0.5 else [])
    command = ["tkern", expression, "-j%d" % rng.choice([1, 2, 3, 7]), "--type=" + kind, "-q",
               "--engine=" + ("jit" if compiled else "interpreter")]
    for name in "ABC":
        if name == "C" and "C =" in expression:
            continue
        if name + "(" not in expression:
            continue
        command += ["-f", "%s:%s" % (name, stored_as)]
        if name != "C":
            write(name + ".mtx", rng, dims, values)
            command += ["-i", "%s:%s.mtx" % (name, name)]
    if "*s" in expression:
        command += ["--scalar=s=3"]
    text = "round %d: %s\n  " % (number, " ".join(command))
    plan = run(*command, "--emit=plan")[1]
    expect(text, "in storage coordinates" in plan, "the plan converts an operand:\n" + plan)
    if "C =" in expression:
        code, out, said = run(*[x for x in command if x != "-q"], "--check")
        expect(text, code == 0 and out.count(": equal,") + out.count(": 0 of 1 values differ") == 2, out + said)
        return
    code, there, said = run(*command, "--to=mtx", "-o", "C:-")
    expect(text, code == 0, said)
    over = run(*command, "--schedule=literal(i)", "--to=mtx", "-o", "C:-")
    expect(text, over[0] == 0 and equal(entries(there), entries(over[1])), "%r\n  over copies %r" % (entries(there), entries(over[1])))


own_folder()
arguments = [a for a in sys.argv[1:] if a != "compiled"]
is_compiled = "compiled" in sys.argv
first, last = map(int, arguments) if arguments else (1, 8 if is_compiled else 80)
for each in range(first, last + 1):
    round_(each, is_compiled)
end()
