"""Random statements with choices, `x < y ? a : b`, by values and by the difference of two indices, formulas with names, and results of
`|=`; against the evaluator of random_model.py.

    random_choices.py                          # the rounds of the ordinary test
    random_choices.py FIRST LAST [compiled]    # these rounds; the rounds that fail print their command"""
import operator

from random_model import Band, Call, Node, Number, Operation, Variable, both, times
from random_statements import Statement, main

signs = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "ge": ">=", "gt": ">"}
compared = {"<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt}


class Compared(Call):
    """x < y: a call of lt, written with its sign."""
    def text(self):
        return "(%s %s %s)" % (self.inputs[0].text(), signs[self.name], self.inputs[1].text())


def is_zero(x):
    return isinstance(x, Number) and x.value == 0


class Choice(Node):
    """cond ? a : b. Where both branches may be absent, the entry is there if one of them is; a branch that is the number 0 never is."""
    def __init__(self, cond, a, b):
        self.inputs, self.has_entries = (cond, a, b), any(x.has_entries for x in (cond, a, b))

    def text(self):
        return "(%s ? %s : %s)" % tuple(x.text() for x in self.inputs)

    def at(self, point, world):
        c, a, b = [x.at(point, world) for x in self.inputs]
        cond, a_is, b_is = self.inputs[0], not is_zero(self.inputs[1]), not is_zero(self.inputs[2])
        holds = c is not None and c != 0
        first = (a if holds else 0) if a_is and a is not None and c is not None else None
        second = (0 if holds else b) if b_is and b is not None else None
        if is_zero(self.inputs[2]) and not a_is:  # when(c, 0)
            first = None if c is None else 0
        if first is None and second is None:
            return None
        return world.kind.of((first or 0) + (second or 0))


class Stripes(Node):
    """A chain of choices by the difference of two coordinates, which ends with 0: absent where no condition holds."""
    has_entries = True

    def __init__(self, names, conditions, leaves):
        self.names, self.conditions, self.leaves, self.called = names, conditions, leaves, None

    def formula(self, first, second):
        text = "".join("%s ? %s : " % (c[0] % {"u": first, "v": second}, leaf.text()) for c, leaf in zip(self.conditions, self.leaves)) + "0"
        return text.replace("(row)", first).replace("(column)", second)

    def text(self):
        return "%s(%s,%s)" % (self.called, *self.names) if self.called else "(%s)" % self.formula(*self.names)

    def variables(self):
        return self.names

    def at(self, point, world):
        u, v = (point[x] for x in self.names)
        for (_, holds), leaf in zip(self.conditions, self.leaves):
            if holds(v - u):
                x = leaf.value if isinstance(leaf, Number) else u if leaf.text() == "(row)" else v
                return None if is_zero(leaf) else world.kind.of(x)
        return None


def random_stripe(rng):
    """(text with %(u)s and %(v)s, function of the difference v - u)."""
    sign, n = rng.choice(list(compared)), rng.randint(-2, 3)
    of, plus = compared[sign], "+%d" % n if n >= 0 else "-%d" % -n
    way = rng.randrange(6)
    if way == 0:
        return "abs(%%(u)s - %%(v)s) %s %d" % (sign, abs(n)), lambda d: of(abs(d), abs(n))
    if way == 1:
        return "%%(v)s %s %%(u)s %s" % (sign, plus), lambda d: of(d, n)
    if way == 2:
        return "2*%%(u)s - 2*%%(v)s %s %d" % (sign, 2 * n + 1), lambda d: of(-2 * d, 2 * n + 1)
    if way == 3:
        return "not(%%(u)s %s %%(v)s)" % sign, lambda d: not of(0, d)
    x, y = random_stripe(rng), random_stripe(rng)
    word = rng.choice(["and", "or"])
    join = all if word == "and" else any
    return "(%s) %s (%s)" % (x[0], word, y[0]), lambda d: join([x[1](d), y[1](d)])


class Chosen(Statement):
    def __init__(self, rng):
        self.formulas = []
        while True:
            self.stripes = []
            super().__init__(rng)
            seen = [x for x in self.right.nodes() if isinstance(x, (Choice, Stripes))]
            self.draw_truth()
            # integers of coordinates go through doubles, and so do other semirings, whose absent integers are too large for them
            counts = any(isinstance(x, (Variable, Band, Stripes)) for x in self.right.nodes())
            divided = [x for x in self.right.nodes() if isinstance(x, Operation) and x.op == "/" and any(isinstance(y, Stripes) for y in x.y.nodes())]
            fits = (not counts or (self.kind.letter == "f" and self.ordinary)) and not divided  # by a sum of bands
            if fits and not self.is_complex and (seen or self.is_truth):
                break
        self.formulas = []
        for k, x in enumerate(seen):
            if isinstance(x, Stripes) and rng.random() < 0.4:
                x.called = "F%d" % k
                self.formulas.append("%s(m,n) : %s; " % (x.called, x.formula("m", "n")))

    def band(self):
        if self.rng.random() < 0.2 or self.world.ring.times not in (times, both):
            return super().band()
        names = self.rng.sample([v for v in self.names if self.size[v]], 2)
        n = self.rng.choice([1, 1, 2, 3])
        leaves = [self.rng.choice([Number(float(self.rng.randint(0, 4))), Number(1.), Variable("(row)"), Variable("(column)")]) for _ in range(n)]
        return Stripes(names, [random_stripe(self.rng) for _ in range(n)], leaves)

    def leaf(self):
        several = sum(n > 0 for n in self.size.values()) > 1
        return self.band() if several and self.rng.random() < 0.15 and self.kind.letter != "c" else super().leaf()

    def call(self, depth):
        if self.rng.random() < 0.5:
            return super().call(depth)
        cond = Compared(self.rng.choice(list(signs)), [self.expression(depth - 1), self.expression(depth - 1)])
        way = self.rng.random()
        chooses = any(isinstance(x, Stripes) or (isinstance(x, Choice) and not is_zero(x.inputs[1]) and not is_zero(x.inputs[2])) for x in cond.nodes())
        a = Number(0.) if way < 0.2 or chooses else self.expression(depth - 1)
        return Choice(cond, a, Number(0.) if way > 0.6 else self.expression(depth - 1))

    def command(self):
        command = super().command()
        command[1] = "".join(self.formulas) + command[1]
        return command


if __name__ == "__main__":
    main(Chosen, 160, 8)
