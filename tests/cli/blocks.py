"""Tensors of one format (blocks, coordinates, keys, diagonals, bitmaps), merged where they are stored, against the same statement over copies in sorted levels, which a schedule
item about a loop asks for. Values are zeros and -0 (absent in blocks), infinities and NaN, too; blocks do not divide the sizes.

    blocks.py [FIRST LAST] [compiled]

A round depends on its number alone."""
import itertools
import random
import sys

from checks import case_runs, cases_step, end, expect, own_folder, run

matrices = ["bcsr(%d,%d)", "bcsrc(%d,%d)", "bcsc(%d,%d)", "bcscc(%d,%d)", "dbcsr(%d,%d)", "dbcsc(%d,%d)", "bdia(%d)", "crow", "ccol",
            "coo", "cooc", "hicoo(%d)", "bcoo(%d,%d)", "dia", "diac", "bitmap", "bytemap", "linear", "alto", "keys(2)", "tcsf(%d)"]
tensors = ["coo", "cooc", "coo:1,2,0", "hicoo(%d)", "suq", "duq:2,0,1", "uqd", "bitmap", "bytemap:2,0,1", "linear", "alto", "keys(4)", "tcsf(%d)"]
elementwise = ["C(i,j) = A(i,j) + B(i,j)", "C(i,j) = A(i,j)*B(i,j)", "C(i,j) = 2*A(i,j) - B(i,j)*A(i,j)/3", "C(i,j) = A(i,j)/B(i,j)",
               "C(i,j) = A(i,j)*B(i,j) + B(i,j) - A(i,j)", "C = A(i,j)*B(i,j)", "C(i,j) = -A(i,j)*B(i,j)*s", "C(i,j) = s*A(i,j) + B(i,j)*s",
               "C(i,j) = (A(i,j) - B(i,j))*A(i,j)"]


def write(name, rng, dims, values):
    cells = list(itertools.product(*map(range, dims)))
    stored = sorted(rng.sample(cells, int(len(cells) * rng.choice([0, 0.05, 0.3, 0.9]))))
    with open(name, "w") as f:
        for cell in stored:
            f.write("%s %s\n" % (" ".join(str(c + 1) for c in cell), rng.choice(values)))


def entries(text):
    """The entries that are not zero."""
    rows = [line.split() for line in text.split("\n") if line and not line.startswith("#")]
    return {tuple(row[:-1]): float(row[-1]) for row in rows if float(row[-1]) != 0}


def near(x, y):
    return x == y or (x != x and y != y) or abs(x - y) <= 1e-5 * (1 + abs(x) + abs(y))


def equal(a, b):
    return all(near(a.get(cell, 0.0), b.get(cell, 0.0)) for cell in set(a) | set(b))


def round_(number, compiled):
    rng = random.Random(number)
    is_matrix = rng.random() < 0.7
    dims = [rng.randint(1, 23 if is_matrix else 9) for _ in range(2 if is_matrix else 3)]
    expression, stored_as = rng.choice(elementwise), rng.choice(matrices if is_matrix else tensors)
    expression = expression if is_matrix else expression.replace("(i,j)", "(i,j,k)")
    if "map" in stored_as:
        expression = expression.replace("C = A", "C(i,j,k) = A" if "k" in expression else "C(i,j) = A")
    stored_as %= tuple(rng.randint(1, 5) for _ in range(stored_as.count("%d")))
    kind = rng.choice(["f64", "f64", "f32", "i32"])
    values = ["1", "-2", "3", "0"] + (["0.5", "-0", "inf", "-inf", "nan"] if kind != "i32" and rng.random() < 0.5 else [])
    command = ["tkern", expression, "-j%d" % rng.choice([1, 2, 3, 7]), "--type=" + kind, "-q",
               "--engine=" + ("jit" if compiled else "interpreter")]
    for name in "ABC":
        if name == "C" and "C =" in expression:
            continue
        if name + "(" not in expression:
            continue
        command += ["-f", "%s:%s" % (name, stored_as)]
        if name != "C":
            write(name + ".tns", rng, dims, values)
            command += ["-i", "%s:%s.tns" % (name, name), "-d", "%s:%s" % (name, ",".join(map(str, dims)))]
    if "*s" in expression:
        command += ["--scalar=s=3"]
    text = "round %d: %s\n  " % (number, " ".join(command))
    plan = run(*command, "--emit=plan")[1]
    expect(text, "in storage coordinates" in plan, "the plan converts an operand:\n" + plan)
    if "C =" in expression:
        code, out, said = run(*[x for x in command if x != "-q"], "--check")
        expect(text, code == 0 and out.count(": equal,") + out.count(": 0 of 1 values differ") == 2, out + said)
        return
    code, there, said = run(*command, "--to=tns", "-o", "C:-")
    expect(text, code == 0, said)
    over = run(*command, "--schedule=literal(i)", "--to=tns", "-o", "C:-")
    expect(text, over[0] == 0 and equal(entries(there), entries(over[1])), "%r\n  over copies %r" % (entries(there), entries(over[1])))


def product(number, compiled):
    """A product of blocked matrices, block by block where blocks are full."""
    rng = random.Random(number)
    rows, inner, columns = (rng.randint(1, 13) for _ in range(3))
    r, k, c = (rng.randint(1, 4) for _ in range(3))
    name = rng.choice(["bcsr", "bcsrc", "dbcsr"])
    tensors = {"A": ((rows, inner), (r, k)), "B": ((inner, columns), (k, c)), "C": ((rows, columns), (r, c))}
    values = ["1", "-2", "3"] + (["0", "-0", "inf", "nan"] if rng.random() < 0.5 else [])
    command = ["tkern", rng.choice(["C(i,j) = A(i,k)*B(k,j)", "C(i,j) = 2*A(i,k)*B(k,j)"]), "-j%d" % rng.choice([1, 2, 3, 7]), "-q",
               "--engine=" + ("jit" if compiled else "interpreter")]
    for each, (dims, block) in tensors.items():
        command += ["-f", "%s:%s(%d,%d)" % (each, name, *block), "-d", "%s:%d,%d" % (each, *dims)]
        if each != "C":
            write(each + ".tns", rng, dims, values)
            command += ["-i", "%s:%s.tns" % (each, each)]
    text = "product %d: %s\n  " % (number, " ".join(command))
    plan = run(*command, "--emit=plan")[1]
    expect(text, ("in storage coordinates" in plan) != ("most products of values of the blocks would be 0" in plan), "the plan does not say why:\n" + plan)
    code, there, said = run(*command, "--to=tns", "-o", "C:-")
    expect(text, code == 0, said)
    over = run(*command, "--schedule=literal(i)", "--to=tns", "-o", "C:-")
    expect(text, over[0] == 0 and equal(entries(there), entries(over[1])), "%r\n  over copies %r" % (entries(there), entries(over[1])))
    return "in storage coordinates" in plan


def last_block(compiled):
    """The block after the last entry was cleared without room for it, where a further coordinate has no entry."""
    for name, text in (("b", "1 1\n2 2\n"), ("c", "1 5\n2 6\n7 8\n"), ("e", "2 3\n")):
        with open(name + ".tns", "w") as f:
            f.write(text)
    command = ["tkern", "a(i) = b(i)*(c(i) - e(i))*b(i)", "-j1", "-q", "--engine=" + ("jit" if compiled else "interpreter"), "-f", "a:bcsf(1)"]
    for name in "bce":
        command += ["-f", name + ":cvec", "-i", "%s:%s.tns" % (name, name), "-d", name + ":7"]
    code, out, said = run(*command, "--to=tns", "-o", "a:-")
    expect("last block", code == 0 and entries(out) == {("1",): 5.0, ("2",): 12.0}, out + said)


def located(compiled):
    """A bitmap beside lists is looked up, and not converted, whatever the statement does."""
    rng = random.Random(1)
    for name in "AB":
        write(name + ".tns", rng, (13, 13), ["1", "-2", "3", "0"])
    statements = ["C(i,j) = A(i,j)*B(i,j)", "C(i,j) = A(i,j) + B(i,j)", "C(i,j) = B(i,j)*!A(i,j)", "C(i,j) = A(i,k)*B(k,j)", "C = A(i,j)*B(i,j)",
                  "C(i) = B(i,j)*A(j,j)"]
    for statement in statements[: 2 if compiled else None]:
        command = ["tkern", statement, "-j3", "-f", "A:" + rng.choice(["bitmap", "bytemap"]), "-f", "B:csr", "--engine=" + ("jit" if compiled else "interpreter")]
        for name in "AB":
            command += ["-i", "%s:%s.tns" % (name, name), "-d", name + ":13,13"]
        plan = run(*command, "--emit=plan")[1]
        expect(statement, "convert A" not in plan, plan)
        code, out, said = run(*command, "--check")
        expect(statement, code == 0 and out.count(": 0 of") == 2, out + said)


def ordered():
    """The rows of a product come in the order of the coordinates of its format, which are then not sorted."""
    for name, first in (("coo", "around all terms: for i"), ("cooc", "around all terms: for j")):
        plan = run("tkern", "C(i,j) = A(i,k)*B(k,j)", "-d", "A:1000,1000", "-d", "B:1000,1000", *["-f%s:%s" % (t, name) for t in "ABC"], "--emit=plan")[1]
        expect(name, first in plan, plan)
    for name in ("crow", "ccol"):  # copies have other levels than the operands, and their products are sums of rows
        plan = run("tkern", "C(i,j) = A(i,k)*B(k,j)", "-d", "A:100,100", "-d", "B:100,100", *["-f%s:%s" % (t, name) for t in "ABC"], "--emit=plan")[1]
        expect(name, "convert A" in plan and "merged in steps" not in plan, plan)


own_folder()
arguments = [a for a in sys.argv[1:] if a != "compiled"]
is_compiled = "compiled" in sys.argv
first, last = map(int, arguments) if arguments else (1, 12 if is_compiled else 150)
for each in range(first, last + 1):
    if case_runs(each):
        round_(each, is_compiled)
last_block(is_compiled)
located(is_compiled)
ordered()
several = [product(each, is_compiled) for each in range(first, last + 1, 3) if case_runs(each // 3)]
expect("products", last - first < 20 or cases_step > 1 or len(set(several)) == 2, "all of them were planned in one way")
end()
