"""Random statements of semirings and reductions with one sparse operand, in any format, beside dense ones: such loops walk the operand. Terms
with a minus, sums that are reduced, `|=`, results with the levels of the operand; against the evaluator of random_model.py.

    random_rings.py                          # the rounds of the ordinary test
    random_rings.py FIRST LAST [compiled]    # these rounds; the rounds that fail print their command"""
from random_model import Access, Negation, Number, Operation, reductions
from random_statements import Statement, dense, main, random_format


class Walked(Statement):
    def __init__(self, rng):
        while True:
            super().__init__(rng)
            self.draw_truth()
            if self.windows and rng.random() < 0.7:
                continue
            if (not self.ordinary or self.how in reductions) and not self.is_complex and "A" in self.tensors:
                break
        for name, tensor in self.tensors.items():
            order = len(tensor.dims)
            if name == "A":
                tensor.full, tensor.pads, tensor.entries = False, rng.random() < 0.4, {}
                tensor.format = random_format(rng, order, tensor.pads)
                if not tensor.pads and rng.random() < 0.2:
                    tensor.format, tensor.parts = "coodup", 1  # which keeps the parts of an entry
                tensor.fill(rng, self.kind)
            elif order:
                tensor.full, tensor.pads, tensor.format = True, False, rng.choice(dense[order])
        if self.how != "=" and self.result.dims and rng.random() < 0.7:
            self.result.format, self.result.pads, self.is_dense, self.drops_zeros = rng.choice(dense[len(self.result.dims)]), False, True, False
        self.share_levels()

    def share_levels(self):
        """The result often has the entries of A and its format."""
        A = self.tensors["A"]
        modes = next(x for x in self.right.nodes() if isinstance(x, Access) and x.tensor is A).modes
        if self.how != "=" or any(w for _, w in modes) or self.rng.random() < 0.2 or modes[0][0] == modes[1][0]:
            return
        self.result.dims, self.result.format, self.result.pads, self.result.entries = A.dims, A.format, A.pads, {}
        self.left, self.is_dense, self.drops_zeros, self.has_old = Access(self.result, modes), False, False, False

    def masked(self, x, complement):
        return x

    def factor(self):
        if self.rng.random() < 0.15:
            return Number(float(self.rng.randint(0, 4)))
        return self.named(self.rng.choice("BBbcbcXp"))

    def term(self):
        """A product with A among its factors."""
        factors = [self.factor() for _ in range(self.rng.choice([0, 1, 1, 2, 2, 3]))]
        factors.insert(self.rng.randint(0, len(factors)), self.named("A"))
        out = factors[0]
        for x in factors[1:]:
            out = Operation("*", out, x)
        if self.how in reductions and self.kind.letter != "u" and self.rng.random() < 0.4:
            out = Negation(out)
        return out

    def expression(self, depth):
        if depth < 1:
            return self.factor()
        out = self.term()
        for _ in range(self.rng.choice([0, 0, 0, 1, 1, 2])):
            more = self.term() if self.rng.random() < 0.6 else self.factor()
            signs = "+-" if self.how in reductions and self.kind.letter != "u" else "+"
            out = Operation(self.rng.choice(signs), out, more)
        return out


if __name__ == "__main__":
    main(Walked, 160, 8)
