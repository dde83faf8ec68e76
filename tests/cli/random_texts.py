"""C texts of several steps and of several statements: random ones are written by `tkern -o`, compiled alone, called with arrays that are packed here, and
compared with the evaluator of random_model.py.

    random_texts.py                # the rounds of the ordinary test
    random_texts.py FIRST LAST     # these rounds"""
import ctypes
import itertools
import os
import random
import re
import shlex
import sys

import random_programs
import random_statements
from checks import end, expect, own_folder, run
from random_model import Kind
from random_programs import Program
from random_statements import Statement, Tensor

C_TYPE = {"f64": ctypes.c_double, "f32": ctypes.c_float,
          **{s + str(n): getattr(ctypes, "c_%sint%d" % (s.strip("i"), n)) for n in (8, 16, 32, 64) for s in "iu"}}
DECLARED = {"double": ctypes.c_double, "float": ctypes.c_float, "uint8_t": ctypes.c_uint8,
            **{s + "int%d_t" % n: getattr(ctypes, "c_%sint%d" % (s, n)) for n in (8, 16, 32, 64) for s in ("", "u") if (s, n) != ("u", 8)}}
LETTERS = {"csr": "ds", "csc": "ds:1,0", "dcsr": "ss", "dcsc": "ss:1,0", "csf": "s*", "dense": "d*", "densec": "d*", "cvec": "s"}
# the formats that are packed here
stored = {0: [], 1: ["s"], 2: ["csr", "csc", "dcsr", "ss:1,0"], 3: ["csf", "dss", "dss:1,2,0"], 4: ["csf"]}
dense = {0: [], 1: ["dense"], 2: ["dense", "densec"], 3: ["dense"], 4: ["dense"]}

class Output(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("n", ctypes.c_int64)]


def letters(name, order):
    """The letters of the levels, and the mode of each."""
    text = LETTERS.get(name, name).replace("*", "%" * 0)
    kinds, _, modes = text.partition(":")
    if name in ("csf", "dense", "densec"):
        kinds = kinds[0] * order
    order_of = list(map(int, modes.split(","))) if modes else list(range(order))
    return kinds, order_of[::-1] if name == "densec" else order_of


def packed(kinds, modes, dims, entries, zero):
    """The arrays of the levels, by their names behind that of the tensor."""
    arrays, nodes = {}, [()]
    cells = sorted(tuple(cell[m] for m in modes) for cell in entries)
    for level, kind in enumerate(kinds):
        size, inner, pos = dims[modes[level]], [], [0]
        for node in nodes:
            if kind == "d":
                inner += [node + (c,) for c in range(size)]
            else:
                inner += sorted({cell[:level + 1] for cell in cells if cell[:level] == node})
                pos.append(len(inner))
        nodes = inner
        arrays["%d_npos" % (level + 1)] = len(nodes)
        if kind == "s":
            arrays["%d_pos" % (level + 1)], arrays["%d_crd" % (level + 1)] = pos, [node[-1] for node in nodes]
    by_place = {tuple(cell[m] for m in modes): x for cell, x in entries.items()}
    arrays[""] = [by_place.get(node, zero) for node in nodes]
    return arrays


def unpacked(kinds, modes, dims, read):
    """The entries of a result: read(ending) is an array."""
    nodes = [()]
    for level, kind in enumerate(kinds):
        if kind == "d":
            nodes = [node + (c,) for node in nodes for c in range(dims[modes[level]])]
        else:
            pos, crd = read("%d_pos_out" % (level + 1)), read("%d_crd_out" % (level + 1))
            nodes = [node + (crd[q],) for p, node in enumerate(nodes) for q in range(pos[p], pos[p + 1])]
    values = read("_out" if "s" in kinds else "")
    return [(tuple(node[modes.index(m)] for m in range(len(dims))), values[k]) for k, node in enumerate(nodes)]


def copies(text):
    """The copies that the caller makes: name -> (tensor, letters, modes)."""
    out = {}
    for name, tensor, form in re.findall(r"(\w+): (\w+) converted to (\([\w, ]*\) -> \([^)]*\)|[a-z]+(?::[\d,]+)?)", text[:text.index("*/")]):
        if not form.startswith("("):
            kinds, _, modes = form.partition(":")
            out[name] = tensor, kinds, list(map(int, modes.split(","))) if modes else list(range(len(kinds)))
            continue
        names, levels = re.fullmatch(r"\(([\w, ]*)\) -> \((.*)\)", form).groups()
        pairs = [re.fullmatch(r"(\w+) : (dense|compressed)", x).groups() for x in levels.split(", ")]
        out[name] = tensor, "".join("d" if kind == "dense" else "s" for _, kind in pairs), [names.split(", ").index(v) for v, _ in pairs]
    return out


def array_of(element, values):
    return (element * max(1, len(values)))(*(values if element in (ctypes.c_double, ctypes.c_float) else map(int, values)))


def called(case, tensors, size, result, old, threads):
    """Call the function of text.c. Returns the lines that tkern would print; None: the result has the levels of an operand, and is not compared."""
    with open("text.c") as f:
        text = f.read()
    signature = re.search(r"^int text\(([^{]*)\)\n\{", text, re.M)[1]
    function = ctypes.CDLL(os.path.abspath("text%d.so" % case)).text
    known = {v + "_size": n for v, n in size.items()}
    known.update(nthreads=threads)
    kind = tensors["kind"]
    for name, (tensor, kinds, modes) in {**{t.name: (t, *letters(t.format or "dense", len(t.dims))) for t in tensors["all"]},
                                         **{c: (next(t for t in tensors["all"] if t.name == of), k, m) for c, (of, k, m) in copies(text).items()}}.items():
        for ending, array in packed(kinds, modes, tensor.dims, tensor.entries, kind.of(0)).items():
            known[name + ending] = array
        known.update({name + "%d_size" % (l + 1): tensor.dims[m] for l, m in enumerate(modes)})
    packing = packings.get(result.format) if result.name == "C" else None
    kinds, modes = letters(result.format or "dense", len(result.dims)) if not packing else ("", [])
    known.update({result.name + "_before" + ending: array for ending, array in ({} if packing else packed(kinds, modes, result.dims, old, kind.of(0))).items()})
    if any(k == "s" and "%s%d_pos_out" % (result.name, l + 1) not in signature for l, k in enumerate(kinds)):
        return None
    arguments, outputs = [], {}
    for declared in signature.split(","):
        words = declared.replace("*", " ").split()
        name = words[-1]
        if words[0] == "tsr_rt_output":
            outputs[name] = Output()
            arguments.append(ctypes.byref(outputs[name]))
        elif "*" not in declared:
            arguments.append(ctypes.c_int64(known[name]))
        elif name == result.name:
            values = packed(kinds, modes, result.dims, old, kind.of(0))[""]
            outputs[""] = array_of(DECLARED[words[0]], values)
            arguments.append(outputs[""])
        else:
            array = known[name]
            arguments.append(array_of(DECLARED[words[1]], array))
    code = function(*arguments)
    expect("round %d: the function returns 0" % case, code == 0, "%d" % code)

    def read(ending):
        if ending == "":
            return outputs[""]
        out = outputs[result.name + ending]
        element = C_TYPE[kind.name] if ending == "_out" else ctypes.c_uint32
        return ctypes.cast(out.data, ctypes.POINTER(element))

    if packing:
        return cells_of(*packing, result.dims, read)
    entries = unpacked(kinds, modes, result.dims, read)
    return "".join("%s %r\n" % (" ".join(str(c + 1) for c in cell), x) for cell, x in entries)


def text_of(number, command):
    """Whether the C text of the statement was written, and compiled alone."""
    code, _, said = run(*command, "-o", "text.c", "-q")
    name = "round %d: %s\n  " % (number, shlex.join(command))
    expect(name, code == 0, "exit code %d: %s" % (code, said))
    if code != 0:
        return False
    code, _, said = run("cc", "-std=c11", "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Werror", "-O1", "-fopenmp", "-shared", "-fPIC", "text.c", "-o",
                        "text%d.so" % number, "-lm")
    expect(name, code == 0, "cc: " + said)
    return code == 0


def of_program(number, rng):
    program = Program(rng)
    code, plan, _ = run(*program.command(), "--emit=plan", "-q")
    if code != 0 or program.kind.letter == "c" or not text_of(number, program.command()):
        return False
    result = program.statements[-1][0].tensor
    tensors = {"all": list(program.tensors.values()), "kind": program.kind}
    cells = itertools.product(*map(range, result.dims)) if program.statements[-1][1] != "=" and result.format in (None, "dense") else []
    out = called(number, tensors, program.size, result, dict.fromkeys(cells, program.evaluate(plan)[1]), rng.choice([1, 2, 3]))
    fault = out is not None and program.fault(out, plan)
    expect("round %d: %s\n  " % (number, shlex.join(program.command())), not fault, fault)
    return True


def without_output(command):
    at = command.index("-o")
    return command[:at] + command[at + 2:]


def of_statement(number, rng):
    for _ in range(200):
        statement = Statement(rng)
        if not statement.is_complete() or statement.is_complex or statement.large or statement.has_old or statement.windows:
            continue
        if statement.kind.name not in C_TYPE or 0 in statement.size.values() or statement.drops_zeros:
            continue
        if any(w for _, w in statement.left.modes) or statement.result.format not in [None] + stored[len(statement.result.dims)] + dense[len(statement.result.dims)]:
            continue
        if statement.mixed and statement.result.format not in [None] + dense[len(statement.result.dims)]:
            continue
        command = without_output(statement.command())
        if "--index" in " ".join(command):
            continue
        code, plan, _ = run(*command, "--emit=plan", "-q")
        if code == 0 and re.search("^step ", plan, re.M) and not re.search(r", the (list|window|places) of |, an interval|before the run", plan):
            break
    else:
        return False
    if not text_of(number, command):
        return False
    if statement.result.format is None:
        with open("text.c") as f:
            if "R_out" in f.read():
                return False
    out = called(number, {"all": list(statement.tensors.values()), "kind": statement.kind}, statement.size, statement.result, statement.old(),
                 rng.choice([1, 2, 3]))
    fault = out is not None and statement.fault(out)
    expect("round %d: %s\n  " % (number, shlex.join(command)), not fault, fault)
    return True


def many_coordinates():
    """Modes of more than 65536 coordinates are sorted in two rounds."""
    rng, kind, size = random.Random(0), Kind("f64"), {"i": 70000, "j": 150000}
    a, b = (Tensor(name, [size["i"], size["j"]]) for name in "AB")
    c = Tensor("C", [size["j"], size["i"]])
    a.format = b.format = c.format = "ss"
    for _ in range(500):
        cell = rng.randrange(size["i"]), rng.randrange(size["j"])
        a.entries[cell], b.entries[cell] = kind.of(rng.randint(1, 9)), kind.of(rng.randint(1, 9))
    for number, text in enumerate(["C(j,i) = A(i,j)*B(i,j)", "T(i,j) = A(i,j)*B(i,j); C(j,i) = T(i,j)"]):
        command = ["tkern", text, "--type=f64", "-d", "i:70000", "-d", "j:150000"]
        for tensor in a, b, c:
            command += ["-f", tensor.name + ":ss"]
        if text_of(-number, command):
            out = called(-number, {"all": [a, b], "kind": kind}, size, c, {}, 3)
            want = ["%d %d %r" % (j + 1, i + 1, a.entries[i, j] * b.entries[i, j]) for i, j in sorted(a.entries, key=lambda cell: cell[::-1])]
            expect(text, out.splitlines() == want, out[:200])


# results that are packed: the kind and the size of each level ("d": full, "s": a list, "u": one that may repeat coordinates, "q": below it), and the
# cell of the coordinates in the levels
packings = {
    "coo": ([("u", 0), ("q", 0)], lambda i, j: (i, j)), "coodup": ([("u", 0), ("q", 0)], lambda i, j: (i, j)),
    "cooc": ([("u", 0), ("q", 0)], lambda j, i: (i, j)), "csr": ([("d", lambda m, n: m), ("s", 0)], lambda i, j: (i, j)),
    "bcsr(2,3)": ([("d", lambda m, n: -(-m // 2)), ("s", 0), ("d", lambda m, n: 2), ("d", lambda m, n: 3)], lambda i, j, r, c: (2 * i + r, 3 * j + c)),
    "dbcsc(2,3)": ([("s", 0), ("s", 0), ("d", lambda m, n: 2), ("d", lambda m, n: 3)], lambda j, i, r, c: (2 * i + r, 3 * j + c)),
    "bcoo(3,2)": ([("u", 0), ("q", 0), ("d", lambda m, n: 3), ("d", lambda m, n: 2)], lambda i, j, r, c: (3 * i + r, 2 * j + c)),
    "csb(4)": ([("d", lambda m, n: -(-m // 4)), ("d", lambda m, n: -(-n // 4)), ("u", 0), ("q", 0)], lambda i, j, r, c: (4 * i + r, 4 * j + c)),
    "hicoo(4)": ([("u", 0), ("q", 0), ("u", 0), ("q", 0)], lambda i, j, r, c: (4 * i + r, 4 * j + c)),
    "ccol": ([("s", 0), ("d", lambda m, n: m)], lambda j, i: (i, j))}


def cells_of(levels, back, dims, read):
    """The sorted cells of a packed result with their values; those in a block that are 0 are not entries."""
    nodes = [()]
    for level, (kind, size) in enumerate(levels):
        if kind == "d":
            nodes = [node + (c,) for node in nodes for c in range(size(*dims))]
            continue
        crd = read("%d_crd_out" % (level + 1))
        pos = read("%d_pos_out" % (level + 1)) if kind != "q" else range(len(nodes) + 1)
        nodes = [node + (crd[q],) for p, node in enumerate(nodes) for q in range(pos[p], pos[p + 1])]
    values = read("_out")
    return sorted((back(*node), values[k]) for k, node in enumerate(nodes) if values[k] != 0 or levels[-1][0] != "d")


def of_format(number, name, text, rng):
    """A result in the format, of operands in csr; in three types."""
    size = {"i": rng.randint(1, 9), "j": rng.randint(1, 9), "k": rng.randint(1, 9)}
    kind = Kind(rng.choice(["f64", "f32", "i64"]))
    a, b = Tensor("A", [size["i"], size["j"]]), Tensor("B", [size["j"], size["k"]])
    want = {}
    for tensor in a, b:
        tensor.format = "csr"
        for cell in itertools.product(*map(range, tensor.dims)):
            if rng.random() < 0.4:
                tensor.entries[cell] = kind.of(rng.randint(1, 9))
    for (i, j), x in a.entries.items():
        for k in range(size["k"]):
            if (j, k) in b.entries:
                cell = (i, k) if text.startswith("C(i,k)") else (k, i)
                want[cell] = want.get(cell, 0) + x * b.entries[j, k]
    command = ["tkern", text, "--type=" + kind.name, "-f", "A:csr", "-f", "B:csr", "-f", "C:" + name]
    for tensor in a, b:
        command += ["-d", "%s:%d,%d" % (tensor.name, *tensor.dims)]
    c = Tensor("C", [size["i"], size["k"]] if text.startswith("C(i,k)") else [size["k"], size["i"]])
    if text_of(number, command):
        c.format = name
        got = called(number, {"all": [a, b], "kind": kind}, size, c, {}, rng.choice([1, 2, 3]))
        expect("%s: %s" % (name, text), got == sorted(want.items()), "%s, expected %s" % (got, sorted(want.items())))


def main(nrounds):
    arguments = sys.argv[1:]
    rounds = range(int(arguments[0]), int(arguments[1]) + 1) if len(arguments) > 1 else range(1, nrounds + 1)
    os.environ["XDG_CACHE_HOME"] = os.path.join(own_folder(), "cache")
    random_statements.stored, random_statements.dense = stored, dense
    random_statements.random_letters = lambda rng, order, pads: rng.choice(stored[order])
    random_statements.padded = stored
    random_programs.turns, random_programs.of_result = True, stored
    random_programs.formats = {1: ["s", "dense"], 2: ["csr", "csr", "dcsr", "csc", "dense", "ss:1,0"], 3: ["csf", "dss", "dense"]}
    compared = [(of_program if number % 2 else of_statement)(number, random.Random(number)) for number in rounds]
    many_coordinates()
    rng = random.Random(rounds[0])
    for number, name in enumerate(packings):
        of_format(10000 + number, name, rng.choice(["C(i,k) = A(i,j)*B(j,k)", "C(k,i) = A(i,j)*B(j,k)"]), rng)
    print("compared: %d of %d" % (sum(compared), len(compared)))
    expect("%d rounds" % len(rounds), sum(compared) >= len(rounds) // 2, "only %d were compared" % sum(compared))
    end()


if __name__ == "__main__":
    main(24)
