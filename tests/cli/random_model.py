"""Statements of index notation and what they mean, after docs/notation.md: an evaluator that visits every point of the variables, for
random_statements.py. It shares nothing with Tessera."""
import itertools
import math

INF = float("inf")


# Types of values. Integers are computed without a limit; `overflowed` then says that a value did not fit.
class Kind:
    def __init__(self, name):
        self.name, self.letter, bits = name, name[0], int(name[1:])
        self.whole = self.letter in "iu"
        self.tolerance = 1e-4 if name in ("f32", "c64") else 1e-12
        self.least, self.most = -INF, INF
        self.largest = 3e38 if name == "c64" else INF  # finite value
        self.overflowed = False
        if self.whole:
            self.modulus = 1 << bits
            self.least = -(1 << bits - 1) if self.letter == "i" else 0
            self.most = self.least + self.modulus - 1

    def of(self, x):
        return int(x) if self.whole else complex(x) if self.letter == "c" else float(x)

    def draw(self, rng, nonzero=False):
        x = rng.randint(0 if self.letter == "u" else -3, 3)
        if self.letter == "c":
            return complex(x or nonzero, rng.randint(-3, 3))
        return self.of(x or nonzero)

    def infinite(self, x):
        """inf and -inf, of integers the greatest and the least value."""
        return x if abs(x) != INF else self.most if x > 0 else self.least

    def checked(self, x):
        self.overflowed = self.overflowed or not self.whole or not self.least <= x <= self.most
        return x

    def wrapped(self, x):
        return (x - self.least) % self.modulus + self.least if self.whole else x

    def text(self, x):
        return "%g%+gi" % (x.real, x.imag) if self.letter == "c" else "%g" % x


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


def least(x, y):
    return x if x != x or x <= y else y


def largest(x, y):
    return x if x != x or x >= y else y


def either(x, y):
    return int(x != 0 or y != 0)


def both(x, y):
    return int(x != 0 and y != 0)


def one_of(x, y):
    return int((x != 0) != (y != 0))


def plus(x, y):
    return x + y


def times(x, y):
    return x * y


def first(x, y):
    return x


def second(x, y):
    return y


def pair(x, y):
    return 1


# name: (function, number of arguments); the values of `exact` are integers for integers.
exact = {"min": (lesser, 2), "max": (greater, 2), "abs": (abs, 1), "square": (lambda x: x * x, 1), "sign": (sign_of, 1),
         "floor": (math.floor, 1), "ceil": (math.ceil, 1), "lt": (lambda x, y: x < y, 2), "le": (lambda x, y: x <= y, 2),
         "eq": (lambda x, y: x == y, 2), "ne": (lambda x, y: x != y, 2), "ge": (lambda x, y: x >= y, 2), "gt": (lambda x, y: x > y, 2),
         "and": (both, 2), "or": (either, 2), "xor": (one_of, 2), "not": (lambda x: x == 0, 1), "relu": (lambda x: x if x > 0 else 0, 1),
         "prod": (times, 2)}
inexact = {"exp": (math.exp, 1), "cos": (math.cos, 1), "sin": (math.sin, 1), "cube": (lambda x: x ** 3, 1), "hypot": (math.hypot, 2),
           "heaviside": (lambda x, y: 0 if x < 0 else 1 if x > 0 else y, 2)}


def hash_of(x, y, *more):
    if more:
        return hash_of(hash_of(x, y) * 2 ** 53, *more)
    a = (int(x) * 0x9e3779b97f4a7c15 + int(y) * 0xc2b2ae3d27d4eb4f + 0x165667b19e3779f9) % 2 ** 64
    b = (a ^ a >> 32) * 0xbf58476d1ce4e5b9 % 2 ** 64
    c = (b ^ b >> 29) * 0x94d049bb133111eb % 2 ** 64
    return (c >> 11) / 2 ** 53


inexact["uniform"] = (hash_of, 2)
of_coordinates = ("uniform",)  # not continuous: of numbers that are not rounded
defined = {"relu": "relu(x) = x > 0 ? x : 0", "prod": "prod(x,y) = x*y; zero at x=0, y=0"}
annihilated = ("and", "prod")  # absent where any argument is

# name: (what joins two values, the value of a dense cell to which nothing contributes)
reductions = {"min=": (least, INF), "max=": (largest, -INF), "*=": (times, 1), "or=": (either, 0), "and=": (both, 1), "xor=": (one_of, 0)}
logical = (either, both, one_of)


class Ring:
    """distributes: whether x*(y + z) is x*y + x*z for all values, negative ones too."""
    def __init__(self, plus, times, absent, distributes=True):
        self.plus, self.times, self.absent, self.distributes = plus, times, absent, distributes


semirings = {"plus-times": Ring(plus, times, 0), "min-plus": Ring(least, plus, INF), "max-plus": Ring(largest, plus, -INF),
             "min-times": Ring(least, times, INF, False), "max-times": Ring(largest, times, -INF, False),
             "min-max": Ring(least, greater, INF), "max-min": Ring(largest, lesser, -INF), "or-and": Ring(either, both, 0),
             "xor-and": Ring(one_of, both, 0), "plus-min": Ring(plus, lesser, 0, False), "plus-max": Ring(plus, greater, 0, False),
             "plus-first": Ring(plus, first, 0, False), "plus-second": Ring(plus, second, 0, False),
             "plus-pair": Ring(plus, pair, 0, False), "min-first": Ring(least, first, INF), "min-second": Ring(least, second, INF),
             "max-first": Ring(largest, first, -INF), "max-second": Ring(largest, second, -INF)}


class Window:
    """The coordinates that a window takes, with its text."""
    def __init__(self, at, text):
        self.at, self.text = at, text


class World:
    """What values mean in a statement: their type, and + and *."""
    def __init__(self, kind, ring):
        self.kind, self.ring = kind, ring


# Expressions. at(point, world): the value, or None where the entry is absent; terms(world): what is left after multiplying out, a list
# of (sign, factors, divisors).
class Node:
    has_entries = False
    inputs = ()

    def variables(self):
        return [v for x in self.inputs for v in x.variables()]

    def nodes(self):
        return [self] + [n for x in self.inputs for n in x.nodes()]

    def factors(self):
        return [self]

    def terms(self, world):
        return [(1, [self], [])]


class Number(Node):
    def __init__(self, value):
        self.value = value

    def text(self):
        return "%g" % self.value if self.value >= 0 else "(-%g)" % -self.value

    def at(self, point, world):
        return world.kind.of(self.value)


class Variable(Node):
    """A coordinate, as a value: it has entries everywhere, and is not a number to functions."""
    has_entries = True

    def __init__(self, name):
        self.name = name

    def text(self):
        return self.name

    def variables(self):
        return [self.name]

    def at(self, point, world):
        return world.kind.of(point[self.name])


class Band(Node):
    """1 where the difference of the second coordinate and the first is in an interval; ends that are None: there is no end."""
    has_entries = True

    def __init__(self, names, low, high):
        self.names, self.low, self.high = names, low, high

    def text(self):
        name = "tril" if self.low is None else "triu" if self.high is None else "eye" if self.low == self.high else "band"
        offsets = [x for x in ([self.low] if name == "eye" else [self.low, self.high]) if x is not None]
        return "%s(%s)" % (name, ",".join(self.names + ["%d" % x for x in offsets if x != 0 or name == "band"]))

    def variables(self):
        return self.names

    def at(self, point, world):
        x = point[self.names[1]] - point[self.names[0]]
        return world.kind.of(1) if (self.low is None or self.low <= x) and (self.high is None or x <= self.high) else None


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

    def at(self, point, world):
        found = self.tensor.entries.get(self.cell(point), 0 if self.tensor.full else None)
        if self.complement:
            return world.kind.of(1) if found is None else None
        return found


class Negation(Node):
    def __init__(self, x):
        self.x, self.inputs, self.has_entries = x, (x,), x.has_entries

    def text(self):
        return "-" + self.x.text()

    def at(self, point, world):
        x = self.x.at(point, world)
        return None if x is None else world.kind.checked(-x)

    def terms(self, world):
        return [(-s, f, d) for s, f, d in self.x.terms(world)]


def product(factors, divisors, point, world):
    """The product at a point, or None. A complement takes away, and does not multiply."""
    values = [(x, x.at(point, world)) for x in factors + divisors]
    if any(v is None for _, v in values):
        return None
    out = None
    for x, v in values[:len(factors)]:
        if not getattr(x, "complement", False):
            out = v if out is None else world.kind.checked(world.ring.times(out, v))
    out = world.kind.of(1) if out is None else out
    for _, v in values[len(factors):]:
        out = quotient(out, v)
    return out


class Operation(Node):
    """x op y: + - * /"""
    def __init__(self, op, x, y):
        self.op, self.x, self.y, self.inputs, self.has_entries = op, x, y, (x, y), x.has_entries or y.has_entries

    def text(self):
        return "(%s %s %s)" % (self.x.text(), self.op, self.y.text())

    def at(self, point, world):
        if self.op == "*":
            return product(self.factors(), [], point, world)
        x, y = self.x.at(point, world), self.y.at(point, world)
        if self.op == "/":
            return None if x is None or y is None else quotient(x, y)
        if y is None:
            return x
        if self.op == "-":
            y = world.kind.checked(-y)
        return y if x is None else world.kind.checked(world.ring.plus(x, y))

    def factors(self):
        return self.x.factors() + self.y.factors() if self.op == "*" else [self]

    def terms(self, world):
        if self.op == "*" and not world.ring.distributes:
            return [(1, self.factors(), [])]
        x = self.x.terms(world)
        if self.op == "/":
            return [(s, f, d + [self.y]) for s, f, d in x]
        y = self.y.terms(world)
        if self.op == "*":
            return [(s * t, f + g, d + e) for s, f, d in x for t, g, e in y]
        return x + ([(-s, f, d) for s, f, d in y] if self.op == "-" else y)


class Call(Node):
    def __init__(self, name, inputs):
        self.name, self.inputs, self.has_entries = name, inputs, any(x.has_entries for x in inputs)
        self.function = (exact.get(name) or inexact[name])[0]

    def text(self):
        return "%s(%s)" % (self.name, ", ".join(x.text() for x in self.inputs))

    def at(self, point, world):
        values = [x.at(point, world) for x in self.inputs]
        value = world.kind.checked(world.kind.of(self.function(*[0 if v is None else v for v in values])))
        tensors = [v for v, x in zip(values, self.inputs) if x.has_entries]
        if self.name in annihilated:
            return None if None in values else value
        if not tensors or any(v is not None for v in tensors):
            return value
        return value if self.function(*[0 if x.has_entries else v for v, x in zip(values, self.inputs)]) != 0 else None


class Meaning:
    """The entries of the result of: left how right. old: the entries of the result before; None: there was no result."""
    def __init__(self, left, how, right, size, world, old):
        self.left, self.how, self.right, self.size, self.world = left, how, right, size, world
        self.join = reductions[how][0] if how in reductions else world.ring.plus
        self.empty = world.kind.infinite(reductions[how][1] if how in reductions else world.ring.absent)
        self.entries = dict(old or {})
        if how in reductions:
            self.reduce()
        else:
            self.sum()

    def points(self, names):
        return (dict(zip(names, at)) for at in itertools.product(*(range(self.size[v]) for v in dict.fromkeys(names))))

    def add(self, cell, x):
        known = self.entries.get(cell)
        self.entries[cell] = x if known is None else self.world.kind.checked(self.join(known, x))

    def reduce(self):
        """min=, max=...: the right side at all points of the variables."""
        for point in self.points(list(dict.fromkeys(self.left.variables() + self.right.variables()))):
            x = self.right.at(point, self.world)
            if x is not None:
                self.add(self.left.cell(point), int(x != 0) if self.join in logical else x)

    def sum(self):
        """= and +=: each term by itself is summed over the variables that it has and the left has not."""
        for sign, factors, divisors in self.right.terms(self.world):
            inside = [v for x in factors + divisors for v in x.variables()]
            for point in self.points(list(dict.fromkeys(self.left.variables() + inside))):
                x = product(factors, divisors, point, self.world)
                if x is not None:
                    self.add(self.left.cell(point), self.world.kind.checked(-x) if sign < 0 else x)
