# SPDX-License-Identifier: Apache-2.0
#
# Forms of several moves of random shapes, one after the other.

from tosa import LIMITS, size_of
from tosa_form import form


class Chain:
    """A value that each step moves on."""

    def __init__(self, graph, random):
        self.graph, self.random = graph, random
        self.element = ("i8", "i16", "i32")[random.between(0, 2)]
        shape = tuple(random.between(1, 3) for _ in range(random.between(2, 6)))
        self.value = graph.input(shape, self.numbers(shape), self.element)

    def numbers(self, shape):
        return self.random.codes(shape, *LIMITS[self.element])

    def often(self):
        return self.random.between(0, 1) == 1

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.random.between(0, i)
            items[i], items[j] = items[j], items[i]
        return items

    def shape_of(self, count, rank):
        """A shape of `rank` with as many elements."""
        shape, prime = [1] * rank, 2
        while count > 1:
            if count % prime:
                prime += 1
                continue
            shape[self.random.between(0, rank - 1)] *= prime
            count //= prime
        return tuple(shape)

    def constant(self, shape):
        return self.graph.constant(shape, self.numbers(shape), self.element)

    def transpose(self, x):
        return self.graph.transpose(x, self.shuffled(range(len(x.shape))))

    def reshape(self, x):
        return self.graph.reshape(x, self.shape_of(size_of(x.shape), self.random.between(1, 7)))

    def pad(self, x):
        amounts = [max(self.random.between(-2, 2), 0) for _ in range(2 * len(x.shape))]
        return self.graph.pad(x, amounts, self.numbers((1,))[0])

    def slice(self, x):
        start = [self.random.between(0, extent - 1) if self.often() else 0 for extent in x.shape]
        rest = [extent - first for extent, first in zip(x.shape, start)]
        size = [self.random.between(1, most) if self.often() else most for most in rest]
        return self.graph.slice(x, start, tuple(size))

    def concat(self, x):
        axis = self.random.between(0, len(x.shape) - 1)
        shape = list(x.shape)
        shape[axis] = self.random.between(1, 3)
        return self.graph.concat(self.shuffled([x, self.constant(shape), x]), axis)

    def tile(self, x):
        return self.graph.tile(x, [self.random.between(1, 2) for _ in x.shape])

    def reverse(self, x):
        return self.graph.reverse(x, self.random.between(0, len(x.shape) - 1))

    def gather(self, x):
        x = self.graph.reshape(x, self.shape_of(size_of(x.shape), 3))
        batches, rows, _ = x.shape
        return self.graph.gather(x, [self.random.between(0, rows - 1) for _ in range(3 * batches)])

    def scatter(self, x):
        x = self.graph.reshape(x, self.shape_of(size_of(x.shape), 3))
        batches, rows, channels = x.shape
        count = self.random.between(1, rows)
        places = sum((self.shuffled(range(rows))[:count] for _ in range(batches)), [])
        return self.graph.scatter(x, places, self.constant((batches, count, channels)))

    def select(self, x):
        shapes = [[extent if self.often() else 1 for extent in x.shape] for _ in range(2)]
        condition = [self.often() for _ in range(size_of(shapes[0]))]
        other = self.constant(shapes[1])
        return self.graph.select(self.graph.constant(shapes[0], condition, "i1"), other, x)

    def run(self):
        steps = (
            self.transpose, self.reshape, self.pad, self.slice, self.concat, self.tile,
            self.reverse, self.gather, self.scatter, self.select,
        )
        for step in self.shuffled(steps)[:5]:
            if size_of(self.value.shape) < 500:
                self.value = step(self.value)
        return self.value


for number in range(30):

    @form("chain of moves %d" % number)
    def _(graph, random):
        return Chain(graph, random).run()
