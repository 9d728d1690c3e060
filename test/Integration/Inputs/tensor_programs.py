# SPDX-License-Identifier: Apache-2.0
"""Makes random functions on tensors whose values, slices and destinations are shared and
read in any order, as no network does. Everything follows from the seed."""

import itertools
import random

from tensor_control import Block, Call, For, Function, If, While
from tensor_ops import (KERNELS, Compare, Empty, ExtractSlice, InsertSlice, Kernel, PartialMove,
                        Reshape, Select, Slice, Value)

# Whole tensors, and for each the parts that are taken from it.
VECTOR, MATRIX = (24,), (6, 4)
PARTS = {VECTOR: (4,), MATRIX: (2, 2)}
RESHAPED = {(24,): (6, 4), (6, 4): (24,), (4,): (2, 2), (2, 2): (4,)}
# Loops run at most so often, and nest so deep.
ITERATIONS, DEPTH = 4, 2


class Scope:
    """What operations of a block may use: tensors, those of them that are empty, and names of
    indices below ITERATIONS."""

    def __init__(self, tensors=(), empties=(), indices=()):
        self.tensors, self.empties, self.indices = list(tensors), list(empties), list(indices)

    def copy(self):
        return Scope(self.tensors, self.empties, self.indices)

    def of_shape(self, shape):
        return [value for value in self.tensors if value.shape == shape]


class Generator:
    """Makes the body of one function."""

    STEPS = {"empty": 8, "kernel": 25, "move": 10, "slice": 8, "insert": 6, "update": 22,
             "reshape": 2, "select": 2, "condition": 9, "loop": 16, "while_loop": 3, "call": 2}

    def __init__(self, rng, name):
        self.random, self.name = rng, name
        self.numbers = itertools.count(1)
        self.called = []

    def function(self, arguments, steps):
        scope = Scope(arguments)
        ops = self.block(scope, steps, 0)
        wholes = [value for value in scope.tensors if value.shape in PARTS]
        returned = [self.recent(wholes) for _ in range(self.random.randrange(1, 5))]
        return Function(self.name, arguments, ops, returned, self.called)

    def block(self, scope, steps, depth):
        """Operations that add to `scope`."""
        names, weights = zip(*self.STEPS.items())
        ops = []
        for step in self.random.choices(names, weights, k=steps):
            ops += getattr(self, step)(scope, depth)
        return ops

    # Values.

    def new_name(self):
        return f"v{next(self.numbers)}"

    def new(self, shape):
        return Value(self.new_name(), shape)

    def group(self, shapes):
        name = self.new_name()
        return name, [Value(f"{name}#{i}", shape) for i, shape in enumerate(shapes)]

    def recent(self, values):
        """One of them, a late one more often."""
        back = int(self.random.expovariate(0.5))
        return values[max(len(values) - 1 - back, 0)]

    def whole_shape(self, scope):
        shapes = [value.shape for value in scope.tensors if value.shape in PARTS]
        return self.recent(shapes)

    def init(self, scope, shape):
        """A destination: a tensor that was computed lately, an empty one, or any."""
        empties = [value for value in scope.empties if value.shape == shape]
        chance = self.random.random()
        if chance < 0.45:
            return self.recent(scope.of_shape(shape))
        if empties and chance < 0.85:
            return self.random.choice(empties)
        return self.random.choice(scope.of_shape(shape))

    def part(self, scope, shape, with_strides=True):
        """A part of a tensor of `shape`, which may start at a loop's index."""
        sizes = PARTS[shape]
        strides = tuple(self.random.choice([1, 1, 1, 2]) if with_strides else 1 for _ in sizes)
        offsets = [self.random.randrange(extent - (size - 1) * stride)
                   for extent, size, stride in zip(shape, sizes, strides)]
        if scope.indices and self.random.random() < 0.5:
            offsets[0] = self.random.choice(scope.indices)
        return Slice(offsets, sizes, strides)

    def extract(self, scope, source, part):
        is_subtensor = set(part.strides) == {1} and self.random.random() < 0.4
        return ExtractSlice(self.new(part.sizes), source, part, is_subtensor)

    # Steps: each returns operations and adds their results to the scope.

    def empty(self, scope, depth):
        op = Empty(self.new(self.whole_shape(scope)))
        scope.empties.append(op.result)
        return [op]

    def compute(self, inputs, init):
        kind = self.random.choice(list(KERNELS))
        count = 1 if kind in ("relu", "mov") else 2
        return Kernel(self.new(init.shape), kind, inputs[:count], init)

    def kernel(self, scope, depth):
        shape = self.recent(scope.tensors).shape
        values = scope.of_shape(shape)
        op = self.compute([self.recent(values), self.recent(values)], self.init(scope, shape))
        scope.tensors.append(op.result)
        return [op]

    def move(self, scope, depth):
        shape = self.whole_shape(scope)
        parts = scope.of_shape(PARTS[shape])
        ops = []
        if not parts or self.random.random() < 0.5:
            whole = self.recent(scope.of_shape(shape))
            ops = [self.extract(scope, whole, self.part(scope, shape))]
            parts = [ops[0].result]
        offsets = self.part(Scope(), shape, with_strides=False).offsets
        init = self.init(scope, shape)
        ops.append(PartialMove(self.new(shape), self.recent(parts), init, offsets))
        scope.tensors.append(ops[-1].result)
        return ops

    def slice(self, scope, depth):
        """A slice that is read at any time later."""
        shape = self.whole_shape(scope)
        op = self.extract(scope, self.recent(scope.of_shape(shape)), self.part(scope, shape))
        scope.tensors.append(op.result)
        return [op]

    def insert(self, scope, depth):
        shape = self.whole_shape(scope)
        parts = scope.of_shape(PARTS[shape])
        if not parts:
            return self.slice(scope, depth)
        op = InsertSlice(self.new(shape), self.recent(parts), self.init(scope, shape),
                         self.part(scope, shape))
        scope.tensors.append(op.result)
        return [op]

    def update(self, scope, depth):
        """A kernel from slices into a slice, which is inserted where it was taken."""
        shape = self.whole_shape(scope)
        target = self.part(scope, shape)
        init = self.init(scope, shape)
        parts = [target if self.random.random() < 0.3 else self.part(scope, shape)
                 for _ in range(2)]
        wholes = scope.of_shape(shape)
        slices = [self.extract(scope, self.recent(wholes), part) for part in parts]
        slices.append(self.extract(scope, init, target))
        a, b, destination = (op.result for op in slices)
        self.random.shuffle(slices)
        kernel = self.compute([a, b], destination)
        insert = InsertSlice(self.new(shape), kernel.result, init, target)
        scope.tensors.append(insert.result)
        return [*slices, kernel, insert]

    def reshape(self, scope, depth):
        source = self.recent(scope.tensors)
        op = Reshape(self.new(RESHAPED[source.shape]), source)
        scope.tensors.append(op.result)
        return [op]

    def condition_of(self, scope):
        index = self.random.choice(scope.indices or ["c2"])
        return Compare(self.new_name(), index, self.random.randrange(ITERATIONS))

    def select(self, scope, depth):
        shape = self.whole_shape(scope)
        compare = self.condition_of(scope)
        op = Select(self.new(shape), compare.result, self.recent(scope.of_shape(shape)),
                    self.init(scope, shape))
        scope.tensors.append(op.result)
        return [compare, op]

    def inner_block(self, scope, steps, shapes, depth):
        """A region's operations, which yields tensors of `shapes`, mostly its own."""
        inner = scope.copy()
        ops = self.block(inner, steps, depth + 1)
        yielded = [self.recent(inner.of_shape(shape)) if self.random.random() < 0.75
                   else self.init(inner, shape) for shape in shapes]
        return Block(ops, yielded)

    def condition(self, scope, depth):
        if depth == DEPTH:
            return []
        compare = self.condition_of(scope)
        group, results = self.group(self.shapes(scope, [1, 1, 2]))
        shapes = [result.shape for result in results]
        blocks = [self.inner_block(scope, self.random.randrange(3), shapes, depth)
                  for _ in range(2)]
        scope.tensors += results
        return [compare, If(group, results, compare.result, *blocks)]

    def shapes(self, scope, counts):
        return [self.whole_shape(scope) for _ in range(self.random.choice(counts))]

    def region_of(self, scope, arguments, index):
        inner = Scope(scope.tensors + arguments, scope.empties, scope.indices)
        inner.indices += [index] if index else []
        return inner

    def accumulation(self, scope, arguments):
        """A region whose kernels compute into what an iteration is given, and pass it on."""
        computed = {}
        for argument in self.random.sample(arguments, len(arguments)):
            values = scope.of_shape(argument.shape)
            inputs = [self.recent(values), self.recent(values)]
            computed[argument] = self.compute(inputs, argument)
            scope.tensors.append(computed[argument].result)
        return Block(list(computed.values()), [computed[a].result for a in arguments])

    def loop(self, scope, depth):
        if depth == DEPTH:
            return []
        shapes = self.shapes(scope, [1, 1, 2, 3])
        group, results = self.group(shapes)
        arguments, index = [self.new(shape) for shape in shapes], self.new_name()
        inits = [self.init(scope, shape) for shape in shapes]
        inner = self.region_of(scope, arguments, index)
        body = (self.accumulation(inner, arguments) if self.random.random() < 0.4 else
                self.inner_block(inner, self.random.randrange(2, 6), shapes, depth))
        scope.tensors += results
        iterations = self.random.choice([0, 1, 2, 2, 3, 3, 4])
        return [For(group, results, index, iterations, arguments, inits, body)]

    def while_loop(self, scope, depth):
        if depth == DEPTH:
            return []
        shapes = self.shapes(scope, [1, 2])
        group, results = self.group(shapes)
        arguments, index = [self.new(shape) for shape in shapes], self.new_name()
        body_arguments = [self.new(shape) for shape in shapes]
        inits = [self.init(scope, shape) for shape in shapes]
        before = self.inner_block(self.region_of(scope, arguments, None),
                                  self.random.randrange(2), shapes, depth)
        body = self.inner_block(self.region_of(scope, body_arguments, index),
                                self.random.randrange(1, 3), shapes, depth)
        scope.tensors += results
        iterations = self.random.choice([0, 1, 2, 2, 3, 3, 4])
        return [While(group, results, index, iterations, arguments, inits, before,
                      body_arguments, body)]

    def call(self, scope, depth):
        """A call of a function that was made before, or of a new one."""
        if not self.called or self.random.random() < 0.5:
            generator = Generator(self.random, f"{self.name}_{len(self.called)}")
            generator.STEPS = {**self.STEPS, "call": 0}
            arguments = [Value(f"arg{i}", self.whole_shape(scope)) for i in range(2)]
            self.called.append(generator.function(arguments, self.random.randrange(1, 5)))
        function = self.random.choice(self.called)
        if any(not scope.of_shape(argument.shape) for argument in function.arguments):
            return []
        operands = [self.recent(scope.of_shape(a.shape)) for a in function.arguments]
        group, results = self.group([value.shape for value in function.returned])
        scope.tensors += results
        return [Call(group, results, function, operands)]


def make_function(seed, input):
    """A function of one vector, and the tensors that it returns for `input`. Functions that
    read a tensor without any defined element, or return nothing else, are made again."""
    for attempt in itertools.count():
        rng = random.Random(f"{seed}.{attempt}")
        generator = Generator(rng, f"seed_{seed}")
        function = generator.function([Value("in", VECTOR)], rng.randrange(6, 20))
        expected, reads_undefined = function.compute([input])
        if not reads_undefined and any(code is not None for t in expected for code in t):
            return function, expected
