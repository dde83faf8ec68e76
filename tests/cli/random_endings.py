"""Random statements with an ending: a selection, `R(i,j) top(2)= ...`, a condition, `... where R > 1 and P(i) < j`, or both; or of
coordinates, `R(i) argmax(j)= ...`; against the evaluator of random_model.py, and sorting in Python.

    random_endings.py                          # the rounds of the ordinary test
    random_endings.py FIRST LAST [compiled]    # these rounds; the rounds that fail print their command"""
import itertools
import operator

import random_statements
from random_model import Access, Call, Meaning
from random_statements import Statement, Tensor, dense, main, random_format

compared = {"<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt}


class Condition:
    """A random condition on the value v of an entry and its coordinates: of() gives (text, function of v and the coordinates by name).
    A sparse operand with several modes stands in parts of its own alone, which `and` joins."""
    def __init__(self, rng, statement, names):
        self.rng, self.statement, self.names, self.operands = rng, statement, names, {}

    def operand(self, alone):
        """(text, function of the coordinates): an operand at the coordinates of the entry."""
        rng, name = self.rng, self.rng.choice("PQ")
        if name not in self.operands:
            modes = rng.sample(self.names, min(len(self.names), rng.choice([1, 1, 2])))
            tensor = Tensor(name, [self.statement.size[v] for v in modes])
            tensor.draw(rng, self.statement.kind, self.statement.ordinary)
            self.operands[name] = modes, tensor
        modes, tensor = self.operands[name]
        if not alone and not tensor.full and len(modes) > 1:
            return "1", lambda at: 1
        return "%s(%s)" % (name, ",".join(modes)), lambda at: tensor.entries.get(tuple(at[v] for v in modes), 0)

    def of(self, alone=True):
        rng, names = self.rng, self.names
        if rng.random() < 0.35:
            word = rng.choice(["and", "or"])
            x, y = self.of(alone and word == "and"), self.of(alone and word == "and")
            parts, join = ["(%s)" % t if " or " in t or " and " in t else t for t in (x[0], y[0])], all if word == "and" else any
            return "%s %s %s" % (parts[0], word, parts[1]), lambda v, at: join([x[1](v, at), y[1](v, at)])
        sign, number = rng.choice(list(compared)), rng.choice([-2, -1, 0, 0, 1, 1.5, 2, 4])
        of = compared[sign]
        shown = "%g" % number if number >= 0 else "-%g" % -number
        way, name = rng.randrange(8), rng.choice(names)
        if way == 0:
            return "R %s %s" % (sign, shown), lambda v, at: of(v, number)
        if way == 1:
            return "abs(R) %s %s" % (sign, shown), lambda v, at: of(abs(v), number)
        if way == 2:
            other = rng.choice(names)
            return "%s %s %s" % (name, sign, other), lambda v, at: of(at[name], at[other])
        if way == 3:
            return "2*R - %s %s %s" % (name, sign, shown), lambda v, at: of(2 * v - at[name], number)
        if way == 4:
            return "%s + 1 %s max(R, %s)" % (name, sign, name), lambda v, at: of(at[name] + 1, max(v, at[name]))
        text, value = self.operand(alone and way < 7)
        if way == 5:
            return "%s %s %s" % (text, sign, shown), lambda v, at: of(value(at), number)
        if way == 6 and alone:
            return "abs(2*%s) %s %s" % (text, sign, shown), lambda v, at: of(abs(2 * value(at)), number)
        text, value = self.operand(False)
        return "%s %s 1 + 2*R" % (text, sign), lambda v, at: of(value(at), 1 + 2 * v)


class Ended(Statement):
    """Without windows and other numbers than real ones, since a selection refuses them; and without quotients and functions whose values
    are rounded, which could change an order."""

    def __init__(self, rng):
        while True:
            super().__init__(rng)
            at = [v for v, _ in self.left.modes]
            plain = len(set(at)) == len(at) > 0 and not any(w for _, w in self.left.modes)
            rounds = self.divides or self.tolerance == 1e-9 or self.is_complex
            logical = self.semiring in ("or-and", "xor-and") or self.how in ("or=", "and=", "xor=")  # a value may stay as it is
            if plain and not rounds and not logical and not self.is_dense:
                break
        self.count = rng.choice([1, 1, 2, 3, 5]) if rng.random() < 0.7 and self.how == "=" else 0
        self.word, self.by_abs = rng.choice(["top", "bottom"]), rng.random() < 0.3
        condition = Condition(rng, self, at)
        self.where = condition.of() if not self.count or rng.random() < 0.3 else None
        self.whole, self.gives_place = self.left, False
        if self.count and at[-1] in self.right.variables() and rng.random() < 0.4:
            self.give_place(rng)
        if self.where:
            self.tensors.update((name, tensor) for name, (_, tensor) in condition.operands.items() if name + "(" in self.where[0])

    def give_place(self, rng):
        """The result holds the coordinates of the last mode that it had."""
        self.count, self.where, self.gives_place, self.drops_zeros = 1, None, True, False
        modes, order = self.whole.modes[:-1], len(self.whole.modes) - 1
        self.result = Tensor("R", self.result.dims[:-1])
        self.result.pads = False
        self.result.format = rng.choice([None, rng.choice(dense[order]), random_format(rng, order, False)]) if order else None
        self.is_dense = not order or self.result.format in dense[order]
        self.left = Access(self.result, modes)

    def assignment(self):
        if self.gives_place:
            return "%s(%s%s)=" % ("argmax" if self.word == "top" else "argmin", self.whole.modes[-1][0], ", abs" if self.by_abs else "")
        return "%s(%d%s)=" % (self.word, self.count, ", abs" if self.by_abs else "") if self.count else self.how

    def condition(self):
        if not self.where:
            return ""
        text = self.where[0]
        if text.startswith("R ") and len(text) % 2:
            text = self.left.text() + text[1:]
        return " where " + text

    def ended(self, entries):
        names = [v for v, _ in self.left.modes]
        entries = {cell: self.kind.wrapped(x) for cell, x in entries.items()}
        if self.where:
            entries = {cell: x for cell, x in entries.items() if self.where[1](x, dict(zip(names, cell)))}
        rows = {}
        for cell, x in entries.items():
            rows.setdefault(cell[:-1], []).append((cell, x))
        sign = 1 if self.word == "bottom" else -1

        def order(entry):
            x = abs(entry[1]) if self.by_abs else entry[1]
            return (x != x, 0 if x != x else sign * x, entry[0])

        return dict(e for row in rows.values() for e in (sorted(row, key=order)[:self.count] if self.count else row))

    def fault(self, text):
        if not self.gives_place:
            return super().fault(text)
        entries = Meaning(self.whole, "=", self.right, self.size, self.world, {}).entries
        if self.kind.overflowed and any(isinstance(x, Call) for x in self.right.nodes()):
            return None
        want, got = {cell[:-1]: cell[-1] for cell in self.ended(entries)}, dict(self.printed(text))
        for cell in itertools.product(*map(range, self.result.dims)):
            shows_zeros = self.result.format and not self.is_dense  # the text of a dense result, which the default may be, has none
            nothing = [-1] if self.is_dense else [None] if shows_zeros else [-1, 0]
            wanted = [x if x is None else self.kind.wrapped(x) for x in ([want[cell]] if cell in want else nothing)]
            if got.get(cell, None if shows_zeros else 0) not in wanted:
                return "%s is %r, expected one of %s" % (cell, got.get(cell), wanted)
        return None


if __name__ == "__main__":
    random_statements.items += ["workspace(%s,hash)", "assemble(append)"]
    main(Ended, 160, 8)
