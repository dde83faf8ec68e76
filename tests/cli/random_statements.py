"""Random statements of index notation: functions, masks, windows, reductions, semirings, types, formats and schedules, against the
evaluator of random_model.py.

    random_statements.py                          # the rounds of the ordinary test
    random_statements.py FIRST LAST [compiled]    # these rounds; the rounds that fail print their command

A round depends on its number alone. Each statement gets a schedule: one whose items go with every statement may not be refused; after
another that is refused the statement runs without it. One in seven runs by the plan that was printed."""
import itertools
import math
import os
import random
import shlex
import sys

from checks import case_runs, end, expect, own_folder, run
from random_model import (INF, Access, Band, Call, Kind, Meaning, Negation, Number, Operation, Variable, Window, World, defined, exact, inexact, of_coordinates,
                          logical, reductions, semirings)


def random_window(rng, size, length):
    """`size` coordinates below `length`: a list, or a range with a step."""
    if rng.random() < 0.3:
        at = rng.sample(range(length), size)
        return Window(at, "({%s})" % ",".join(map(str, at)))
    step = rng.choice([s for s in (1, 1, 1, 2, 3) if (size - 1) * s < length])
    span = (size - 1) * step + 1
    start = rng.randint(0, length - span)
    return Window(range(start, start + span, step), "(%d,%d%s)" % (start, start + span, ",%d" % step if step > 1 else ""))


# Formats that store what they are given, and those that also store zeros, by order; dense ones store every cell.
stored = {0: [], 1: ["s", "u", "s", "cvec", "coo", "bitmap", "bytemap", "bitmapc", "linear", "hicoo(2)", "coodup"],
          2: ["csr", "csc", "dcsr", "dcsc", "coo", "cooc", "ss:1,0", "csru", "ell", "ellc", "hash", "bitmap", "bytemap", "sell(2,4)",
              "jad", "uq:1,0", "hicoo(2)", "linear", "alto", "keys(2)", "csb(2)", "vbl", "strips(2)", "tcsf(2)", "csbc(2,2)", "srun", "bitmapc",
              "coodup", "hicoo(3)", "csf", "csf:1,0", "coo:1,0", "uq", "cooc", "sell(3)", "strips(3)", "csb(3)",
              "(i, j) -> (j - i : compressed, i : compressed)", "(i, j) -> (j floordiv 2 : dense, i : compressed, j mod 2 : compressed)"],
          3: ["csf", "coo", "dss", "sds", "csf:2,0,1", "dds", "hicoo(2)", "alto", "keys(2)", "linear", "suq", "dss:1,2,0", "coo:2,0,1", "cooc", "tcsf(2)", "bitmap",
              "bytemap", "bitmapc", "coodup", "hicoo(3)", "duq", "duq:1,2,0"],
          4: ["csf", "coo", "ddss:3,2,1,0", "uqqq", "dsds", "hicoo(2)", "cooc", "alto", "linear", "bitmap", "suqq"]}
padded = {0: [], 1: ["bvec(2)", "bvec(3)"],
          2: ["bcsr(2,2)", "sd", "dia", "diac", "diap", "band", "bandr", "sband", "bcsr(2,3)", "bell(2)", "bdia(2)", "bcsrc(2,2)", "runs",
              "bcsc(2,2)", "bcscc(3,2)", "dbcsr(2,2)", "dbcsc(2,3)", "bcoo(2,2)", "ccol", "crow", "bcoo(3,1)", "bdia(3)", "bcsf(2)", "bcsf(3)"],
          3: ["ssd", "sdd", "bcsf(2)"], 4: ["sdsd", "bcsf(2)"]}
dense = {0: [], 1: ["dense", "dense", "dvec"], 2: ["dense", "dense", "densec", "tiled(2,2)", "nz(2,3)", "zn(3,2)", "nn(2,2)"],
         3: ["dense", "densec", "dense:1,2,0"], 4: ["dense", "densec"]}


def random_letters(rng, order, pads):
    """Levels in any order: dense and compressed ones, then coordinates that need not be unique."""
    tail = 0 if pads else rng.choice([0, 0, 0, rng.randint(1, order)])
    levels = [rng.choice("ds") for _ in range(order - tail)] + ["u", "q", "q", "q"][:tail]
    if "s" not in levels and not tail:
        levels[0] = "s"
    if pads and order > 1:
        levels[0], levels[-1] = "s", "d"
    elif levels[-1] == "d":
        levels[-1] = "s"
    modes = rng.sample(range(order), order) if rng.random() < 0.6 else range(order)
    return "".join(levels) + (":" + ",".join(map(str, modes)) if order > 1 else "")


common = {}  # by order, and by whether zeros are stored: the format that all such tensors of a statement have


def random_format(rng, order, pads):
    if (order, pads) in common:
        return common[order, pads]
    if rng.random() < 0.2:
        return random_letters(rng, order, pads)
    return rng.choice((padded if pads else stored)[order])


class Tensor:
    def __init__(self, name, dims):
        self.name, self.dims = name, dims
        self.full, self.pads, self.whole, self.format, self.entries = not dims, False, False, None, {}
        self.parts = 0.2  # the probability that entries of the file stand in several parts
        self.is_mask = False  # of a complement, which needs a sparse level

    def draw(self, rng, kind, may_pad):
        """The format and the entries; of a full tensor, cells without an entry are 0."""
        order = len(self.dims)
        self.full = order == 0 or (not self.is_mask and rng.random() < 0.15)
        self.pads = may_pad and not self.full and rng.random() < 0.25
        if order:
            self.format = rng.choice(dense[order]) if self.full else random_format(rng, order, self.pads)
        self.fill(rng, kind)

    def fill(self, rng, kind):
        density = rng.choice([0, 0.15, 0.4, 0.4, 0.7, 1] if max(self.dims, default=0) < 15 else [0.02, 0.1, 0.3]) if self.dims else 1
        cells = list(itertools.product(*map(range, self.dims)))
        if density == 1 and cells and rng.random() < 0.3:
            cells = [rng.choice(cells)]  # one entry
        for cell in cells:
            if rng.random() < density or not self.dims:
                self.entries[cell] = kind.draw(rng, self.pads)

    def add_infinities(self, rng, values):
        for cell in self.entries if self.dims and not self.pads else ():
            if rng.random() < 0.2:
                self.entries[cell] = rng.choice(values)

    def lines(self, rng, kind):
        """The entries as (cell, value); some stand in several parts, which are added."""
        out = list(self.entries.items())
        if rng.random() < self.parts:
            for k, (cell, value) in enumerate(out):
                if rng.random() < 0.3:
                    part = kind.of(rng.randint(0, 1) if kind.letter == "u" else rng.randint(-2, 2))
                    if kind.least <= (value - part).real <= kind.most:
                        out[k] = (cell, value - part)
                        out.append((cell, part))
        if rng.random() < 0.5:
            rng.shuffle(out)
        return out

    def options(self, rng, kind, name=""):
        if not self.dims:
            return ["--scalar=%s=%g" % (self.name, self.entries[()])]
        point = kind.letter == "f" and not self.whole  # without one the values are read as i64
        lines = ["%s %s%s" % (" ".join("%d" % (c + 1) for c in cell), kind.text(value), ".0" * (point and abs(value) < INF)) for cell, value in self.lines(rng, kind)]
        file = self.name + (".mtx" if kind.letter == "c" else ".tns")
        if kind.letter == "c":
            lines = ["%%MatrixMarket " + ("vector" if len(self.dims) == 1 else "matrix") + " coordinate complex general",
                     " ".join(map(str, self.dims)) + " %d" % len(lines)] + [x.replace("i", "").replace("+", " ").replace("-", " -") for x in lines]
        with open(file, "w") as f:
            f.writelines(line + "\n" for line in lines)
        return ["-i", self.name + ":" + file, "-f", self.name + ":" + self.format, "-d", self.name + ":" + ",".join(map(str, self.dims))]


class Statement:
    """left how right, with the sizes of the variables and the tensors by name."""
    orders = {"A": 2, "B": 2, "b": 1, "c": 1, "X": 3, "p": 0, "q": 0, "W": 4}

    def __init__(self, rng):
        self.rng, self.tensors, self.is_truth = rng, {}, False
        self.kind = Kind(rng.choice(["f64"] * 12 + ["f32", "f32", "i64", "i32", "i16", "i8", "u8", "u32", "c128", "c64"]))
        self.tolerance = self.kind.tolerance
        self.is_complex = self.kind.letter == "c"
        self.large = rng.random() < 0.03  # enough for several threads
        self.mixed = self.kind.name == "f64" and not self.large and rng.random() < 0.1
        self.names = list("ijk" if self.large else "ijkl"[:rng.choice([1, 2, 2, 3, 3, 4])])
        self.size = {v: rng.choice([1, 1, 2, 3, 7, 9]) if rng.random() < 0.25 else rng.randint(2, 6) for v in self.names}
        if self.large:
            self.size = {v: rng.randint(15, 50) for v in self.names}
        elif rng.random() < 0.03:
            self.size[rng.choice(self.names)] = 0
        self.windows = rng.random() < 0.25 and 0 not in self.size.values()
        self.calls = rng.random() < 0.5 and not self.is_complex
        rings = rng.random() < 0.25 and not self.is_complex and not self.mixed
        self.semiring = rng.choice(list(semirings)) if rings else "plus-times"
        self.ordinary, self.world = self.semiring == "plus-times", World(self.kind, semirings[self.semiring])
        self.how = rng.choice(list(reductions)) if self.ordinary and rng.random() < 0.2 and not self.mixed else rng.choice(["=", "=", "=", "+="])
        if self.is_complex and self.how in reductions:
            self.how = "*="
        self.divides = self.ordinary and self.kind.letter == "f" and not self.calls and not self.mixed and self.how in ("=", "+=")
        self.right = self.expression(rng.choice([1, 2, 2, 3]))
        if rng.random() < 0.15:
            self.right = self.masked(self.right, rng.random() < 0.7)
        if self.ordinary and not self.kind.whole and not self.mixed and rng.random() < 0.1:
            self.right = Operation("/", self.right, Number(rng.choice([2., 4., 8.])))
        self.draw_left()
        for tensor in self.tensors.values():
            tensor.draw(rng, self.kind, self.ordinary)
            tensor.whole = self.mixed and rng.random() < 0.6
        if self.kind.letter == "f" and not self.mixed and self.keeps_infinities() and rng.random() < 0.3:
            for tensor in self.tensors.values():
                tensor.add_infinities(rng, [INF, -INF] + [math.nan] * (self.semiring in ("plus-times", "min-plus", "max-plus")))
        self.meaning = None

    def keeps_infinities(self):
        """Whether the order of operations does not matter to infinities: no function, quotient or sum that is a factor."""
        plain = all(isinstance(x, (Access, Number, Operation)) for x in self.right.nodes())
        return plain and not any(x.op == "/" or x.op == "*" and any(isinstance(y, Operation) for y in x.factors())
                                 for x in self.right.nodes() if isinstance(x, Operation))

    def new_mode(self):
        v = self.rng.choice(self.names)
        if not self.windows or self.rng.random() < 0.5:
            return self.size[v], (v, None)
        length = self.size[v] * self.rng.choice([1, 1, 2, 3]) + self.rng.randint(0, 4)
        return length, (v, random_window(self.rng, self.size[v], length))

    def old_mode(self, length):
        """A variable, with a window perhaps, that fits the length of a mode; or None."""
        fits = [v for v in self.names if self.size[v] == length]
        smaller = [v for v in self.names if self.size[v] <= length]
        if self.windows and smaller and self.rng.random() < 0.5:
            v = self.rng.choice(smaller)
            return v, random_window(self.rng, self.size[v], length)
        return (self.rng.choice(fits), None) if fits else None

    def access(self):
        return self.named(self.rng.choice("AABBbcbc" if self.is_complex or self.large else "AABBXbcbcpqW" if len(self.names) < 4 else "AABBXXbcpW"))

    def named(self, name):
        """An access of the tensor, whose modes have the sizes of the variables; the number 2 where it has other sizes already."""
        if name not in self.tensors:
            modes = [self.new_mode() for _ in range(self.orders[name])]
            self.tensors[name] = Tensor(name, [length for length, _ in modes])
            return Access(self.tensors[name], [mode for _, mode in modes])
        modes = [self.old_mode(length) for length in self.tensors[name].dims]
        return Number(2.) if None in modes else Access(self.tensors[name], modes)

    def masked(self, x, complement):
        modes = [(self.rng.choice(self.names), None) for _ in range(2)]
        self.tensors["M"] = Tensor("M", [self.size[v] for v, _ in modes])
        self.tensors["M"].is_mask = True
        return Operation("*", Access(self.tensors["M"], modes, complement), x)

    def band(self):
        low, high = sorted([self.rng.randint(-3, 2), self.rng.randint(-2, 3)])
        ends = self.rng.choice([(low, high), (low, low), (0, 0), (None, high), (low, None)])
        return Band(self.rng.sample([v for v in self.names if self.size[v]], 2), *ends)

    def leaf(self):
        x = self.rng.random()
        if 0.13 <= x < 0.18 and sum(n > 0 for n in self.size.values()) > 1:
            return self.band()
        if x < 0.03:
            out = self.access()
            if isinstance(out, Access) and out.modes:
                out.complement = out.tensor.is_mask = True
            return out
        if x < 0.08:
            return Number(float(self.rng.randint(-2 if self.ordinary and self.kind.letter != "u" else 0, 4)))
        return Variable(self.rng.choice(self.names)) if x < 0.13 else self.access()

    def call(self, depth):
        table = {name: f for name, f in exact.items() if not (self.kind.whole and name in defined)}
        x = self.rng.random()
        if x > 0.96 and self.kind.name == "f64":
            inputs = [Variable(self.rng.choice(self.names)), Variable(self.rng.choice(self.names)), Number(float(self.rng.randint(0, 9)))]
            return Call("uniform", inputs[:self.rng.choice([2, 3])])
        if x < 0.15 and self.kind.name == "f64":
            table, self.tolerance = {name: f for name, f in inexact.items() if name not in of_coordinates}, 1e-9
        name = self.rng.choice(list(table))
        return Call(name, [self.expression(depth - 1) for _ in range(table[name][1])])

    def expression(self, depth):
        x = self.rng.random()
        if depth == 0 or x < 0.15:
            return self.leaf()
        if x < 0.45 or 0.78 < x < 0.82:
            return Operation("*", self.expression(depth - 1), self.expression(depth - 1))
        if x < 0.47 and self.divides:
            return Operation("/", self.expression(depth - 1), self.expression(depth - 1))
        if not self.ordinary:
            calls = self.calls and self.world.ring.plus not in logical  # which make 0 or 1 of an argument
            return self.call(depth) if calls and x > 0.9 else Operation("+", self.expression(depth - 1), self.expression(depth - 1))
        if x < 0.75 or not self.calls:
            return Operation(self.rng.choice("++-"), self.expression(depth - 1), self.expression(depth - 1))
        return Negation(self.expression(depth - 1)) if x <= 0.78 else self.call(depth)

    def draw_left(self):
        rng, used = self.rng, list(dict.fromkeys(self.right.variables()))
        names = used if used and rng.random() < 0.9 else self.names
        left = rng.sample(names, min(len(names), rng.choice([0, 1, 1, 2, 2, 3])))
        if self.is_complex:
            left = (left or names[:1])[:2]
        if len(left) == 2 and rng.random() < 0.1:
            left = [left[0]] * 2
        elif len(left) == 3 and rng.random() < 0.1:
            left[2] = left[0]
        dims, modes, order = [self.size[v] for v in left], [(v, None) for v in left], len(left)
        pads, stored_as = self.ordinary and rng.random() < 0.3, None
        if order:
            stored_as = rng.choice([rng.choice(dense[order])] * 2 + [None] + [random_format(rng, order, pads)] * 6)
        self.is_dense = not order or stored_as in dense[order]
        if rng.random() < 0.1 and 0 not in dims:
            for m, v in enumerate(left):
                if rng.random() < 0.6:
                    dims[m] += rng.randint(0, 4)
                    modes[m] = (v, random_window(rng, self.size[v], dims[m]))
        self.result = Tensor("R", dims)
        self.result.pads, self.result.format = pads, stored_as
        self.left = Access(self.result, modes)
        self.drops_zeros = bool(order and self.result.format) and not self.is_dense and rng.random() < 0.1
        self.has_old = self.how != "=" and order > 0 and not self.mixed and self.result.format is not None and rng.random() < 0.6
        if self.has_old:
            self.result.fill(rng, self.kind)

    def is_complete(self):
        """Whether each variable is an index of a tensor: the others would be scalar operands, or have unknown sizes."""
        indices = {v for x in self.right.nodes() for v in (x.variables() if isinstance(x, Access) else [])}
        return indices.union(self.left.variables()) >= set(self.right.variables())

    def draw_truth(self):
        """A statement of or-and may be one of |=."""
        self.is_truth = self.semiring == "or-and" and self.how == "=" and self.rng.random() < 0.8
        self.drops_zeros = self.drops_zeros and not self.is_truth

    def assignment(self):
        return "|=" if self.is_truth else self.how

    def condition(self):
        return ""

    def command(self):
        right = self.right.text()
        if self.is_truth:
            right = right.replace(" * ", " & ").replace(" + ", " | ")
        command = ["tkern", "%s %s %s%s" % (self.left.text(), self.assignment(), right, self.condition())] + ["--type=" + self.kind.name] * (not self.mixed)
        for tensor in self.tensors.values():
            command += tensor.options(self.rng, self.kind)
        for v in dict.fromkeys(self.left.variables() + self.right.variables()):
            if self.size[v]:
                command += ["-d", "%s:%d" % (v, self.size[v])]
        if self.has_old:
            command += self.result.options(self.rng, self.kind)
        elif any(w for _, w in self.left.modes) or 0 in self.result.dims:
            command += ["-d", "R:" + ",".join(map(str, self.result.dims))]
        if self.result.format and not self.has_old:
            command += ["-f", "R:" + self.result.format]
        if not self.ordinary and not self.is_truth:
            command.append("--semiring=" + self.semiring)
        if self.drops_zeros:
            command.append("--drop-zeros")
        if self.rng.random() < 0.1:
            command.append("--index=" + self.rng.choice(["narrow", "16", "32", "64"]))
        command += ["-o", "R:R.out.mtx"] if self.is_complex else ["-o", "-"]
        return command + ["--function=" + text for name, text in defined.items() if name + "(" in right]

    def near(self, x, y):
        if self.semiring in ("or-and", "xor-and") or self.how in ("or=", "and=", "xor="):  # a single value may stay as it is
            return (x != 0) == (y != 0)
        if self.kind.whole:
            return self.kind.wrapped(int(x)) == self.kind.wrapped(int(y))
        if not abs(y) <= self.kind.largest:  # of complex values each part by itself
            return not abs(x) <= self.kind.largest
        if INF in (abs(x), abs(y)):
            return x == y
        return x == y or (x != x and y != y) or abs(x - y) <= self.tolerance * max(1, abs(x), abs(y))

    def old(self):
        """The entries of the result before; all cells of a dense one."""
        if self.is_dense and self.has_old:
            return {cell: self.result.entries.get(cell, self.kind.of(0)) for cell in itertools.product(*map(range, self.result.dims))}
        return self.result.entries

    def printed(self, text):
        """The entries of the text that tkern printed or wrote, as (cell, value)."""
        lines = text.splitlines()
        if text.startswith("# ext"):
            lines = lines[3:]
        if not self.is_complex:
            return [(tuple(int(c) - 1 for c in x[:-1]), self.kind.of(x[-1])) for x in map(str.split, lines)]
        head, lines = lines[0].split(), [x.split() for x in lines[1:]]
        dims = list(map(int, lines[0]))[:2 if "matrix" in head else 1]
        if "array" in head:
            cells = [c[::-1] for c in itertools.product(*map(range, reversed(dims)))]
            return [(c, complex(float(x[0]), float(x[1]))) for c, x in zip(cells, lines[1:])]
        return [(tuple(int(c) - 1 for c in x[:-2]), complex(float(x[-2]), float(x[-1]))) for x in lines[1:]]

    def ended(self, entries):
        """The entries that an ending keeps, as random_endings.py has, and those that are true."""
        return {cell: x for cell, x in entries.items() if x != 0} if self.is_truth and not self.is_dense else entries

    def fault(self, text):
        """What is wrong with the result that tkern printed, or None."""
        meaning = Meaning(self.left, self.how, self.right, self.size, self.world, self.old())
        modular = self.ordinary and self.how in ("=", "+=", "*=") and not any(isinstance(x, Call) for x in self.right.nodes())
        if self.kind.overflowed and not modular:
            return None
        want, got = self.ended(meaning.entries), {}
        if self.drops_zeros:
            want = {cell: x for cell, x in want.items() if self.kind.wrapped(x) != 0}
        for cell, value in self.printed(text):
            if cell in got and self.result.format in ("u", "coodup") and self.ordinary:  # it may keep the duplicates of an operand
                value += got[cell]
            elif cell in got:
                return "%s twice" % (cell,)
            got[cell] = value
        more, missing = sorted(set(got) - set(want)), [] if self.result.pads else sorted(set(want) - set(got))  # zeros of blocks are absent
        if self.result.format and not self.is_dense and self.tolerance < 1e-9 and (more or missing):
            return "too many %s, missing %s" % (more[:5], missing[:5])
        for cell in itertools.product(*map(range, self.result.dims)):
            x, y = got.get(cell, 0), want.get(cell, meaning.empty if self.is_dense else 0)
            if self.result.format is None and cell not in want and self.near(x, meaning.empty):
                continue
            if self.divides and not abs(y) < INF:
                continue  # the order of the operations decides between inf and NaN
            if self.how == "*=" and not (abs(x) < INF and abs(y) < INF):
                continue  # so does the order of the factors, also between 0 and NaN
            if not self.near(x, y):
                return "%s is %r, expected %r" % (cell, x, y)
        return None


# Items about loops, operands and results that a statement may lack; and items that go with every statement.
items = ["workspace(%s,dense)", "workspace(%s,bitmap)", "workspace(%s,hash)", "workspace(%s,list)", "assemble(two-pass)", "assemble(append)",
         "merge(%s)", "gallop(%s)", "locate(%s)", "convert(%T,csr)", "convert(%T,csc)", "precompute(%T,%T)",
         "reorder(%s,%s)", "reorder(%s,%s,%s)", "block(%s,2)", "unroll(%s,2)", "parallelize(%s)",
         "vectorize(%s)", "marked(16)", "marked(0)", "listed(4)", "listed(0)", "piece(8)", "private(R)", "exclusive(R)", "atomic(R)", "literal(%s)", "lanes(64)"]
general = ["serial", "scalar", "plain", "deterministic", "precompute(none)", "prefetch(2)", "prefetch(0)", "width(16)", "width(32)", "width(64)", "lanes(0)"]
general += ["without(%s)" % name for name in ("flags", "pieces", "room", "runs", "groups", "lanes", "slots", "windows", "prefetches", "ways", "columns", "unite")]


def random_schedule(rng, statement):
    """The schedule, and whether each of its items goes with every statement."""
    out, is_general = [], rng.random() < 0.4
    for _ in range(rng.choice([1, 1, 2, 3])):
        item = rng.choice(general if is_general or rng.random() < 0.4 else items)
        for mark, names in ("%s", statement.names), ("%T", list(statement.tensors) + ["R"]):
            for name in rng.sample(names, len(names)):
                item = item.replace(mark, name, 1)
        if "%" not in item and item not in out:
            out.append(item)
    if is_general and ("plain" in out or "scalar" in out):
        out = [x for x in out if not x.startswith("width")]  # which asks for vectors
    return ", ".join(out), is_general


def followed(command):
    """Print the plan, and run the command by the plan. Returns the exit code, the output and the messages."""
    at = command.index("-o")
    code, plan, said = run(*command[:at], *command[at + 2:], "--emit=plan")
    with open("R.plan", "w") as f:
        f.write(plan)
    return run(*command, "--plan=R.plan") if code == 0 else (code, "", said)


def formats_of_round(rng):
    """In some rounds all tensors of an order have one format."""
    common.clear()
    if rng.random() < 0.25:
        common.update({(order, pads): rng.choice(formats[order]) for formats, pads in [(stored, False), (padded, True)] for order in range(1, 5)})


def compared(name, statement, out, plan=None):
    """Expect the values that the statement has; out: what the command printed, if it did not write a file. False: numbers do not compare."""
    if statement.is_complex:
        with open("R.out.mtx") as f:
            out = f.read()
    try:
        fault = statement.fault(out)
    except (OverflowError, ValueError):  # exp of a large number
        return False
    expect(name, not fault, fault if plan is None else "%s\n%s" % (fault, plan))
    return True


def round_(number, engine, kind):
    """True: the result was compared."""
    rng = random.Random(number)
    formats_of_round(rng)
    statement = next(s for s in iter(lambda: kind(rng), None) if s.is_complete())
    plain = statement.command() + ["-j%d" % rng.choice([1, 2, 3, 7]), "--engine=" + engine]
    schedule, is_general = random_schedule(rng, statement)
    command = plain + ["--schedule=" + schedule] * (schedule != "")
    by_plan = rng.random() < 0.15
    code, out, said = followed(command) if by_plan else run(*command)
    if code in (1, 2, 3) and schedule and not is_general:  # it may name what the statement lacks
        command = plain
        code, out, said = followed(command) if by_plan else run(*command)
    name = "round %d: %s%s\n  " % (number, shlex.join(command), ", by its plan" if by_plan else "")
    expect(name, code == 0, "exit code %d: %s" % (code, said))
    if code != 0:
        return False
    return compared(name, statement, out)


def main(kind, nrounds, ncompiled):
    """Run the rounds that the arguments ask for, of statements of this class."""
    arguments = [a for a in sys.argv[1:] if a != "compiled"]
    compiled = "compiled" in sys.argv
    rounds = range(int(arguments[0]), int(arguments[1]) + 1) if len(arguments) > 1 else range(1, (ncompiled if compiled else nrounds) + 1)
    rounds = [number for number in rounds if case_runs(number)]
    os.environ["XDG_CACHE_HOME"] = os.path.join(own_folder(), "cache")
    compared = sum(round_(number, "jit" if compiled else "interpreter", kind) for number in rounds)
    expect("%d rounds" % len(rounds), compared >= len(rounds) // 2, "only %d of them gave a result" % compared)
    end()


if __name__ == "__main__":
    main(Statement, 240, 12)
