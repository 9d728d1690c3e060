# SPDX-License-Identifier: Apache-2.0
"""Operations of random tensor programs. Each knows its text and its exact meaning.

A tensor is a flat list of codes of fx8, in row-major order; None is an element that is
undefined. `lines()` gives the operation as MLIR. `run(state)` computes it: `state` is a
State, whose tensors and indices are found by the names of their SSA values.
"""

import dataclasses
import itertools
import math

LOWEST, HIGHEST = -128, 127

KERNELS = {
    "add": lambda a, b: max(LOWEST, min(HIGHEST, a + b)),
    "sub": lambda a, b: max(LOWEST, min(HIGHEST, a - b)),
    "max": max,
    "min": min,
    "relu": lambda a: max(0, a),
    "mov": lambda a: a,
}


def type_of(shape):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + "!mli.fx8<5>>"


def types_of(values):
    return ", ".join(type_of(value.shape) for value in values)


def names_of(values):
    return ", ".join(str(value) for value in values)


def indent(ops):
    return ["  " + line for op in ops for line in op.lines()]


@dataclasses.dataclass(frozen=True)
class Value:
    """A tensor of the program: `name` with what numbers a result, without the %."""

    name: str
    shape: tuple

    def __str__(self):
        return "%" + self.name


class State:
    """What the values of a function are while it runs."""

    def __init__(self):
        self.values = {}
        self.reads_undefined = False

    def read(self, value):
        """The tensor that a kernel reads or a copy takes. One without any defined element is
        noted: a compiler may place such a tensor anywhere, also over what is written."""
        tensor = self.values[value.name]
        self.reads_undefined |= all(code is None for code in tensor)
        return tensor

    def get(self, index):
        """The number of an index: itself, or that of an SSA value."""
        return self.values[index] if isinstance(index, str) else index

    def run(self, ops):
        for op in ops:
            op.run(self)

    def assign(self, targets, sources):
        tensors = [self.values[source.name] for source in sources]
        self.values.update((target.name, tensor) for target, tensor in zip(targets, tensors))


@dataclasses.dataclass
class Slice:
    """Offsets, which may be names of index values, sizes and strides of a part of a tensor."""

    offsets: list
    sizes: tuple
    strides: tuple

    def offset_text(self):
        return ", ".join(f"%{o}" if isinstance(o, str) else str(o) for o in self.offsets)

    def __str__(self):
        return f"[{self.offset_text()}] {list(self.sizes)} {list(self.strides)}"

    def positions(self, shape, state):
        """The flat numbers of the elements in a tensor of `shape`, in row-major order."""
        found = []
        for steps in itertools.product(*map(range, self.sizes)):
            flat = 0
            for extent, offset, stride, step in zip(shape, self.offsets, self.strides, steps):
                flat = flat * extent + state.get(offset) + stride * step
            found.append(flat)
        return found


@dataclasses.dataclass
class Empty:
    result: Value

    def lines(self):
        return [f"{self.result} = tensor.empty() : {type_of(self.result.shape)}"]

    def run(self, state):
        state.values[self.result.name] = [None] * math.prod(self.result.shape)


@dataclasses.dataclass
class Kernel:
    """A kernel of KERNELS that computes each element of all of its result."""

    result: Value
    kind: str
    inputs: list
    init: Value

    def lines(self):
        name = self.kind if self.kind in ("relu", "mov") else "eltwise_" + self.kind
        attribute = " {relu = #mli.relu<gen>}" if self.kind == "relu" else ""
        type = type_of(self.result.shape)
        return [f"{self.result} = mli.{name} ins({names_of(self.inputs)} : "
                f"{types_of(self.inputs)}) outs({self.init} : {type}){attribute} -> {type}"]

    def run(self, state):
        rows = zip(*(state.read(value) for value in self.inputs))
        function = KERNELS[self.kind]
        state.values[self.result.name] = [
            None if None in codes else function(*codes) for codes in rows]


@dataclasses.dataclass
class PartialMove:
    """mli.mov of a small tensor to constant offsets in `init`."""

    result: Value
    source: Value
    init: Value
    offsets: list

    def lines(self):
        offsets = ", ".join(map(str, self.offsets))
        type = type_of(self.result.shape)
        return [f"{self.result} = mli.mov ins({self.source} : {types_of([self.source])}) "
                f"outs({self.init} : {type}) {{dst_offsets = array<i64: {offsets}>}} -> {type}"]

    def run(self, state):
        part = Slice(self.offsets, self.source.shape, (1,) * len(self.offsets))
        InsertSlice(self.result, self.source, self.init, part).run(state)


@dataclasses.dataclass
class ExtractSlice:
    result: Value
    source: Value
    part: Slice
    is_subtensor: bool

    def lines(self):
        types = f"{types_of([self.source])} to {types_of([self.result])}"
        if self.is_subtensor:
            return [f"{self.result} = mli.subtensor {self.source}[{self.part.offset_text()}] "
                    f"{list(self.part.sizes)} : {types}"]
        return [f"{self.result} = tensor.extract_slice {self.source}{self.part} : {types}"]

    def run(self, state):
        tensor = state.values[self.source.name]
        positions = self.part.positions(self.source.shape, state)
        state.values[self.result.name] = [tensor[position] for position in positions]


@dataclasses.dataclass
class InsertSlice:
    result: Value
    source: Value
    destination: Value
    part: Slice

    def lines(self):
        return [f"{self.result} = tensor.insert_slice {self.source} into {self.destination}"
                f"{self.part} : {types_of([self.source])} into {types_of([self.result])}"]

    def run(self, state):
        tensor = list(state.values[self.destination.name])
        positions = self.part.positions(self.result.shape, state)
        for position, code in zip(positions, state.read(self.source)):
            tensor[position] = code
        state.values[self.result.name] = tensor


@dataclasses.dataclass
class Reshape:
    """Between one dimension and two, with the same elements in the same order."""

    result: Value
    source: Value

    def lines(self):
        types = f"{types_of([self.source])} into {types_of([self.result])}"
        if len(self.result.shape) == 1:
            return [f"{self.result} = tensor.collapse_shape {self.source} [[0, 1]] : {types}"]
        return [f"{self.result} = tensor.expand_shape {self.source} [[0, 1]] "
                f"output_shape {list(self.result.shape)} : {types}"]

    def run(self, state):
        state.values[self.result.name] = state.values[self.source.name]


@dataclasses.dataclass
class Compare:
    """A condition: whether `index` is less than a constant."""

    result: str
    index: str
    bound: int

    def lines(self):
        return [f"%{self.result} = arith.cmpi slt, %{self.index}, %c{self.bound} : index"]

    def run(self, state):
        state.values[self.result] = state.values[self.index] < self.bound


@dataclasses.dataclass
class Select:
    result: Value
    condition: str
    chosen: Value
    other: Value

    def lines(self):
        return [f"{self.result} = arith.select %{self.condition}, {self.chosen}, {self.other} : "
                f"{types_of([self.result])}"]

    def run(self, state):
        source = self.chosen if state.values[self.condition] else self.other
        state.assign([self.result], [source])
