"""Random programs of several statements, against the evaluator of random_model.py, statement by statement. Half of them run with a
cache that is said to be tiny, so that statements run together over blocks of few rows.

    random_programs.py                          # the rounds of the ordinary test
    random_programs.py FIRST LAST [compiled]    # these rounds; the rounds that fail print their command

A result in between is sparse or dense as `--emit=plan` says: only then it is known whether its absent entries are zeros to `max=`."""
import itertools
import os
import random
import re
import shlex
import sys

from checks import case_runs, cases_step, end, expect, own_folder, run
from random_model import Access, Call, Kind, Meaning, Number, Operation, World, reductions, semirings
from random_statements import Tensor, dense

formats = {1: ["s", "dense", "dense"], 2: ["csr", "csr", "csr", "dcsr", "csc", "coo", "dense", "bcsr(2,2)", "ss:1,0"],
           3: ["csf", "dss", "dds", "dense", "coo"]}
by_rows = {1: ["dense"], 2: ["csr", "csr", "dense"], 3: ["dss", "dds", "dense"]}
of_result = {1: ["s"], 2: ["csr"], 3: ["csf"]}  # the sparse formats of the last result
turns = False  # whether results have their variables in any order
operands = {"A": "ij", "B": "jk", "X": "ik", "b": "i", "c": "k", "p": "", "D": "ijk"}
results = "TUVW"


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.kind = Kind(rng.choice(["f64"] * 6 + ["f32", "i64"]))
        self.tolerance = 1e-4 if self.kind.name == "f32" else 1e-8
        self.semiring = rng.choice(["plus-times"] * 7 + ["min-plus"])
        self.world = World(self.kind, semirings[self.semiring])
        self.is_by_rows = rng.random() < 0.6
        self.size = {"i": rng.choice([17, 40, 70] if self.is_by_rows else [1, 3, 17, 40]), "j": rng.randint(1, 6), "k": rng.randint(1, 5)}
        self.tensors, self.statements, self.made, self.unread = {}, [], {}, []
        count = rng.choice([2, 2, 3, 4])
        for n in range(count):
            self.statements.append(self.statement(n == count - 1))
        used = {x.tensor.name for _, _, right in self.statements for x in right.nodes() if isinstance(x, Access)}
        self.tensors = {name: tensor for name, tensor in self.tensors.items() if name in used}
        for tensor in self.tensors.values():
            self.draw(tensor)

    def draw(self, tensor):
        tensor.full = not tensor.dims
        if tensor.dims:
            tensor.format = self.rng.choice((by_rows if self.is_by_rows else formats)[len(tensor.dims)])
            tensor.full, tensor.pads = tensor.format in dense[len(tensor.dims)], "bcsr" in tensor.format
        tensor.fill(self.rng, self.kind)

    def read(self, name):
        """An access of an operand or of a result before: always with the same variables."""
        if name in self.made:
            return Access(*self.made[name])
        modes = [(v, None) for v in operands[name]]
        if name not in self.tensors:
            self.tensors[name] = Tensor(name, [self.size[v] for v, _ in modes])
        return Access(self.tensors[name], modes)

    def leaf(self):
        if self.made and self.rng.random() < 0.4:
            return self.read(self.rng.choice(list(self.made)))
        return Number(float(self.rng.randint(1, 3))) if self.rng.random() < 0.1 else self.read(self.rng.choice("AAABXXbcpD"))

    def expression(self, depth):
        rng = self.rng
        x = rng.random()
        if depth == 0 or x < 0.1:
            return self.leaf()
        if x > 0.85 and self.semiring == "plus-times":
            return Call(*rng.choice([("max", [self.expression(depth - 1), self.expression(depth - 1)]), ("abs", [self.expression(depth - 1)])]))
        op = "*" if x < 0.6 else "+" if self.semiring != "plus-times" or rng.random() < 0.6 else "-"
        return Operation(op, self.expression(depth - 1), self.expression(depth - 1))

    def statement(self, is_last):
        rng = self.rng
        right = self.expression(rng.choice([1, 2, 2]))
        if self.unread and (is_last or rng.random() < 0.7):
            for name in self.unread if is_last else self.unread[:1]:
                right = Operation("*" if rng.random() < 0.7 else "+", self.read(name), right)
        read = {x.tensor.name for x in right.nodes() if isinstance(x, Access)}
        self.unread = [name for name in self.unread if name not in read]
        used = [v for v in "ijk" if v in right.variables()]
        left = [v for v in used if rng.random() < 0.7]
        if "i" in used and "i" not in left and (self.is_by_rows or rng.random() < 0.5):
            left.insert(0, "i")
        if turns:
            rng.shuffle(left)
        how = rng.choice(list(reductions)) if self.semiring == "plus-times" and rng.random() < 0.2 else "="
        tensor = Tensor("R" if is_last else results[len(self.statements)], [self.size[v] for v in left])
        if is_last:
            tensor.format = rng.choice(["dense", "dense", of_result[len(left)][0]]) if left else None
            if turns and tensor.format != "dense" and left:
                tensor.format = rng.choice(of_result[len(left)])
        modes = [(v, None) for v in left]
        if not is_last:
            self.made[tensor.name] = (tensor, modes)
            self.unread.append(tensor.name)
        return Access(tensor, modes), how, right

    def text(self):
        return "; ".join("%s %s %s" % (left.text(), how, right.text()) for left, how, right in self.statements)

    def command(self):
        result = self.statements[-1][0].tensor
        out = ["tkern", self.text(), "--type=" + self.kind.name, "--semiring=" + self.semiring]
        for tensor in self.tensors.values():
            out += tensor.options(self.rng, self.kind)
        known = {v for name in self.tensors for v in operands[name]} | {v for v, _ in self.statements[-1][0].modes}
        for v in "ijk":
            out += ["-d", "%s:%d" % (v, self.size[v])] * (v in known)
        return out + (["-f", "R:" + result.format] if result.format else [])

    def evaluate(self, plan):
        """The entries of the result, and what dense cells without one hold."""
        for n, (left, how, right) in enumerate(self.statements):
            meaning = Meaning(left, how, right, self.size, self.world, None)
            tensor, stored = left.tensor, re.search(r"^statement %d: .*, stored as (.*)$" % (n + 1), plan, re.M)
            tensor.entries = meaning.entries
            if n == len(self.statements) - 1:
                return meaning.entries, meaning.empty
            tensor.full = stored[1] in ("dense", "densec", "dvec", "scalar")
            if tensor.full:
                for cell in itertools.product(*map(range, tensor.dims)):
                    tensor.entries.setdefault(cell, meaning.empty)
        return None

    def near(self, x, y):
        return x == y or (x != x and y != y) or abs(x - y) <= self.tolerance * max(1, abs(x), abs(y))

    def fault(self, out, plan):
        want, empty = self.evaluate(plan)
        if self.kind.overflowed:
            return None
        result, got = self.statements[-1][0].tensor, {}
        for line in map(str.split, out.splitlines()[3 if out.startswith("# ext") else 0:]):
            got[tuple(int(c) - 1 for c in line[:-1])] = self.kind.of(float(line[-1]) if not self.kind.whole else line[-1])
        is_dense = result.format in (None, "dense")
        if not is_dense and set(got) != set(want) and not any(t.pads for t in self.tensors.values()):
            return "too many %s, missing %s" % (sorted(set(got) - set(want))[:5], sorted(set(want) - set(got))[:5])
        for cell in itertools.product(*map(range, result.dims)):
            x, y = got.get(cell, 0), want.get(cell, empty if is_dense else 0)
            if not self.near(x, y):
                return "%s is %r, expected %r" % (cell, x, y)
        return None


def round_(number, engine):
    """Whether the statements ran together in part; None: they were refused."""
    rng = random.Random(number)
    program = Program(rng)
    command = program.command()
    os.environ["TSR_TUNING"] = "tiny" if rng.random() < 0.6 else "none"
    run_ = command + ["-o", "R:-", "-q", "-j%d" % rng.choice([1, 2, 3]), "--engine=" + engine]
    code, plan, said = run(*command, "--emit=plan", "-q")
    name = "round %d: TSR_TUNING=%s %s\n  " % (number, os.environ["TSR_TUNING"], shlex.join(run_))
    expect(name, code == 0, "exit code %d: %s" % (code, said))
    if code != 0:
        return None
    code, out, said = run(*run_)
    expect(name, code == 0, "exit code %d: %s" % (code, said))
    if code == 0:
        fault = program.fault(out, plan)
        expect(name, not fault, fault)
    return "run together over blocks" in plan


def main(nrounds, ncompiled):
    arguments = [a for a in sys.argv[1:] if a != "compiled"]
    compiled = "compiled" in sys.argv
    rounds = range(int(arguments[0]), int(arguments[1]) + 1) if len(arguments) > 1 else range(1, (ncompiled if compiled else nrounds) + 1)
    rounds = [number for number in rounds if case_runs(number)]
    os.environ["XDG_CACHE_HOME"] = os.path.join(own_folder(), "cache")
    with open("tiny", "w") as f:
        f.write("near-bytes: 64\n")
    together = [round_(number, "jit" if compiled else "interpreter") for number in rounds]
    expect("%d rounds" % len(rounds), together.count(True) >= len(rounds) // 6 // cases_step, "only %d ran together" % together.count(True))
    end()


if __name__ == "__main__":
    main(100, 6)
