"""Random statements of index notation: functions, masks, windows, reductions, semirings and schedules, against an evaluator that visits
every point of the variables and shares nothing with Tessera but docs/notation.md.

    random_statements.py                          # the rounds of the ordinary test
    random_statements.py FIRST LAST [compiled]    # these rounds; the rounds that fail print their command

A round depends on its number alone. A schedule may be refused; a statement without one may not."""
import itertools
import math
import os
import random
import shlex
import sys

from checks import end, expect, own_folder, run

INF = float("inf")


def sign_of(x):
    return (x > 0) - (x < 0)


def quotient(x, y):
    if y:
        return x / y
    return math.nan if x == 0 or x != x else math.copysign(INF, x) * math.copysign(1, y)


def lesser(x, y):
    return x if x < y else y


def greater(x, y):
    return x if x > y else y


def either(x, y):
    return float(x != 0 or y != 0)


def both(x, y):
    return float(x != 0 and y != 0)


def one_of(x, y):
    return float((x != 0) != (y != 0))


def plus(x, y):
    return x + y


def times(x, y):
    return x * y


def first(x, y):
    return x


def second(x, y):
    return y


def pair(x, y):
    return 1.


# name: (function, number of arguments); the values of `exact` are integers for integers.
exact = {"min": (lesser, 2), "max": (greater, 2), "abs": (abs, 1), "square": (lambda x: x * x, 1), "sign": (sign_of, 1),
         "floor": (math.floor, 1), "ceil": (math.ceil, 1), "lt": (lambda x, y: x < y, 2), "le": (lambda x, y: x <= y, 2),
         "eq": (lambda x, y: x == y, 2), "ne": (lambda x, y: x != y, 2), "ge": (lambda x, y: x >= y, 2), "gt": (lambda x, y: x > y, 2),
         "and": (both, 2), "or": (either, 2), "xor": (one_of, 2), "not": (lambda x: x == 0, 1), "relu": (lambda x: x if x > 0 else 0., 1),
         "prod": (times, 2)}
inexact = {"exp": (math.exp, 1), "cos": (math.cos, 1), "sin": (math.sin, 1), "cube": (lambda x: x ** 3, 1), "hypot": (math.hypot, 2),
           "heaviside": (lambda x, y: 0. if x < 0 else 1. if x > 0 else y, 2)}
defined = {"relu": "relu(x) = x > 0 ? x : 0", "prod": "prod(x,y) = x*y; zero at x=0, y=0"}
annihilated = ("and", "prod")  # absent where any argument is

# name: (what joins two values, the value of a dense cell to which nothing contributes)
reductions = {"min=": (lesser, INF), "max=": (greater, -INF), "*=": (times, 1.), "or=": (either, 0.), "and=": (both, 1.),
              "xor=": (one_of, 0.)}
semirings = {"plus-times": (plus, times, 0.), "min-plus": (lesser, plus, INF), "max-plus": (greater, plus, -INF),
             "min-times": (lesser, times, INF), "max-times": (greater, times, -INF), "min-max": (lesser, greater, INF),
             "max-min": (greater, lesser, -INF), "or-and": (either, both, 0.), "xor-and": (one_of, both, 0.),
             "plus-min": (plus, lesser, 0.), "plus-max": (plus, greater, 0.), "plus-first": (plus, first, 0.),
             "plus-second": (plus, second, 0.), "plus-pair": (plus, pair, 0.), "min-first": (lesser, first, INF),
             "min-second": (lesser, second, INF), "max-first": (greater, first, -INF), "max-second": (greater, second, -INF)}
# Here x*(y + z) is not x*y + x*z (for negative values in the last two), so products of sums are not drawn.
undistributed = ("plus-min", "plus-max", "plus-first", "plus-second", "plus-pair", "min-times", "max-times")


# Windows: the coordinates that they take, with their text.
class Window:
    def __init__(self, at, text):
        self.at, self.text = at, text


def random_window(rng, size, length):
    """`size` coordinates below `length`: a list, or a range with a step."""
    if rng.random() < 0.3:
        at = rng.sample(range(length), size)
        return Window(at, "({%s})" % ",".join(map(str, at)))
    step = rng.choice([s for s in (1, 1, 1, 2, 3) if (size - 1) * s < length])
    span = (size - 1) * step + 1
    start = rng.randint(0, length - span)
    return Window(range(start, start + span, step), "(%d,%d%s)" % (start, start + span, ",%d" % step if step > 1 else ""))


# Expressions. at(point): the value, or None where the entry is absent; terms(): what is left after multiplying out, a list of
# (sign, factors, divisors).
class Node:
    has_entries = False
    inputs = ()

    def variables(self):
        return [v for x in self.inputs for v in x.variables()]

    def nodes(self):
        return [self] + [n for x in self.inputs for n in x.nodes()]

    def terms(self):
        return [(1, [self], [])]


class Number(Node):
    def __init__(self, value):
        self.value = value

    def text(self):
        return "%g" % self.value if self.value >= 0 else "(-%g)" % -self.value

    def at(self, point):
        return self.value


class Variable(Node):
    """A coordinate, as a value: it has entries everywhere, and is not a number to functions."""
    has_entries = True

    def __init__(self, name):
        self.name = name

    def text(self):
        return self.name

    def variables(self):
        return [self.name]

    def at(self, point):
        return float(point[self.name])


class Access(Node):
    """modes: (variable, window or None) each."""
    has_entries = True

    def __init__(self, tensor, modes, complement=False):
        self.tensor, self.modes, self.complement = tensor, modes, complement

    def text(self):
        modes = ",".join(v + (w.text if w else "") for v, w in self.modes)
        return "!" * self.complement + self.tensor.name + ("(%s)" % modes if modes else "")

    def variables(self):
        return [v for v, _ in self.modes]

    def cell(self, point):
        return tuple(w.at[point[v]] if w else point[v] for v, w in self.modes)

    def at(self, point):
        found = self.tensor.entries.get(self.cell(point), 0. if self.tensor.full else None)
        if self.complement:
            return 1. if found is None else None
        return found


class Negation(Node):
    def __init__(self, x):
        self.x, self.inputs, self.has_entries = x, (x,), x.has_entries

    def text(self):
        return "-" + self.x.text()

    def at(self, point):
        x = self.x.at(point)
        return None if x is None else -x

    def terms(self):
        return [(-s, f, d) for s, f, d in self.x.terms()]


class Operation(Node):
    """x op y: + - * /"""
    def __init__(self, op, x, y):
        self.op, self.x, self.y, self.inputs, self.has_entries = op, x, y, (x, y), x.has_entries or y.has_entries

    def text(self):
        return "(%s %s %s)" % (self.x.text(), self.op, self.y.text())

    def at(self, point):
        x, y = self.x.at(point), self.y.at(point)
        if self.op in "*/":
            if x is None or y is None:
                return None
            return x * y if self.op == "*" else quotient(x, y)
        if y is None:
            return x
        if self.op == "-":
            y = -y
        return y if x is None else x + y

    def terms(self):
        x = self.x.terms()
        if self.op == "/":
            return [(s, f, d + [self.y]) for s, f, d in x]
        y = self.y.terms()
        if self.op == "*":
            return [(s * t, f + g, d + e) for s, f, d in x for t, g, e in y]
        return x + ([(-s, f, d) for s, f, d in y] if self.op == "-" else y)


class Call(Node):
    def __init__(self, name, inputs):
        self.name, self.inputs, self.has_entries = name, inputs, any(x.has_entries for x in inputs)
        self.function = (exact.get(name) or inexact[name])[0]

    def text(self):
        return "%s(%s)" % (self.name, ", ".join(x.text() for x in self.inputs))

    def at(self, point):
        values = [x.at(point) for x in self.inputs]
        value = float(self.function(*[0. if v is None else v for v in values]))
        tensors = [v for v, x in zip(values, self.inputs) if x.has_entries]
        if self.name in annihilated:
            return None if None in values else value
        if not tensors or any(v is not None for v in tensors):
            return value
        return value if self.function(*[0. if x.has_entries else v for v, x in zip(values, self.inputs)]) != 0 else None


# Formats that store what they are given, and those that also store zeros, by order.
stored = {0: [], 1: ["s", "u", "s"],
          2: ["csr", "csc", "dcsr", "coo", "ss:1,0", "csru", "ell", "hash", "bitmap", "bytemap", "sell(2,4)", "jad", "uq:1,0", "hicoo(2)",
              "linear", "alto", "csb(2)", "vbl", "strips(2)", "csbc(2,2)", "srun", "bitmapc"],
          3: ["csf", "coo", "dss", "sds", "csf:2,0,1", "dds", "hicoo(2)", "alto", "linear", "suq", "dss:1,2,0"],
          4: ["csf", "coo", "ddss:3,2,1,0", "uqqq", "dsds"]}
padded = {0: [], 1: ["bvec(2)"],
          2: ["bcsr(2,2)", "sd", "dia", "band", "bcsr(2,3)", "bell(2)", "bdia(2)", "bcsrc(2,2)", "runs"],
          3: ["ssd", "sdd"], 4: ["sdsd"]}


class Tensor:
    def __init__(self, name, dims):
        self.name, self.dims = name, dims
        self.full, self.format, self.entries = not dims, None, {}

    def draw(self, rng, may_pad):
        """The format and the entries; of a full tensor, cells without an entry are 0."""
        order = len(self.dims)
        self.full = order == 0 or (self.name != "M" and rng.random() < 0.15)
        pads = may_pad and not self.full and self.name != "M" and rng.random() < 0.2
        if order:
            self.format = rng.choice(["dense", "densec"][:order] if self.full else (padded if pads else stored)[order])
        density = rng.choice([0, 0.15, 0.4, 0.4, 0.7, 1]) if order else 1
        for cell in itertools.product(*map(range, self.dims)):
            if rng.random() < density or not order:
                self.entries[cell] = float(rng.randint(-3, 3)) or float(pads)

    def options(self, rng):
        if not self.dims:
            return ["--scalar=%s=%g" % (self.name, self.entries[()])]
        lines = [" ".join("%d" % (c + 1) for c in cell) + " %g\n" % value for cell, value in self.entries.items()]
        if rng.random() < 0.5:
            rng.shuffle(lines)
        with open(self.name + ".tns", "w") as f:
            f.writelines(lines)
        return ["-i", "%s:%s.tns" % (self.name, self.name), "-f", self.name + ":" + self.format,
                "-d", self.name + ":" + ",".join(map(str, self.dims))]


class Statement:
    """left how right, with the sizes of the variables and the tensors by name."""
    orders = {"A": 2, "B": 2, "b": 1, "c": 1, "X": 3, "p": 0, "q": 0, "W": 4}

    def __init__(self, rng):
        self.rng, self.tensors, self.tolerance = rng, {}, 1e-12
        self.names = list("ijkl"[:rng.choice([1, 2, 2, 3, 3, 4])])
        self.size = {v: rng.choice([1, 1, 2, 3, 7, 9]) if rng.random() < 0.25 else rng.randint(2, 6) for v in self.names}
        self.windows, self.calls = rng.random() < 0.25, rng.random() < 0.5
        self.semiring = rng.choice(list(semirings)) if rng.random() < 0.2 else "plus-times"
        self.ordinary, self.distributes = self.semiring == "plus-times", self.semiring not in undistributed
        self.how = rng.choice(list(reductions)) if self.ordinary and rng.random() < 0.2 else "="
        self.right = self.expression(rng.choice([1, 2, 2, 3]))
        if rng.random() < 0.15:
            self.right = self.masked(self.right, not self.distributes or rng.random() < 0.7)
        if self.ordinary and rng.random() < 0.1:
            self.right = Operation("/", self.right, Number(rng.choice([2., 4., 8.])))
        self.draw_left()
        for tensor in self.tensors.values():
            tensor.draw(rng, self.ordinary)

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
        name = self.rng.choice("AABBXbcbcpqW" if len(self.names) < 4 else "AABBXXbcpW")
        if name not in self.tensors:
            modes = [self.new_mode() for _ in range(self.orders[name])]
            self.tensors[name] = Tensor(name, [length for length, _ in modes])
            return Access(self.tensors[name], [mode for _, mode in modes])
        modes = [self.old_mode(length) for length in self.tensors[name].dims]
        return Number(2.) if None in modes else Access(self.tensors[name], modes)

    def masked(self, x, complement):
        modes = [(self.rng.choice(self.names), None) for _ in range(2)]
        self.tensors["M"] = Tensor("M", [self.size[v] for v, _ in modes])
        return Operation("*", Access(self.tensors["M"], modes, complement), x)

    def leaf(self):
        x = self.rng.random()
        if x < 0.08:
            return Number(float(self.rng.randint(-2 if self.ordinary else 0, 4)))
        return Variable(self.rng.choice(self.names)) if x < 0.13 else self.access()

    def expression(self, depth, sums=True):
        x = self.rng.random()
        if depth == 0 or x < 0.15:
            return self.leaf()
        if x < 0.45 or 0.78 < x < 0.82 or not sums:
            return Operation("*", *(self.expression(depth - 1, sums and self.distributes) for _ in range(2)))
        if not self.ordinary:
            return Operation("+", self.expression(depth - 1), self.expression(depth - 1))
        if x < 0.75 or not self.calls:
            return Operation(self.rng.choice("++-"), self.expression(depth - 1), self.expression(depth - 1))
        if x <= 0.78:
            return Negation(self.expression(depth - 1))
        table = exact
        if self.rng.random() < 0.15:
            table, self.tolerance = inexact, 1e-9
        name = self.rng.choice(list(table))
        return Call(name, [self.expression(depth - 1) for _ in range(table[name][1])])

    def draw_left(self):
        rng, used = self.rng, list(dict.fromkeys(self.right.variables()))
        names = used if used and rng.random() < 0.9 else self.names
        left = rng.sample(names, min(len(names), rng.choice([0, 1, 1, 2, 2, 3])))
        if len(left) == 2 and self.how == "=" and self.ordinary and rng.random() < 0.05:
            left = [left[0]] * 2
        dims, modes = [self.size[v] for v in left], [(v, None) for v in left]
        if self.how == "=" and self.ordinary and len(set(left)) == len(left) and rng.random() < 0.1:
            for m, v in enumerate(left):
                if rng.random() < 0.6:
                    dims[m] += rng.randint(0, 4)
                    modes[m] = (v, random_window(rng, self.size[v], dims[m]))
        self.result = Tensor("R", dims)
        self.left = Access(self.result, modes)
        if dims:
            kinds = stored[len(dims)] if not self.ordinary or rng.random() < 0.7 else padded[len(dims)]
            self.result.format = rng.choice(["dense", "dense", None] + [rng.choice(kinds) for _ in range(6)])

    def is_complete(self):
        """Whether each variable is an index somewhere; the others would be scalar operands."""
        indices = {v for x in self.right.nodes() for v in (x.variables() if isinstance(x, Access) else [])}
        return indices.union(self.left.variables()) >= set(self.right.variables())

    def command(self):
        right = self.right.text()
        command = ["tkern", "%s %s %s" % (self.left.text(), self.how, right), "--type=f64"]
        for tensor in self.tensors.values():
            command += tensor.options(self.rng)
        for v in dict.fromkeys(self.left.variables() + self.right.variables()):
            command += ["-d", "%s:%d" % (v, self.size[v])]
        if any(w for _, w in self.left.modes):
            command += ["-d", "R:" + ",".join(map(str, self.result.dims))]
        if self.result.format:
            command += ["-f", "R:" + self.result.format]
        if not self.ordinary:
            command.append("--semiring=" + self.semiring)
        return command + ["--function=" + text for name, text in defined.items() if name + "(" in right]

    def points(self, names):
        return (dict(zip(names, at)) for at in itertools.product(*(range(self.size[v]) for v in names)))

    def reduced(self):
        """Entries of the result of min=, max=..."""
        join, _ = reductions[self.how]
        out = {}
        for point in self.points(list(dict.fromkeys(self.left.variables() + self.right.variables()))):
            x = self.right.at(point)
            if x is not None:
                cell = self.left.cell(point)
                x = float(x != 0) if join in (either, both, one_of) else x
                out[cell] = join(out[cell], x) if cell in out else x
        return out

    def product(self, sign, factors, divisors, point):
        """The product of a term at a point, or None. A complement takes away, and does not multiply."""
        values = [(x, x.at(point)) for x in factors + divisors]
        if any(v is None for _, v in values):
            return None
        times_ = semirings[self.semiring][1]
        out = None
        for x, v in values[:len(factors)]:
            if not getattr(x, "complement", False):
                out = v if out is None else times_(out, v)
        out = 1. if out is None else out
        for _, v in values[len(factors):]:
            out = quotient(out, v)
        return -out if sign < 0 else out

    def summed(self):
        """Entries of the result of =: each term by itself is summed over the variables that it has and the left has not."""
        add = semirings[self.semiring][0]
        out = {}
        for sign, factors, divisors in self.right.terms():
            inside = [v for x in factors + divisors for v in x.variables()]
            for point in self.points(list(dict.fromkeys(self.left.variables() + inside))):
                x = self.product(sign, factors, divisors, point)
                if x is not None:
                    cell = self.left.cell(point)
                    out[cell] = add(out[cell], x) if cell in out else x
        return out

    def near(self, x, y):
        if self.semiring in ("or-and", "xor-and"):  # a single term may keep its value
            return (x != 0) == (y != 0)
        return x == y or (x != x and y != y) or abs(x - y) <= self.tolerance * max(1, abs(x), abs(y))

    def fault(self, text):
        """What is wrong with the result that tkern printed, or None."""
        want = self.summed() if self.how == "=" else self.reduced()
        empty = reductions[self.how][1] if self.how != "=" else semirings[self.semiring][2]
        got = {}
        for line in text.splitlines()[3 if text.startswith("# ext") else 0:]:
            *cell, value = line.split()
            cell = tuple(int(c) - 1 for c in cell)
            if cell in got:
                return "%s twice" % (cell,)
            got[cell] = float(value)
        cells = list(itertools.product(*map(range, self.result.dims)))
        order = len(self.result.dims)
        if self.result.format in stored[order] and set(got) != set(want):
            return "too many %s, missing %s" % (sorted(set(got) - set(want))[:5], sorted(set(want) - set(got))[:5])
        for cell in cells:
            x, y = got.get(cell, 0.), want.get(cell, empty if self.result.format == "dense" or not order else 0.)
            if self.result.format is None and cell not in want and self.near(x, empty):
                continue
            if not self.near(x, y):
                return "%s is %r, expected %r" % (cell, x, y)
        return None


steps = ["workspace(%s,dense)", "workspace(%s,bitmap)", "workspace(%s,hash)", "workspace(%s,list)", "assemble(two-pass)", "assemble(append)",
         "merge(%s)", "gallop(%s)", "locate(%s)", "serial", "scalar", "convert(%T,csr)", "convert(%T,csc)", "precompute(%T,%T)",
         "precompute(none)", "reorder(%s,%s)", "reorder(%s,%s,%s)", "deterministic", "block(%s,2)", "unroll(%s,2)", "parallelize(%s)",
         "vectorize(%s)", "private(R)", "exclusive(R)", "atomic(R)", "prefetch(2)", "width(32)"]


def random_schedule(rng, statement):
    out = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        step = rng.choice(steps)
        for mark, names in ("%s", statement.names), ("%T", list(statement.tensors) + ["R"]):
            for name in rng.sample(names, len(names)):
                step = step.replace(mark, name, 1)
        if "%" not in step:
            out.append(step)
    return ", ".join(out)


def round_(number, engine):
    """True: the result was compared."""
    rng = random.Random(number)
    statement = next(s for s in iter(lambda: Statement(rng), None) if s.is_complete())
    command = statement.command() + ["-j%d" % rng.choice([1, 2, 3, 7]), "-o", "-", "--engine=" + engine]
    schedule = random_schedule(rng, statement) if rng.random() < 0.4 else ""
    if schedule:
        command.append("--schedule=" + schedule)
    code, out, said = run(*command)
    name = "round %d: %s\n  " % (number, shlex.join(command))
    if code != 0:
        expect(name, code in (1, 2, 3) and schedule, "exit code %d: %s" % (code, said))
        return False
    try:
        fault = statement.fault(out)
    except (OverflowError, ValueError):  # exp of a large number
        return False
    expect(name, not fault, fault)
    return True


arguments = [a for a in sys.argv[1:] if a != "compiled"]
rounds = range(int(arguments[0]), int(arguments[1]) + 1) if len(arguments) > 1 else range(1, 13 if "compiled" in sys.argv else 241)
os.environ["XDG_CACHE_HOME"] = os.path.join(own_folder(), "cache")
compared = sum(round_(number, "jit" if "compiled" in sys.argv else "interpreter") for number in rounds)
expect("%d rounds" % len(rounds), compared >= len(rounds) // 2, "only %d of them gave a result" % compared)
end()
