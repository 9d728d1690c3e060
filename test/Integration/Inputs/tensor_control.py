# SPDX-License-Identifier: Apache-2.0
"""Control flow of random tensor programs: regions, calls, functions and modules. See
tensor_ops.py for the text and the meaning of an operation."""

import dataclasses

from tensor_ops import State, Value, indent, names_of, type_of, types_of

# Constants %c0, %c1, ... that each function has.
CONSTANTS = range(5)


def result_list(group, values):
    """The left side of an operation with several results: %group:2 = ."""
    return f"%{group}:{len(values)} = "


def carried_list(arguments, inits):
    return ", ".join(f"{argument} = {init}" for argument, init in zip(arguments, inits))


@dataclasses.dataclass
class Block:
    ops: list
    yielded: list

    def lines(self):
        types = types_of(self.yielded)
        return [*indent(self.ops), f"  scf.yield {names_of(self.yielded)} : {types}"]


@dataclasses.dataclass
class If:
    group: str
    results: list
    condition: str
    then: Block
    otherwise: Block

    def lines(self):
        return [f"{result_list(self.group, self.results)}scf.if %{self.condition} -> "
                f"({types_of(self.results)}) {{",
                *self.then.lines(), "} else {", *self.otherwise.lines(), "}"]

    def run(self, state):
        block = self.then if state.values[self.condition] else self.otherwise
        state.run(block.ops)
        state.assign(self.results, block.yielded)


@dataclasses.dataclass
class Loop:
    """What loops that count iterations in `index` have, beside their regions."""

    group: str
    results: list
    index: str
    iterations: int
    arguments: list
    inits: list


@dataclasses.dataclass
class For(Loop):
    body: Block

    def lines(self):
        return [f"{result_list(self.group, self.results)}scf.for %{self.index} = %c0 to "
                f"%c{self.iterations} step %c1 "
                f"iter_args({carried_list(self.arguments, self.inits)}) -> "
                f"({types_of(self.results)}) {{",
                *self.body.lines(), "}"]

    def run(self, state):
        state.assign(self.arguments, self.inits)
        for iteration in range(self.iterations):
            state.values[self.index] = iteration
            state.run(self.body.ops)
            state.assign(self.arguments, self.body.yielded)
        state.assign(self.results, self.arguments)


@dataclasses.dataclass
class While(Loop):
    """A loop that also computes before it decides: `before` gives tensors to both the body
    and the results. The body counts iterations in `index`, up to a constant."""

    before: Block
    body_arguments: list
    body: Block

    def lines(self):
        types = types_of(self.results)
        blocks = ", ".join(f"{a}: {type_of(a.shape)}" for a in self.body_arguments)
        counter, condition, next = (self.group + suffix for suffix in ("n", "c", "m"))
        return [
            f"%{self.group}:{len(self.results) + 1} = scf.while "
            f"({carried_list(self.arguments, self.inits)}, %{counter} = %c0) : ({types}, index) -> "
            f"({types}, index) {{",
            *indent(self.before.ops),
            f"  %{condition} = arith.cmpi slt, %{counter}, %c{self.iterations} : index",
            f"  scf.condition(%{condition}) {names_of(self.before.yielded)}, %{counter} : "
            f"{types}, index",
            "} do {",
            f"^bb0({blocks}, %{self.index}: index):",
            *indent(self.body.ops),
            f"  %{next} = arith.addi %{self.index}, %c1 : index",
            f"  scf.yield {names_of(self.body.yielded)}, %{next} : {types}, index",
            "}",
        ]

    def run(self, state):
        state.assign(self.arguments, self.inits)
        for iteration in range(self.iterations + 1):
            state.run(self.before.ops)
            state.assign(self.results, self.before.yielded)
            if iteration == self.iterations:
                return
            state.values[self.index] = iteration
            state.assign(self.body_arguments, self.results)
            state.run(self.body.ops)
            state.assign(self.arguments, self.body.yielded)


@dataclasses.dataclass
class Function:
    """A function on tensors; `called` are functions that it calls, which it prints first."""

    name: str
    arguments: list
    ops: list
    returned: list
    called: list
    is_private: bool = True

    def text(self):
        arguments = ", ".join(f"{a}: {type_of(a.shape)}" for a in self.arguments)
        constants = [f"  %c{n} = arith.constant {n} : index" for n in CONSTANTS]
        types = types_of(self.returned)
        visibility = "private " if self.is_private else ""
        own = [f"func.func {visibility}@{self.name}({arguments}) -> ({types}) {{", *constants,
               *indent(self.ops), f"  return {names_of(self.returned)} : {types}", "}", ""]
        return "".join(function.text() for function in self.called) + "\n".join(own)

    def compute(self, tensors):
        """The tensors that it returns, and whether it reads any that is undefined."""
        state = State()
        state.values = {f"c{n}": n for n in CONSTANTS}
        state.values.update((a.name, t) for a, t in zip(self.arguments, tensors))
        state.run(self.ops)
        return [state.values[value.name] for value in self.returned], state.reads_undefined


@dataclasses.dataclass
class Call:
    group: str
    results: list
    function: Function
    operands: list

    def lines(self):
        return [f"{result_list(self.group, self.results)}func.call @{self.function.name}"
                f"({names_of(self.operands)}) : ({types_of(self.operands)}) -> "
                f"({types_of(self.results)})"]

    def run(self, state):
        tensors, reads_undefined = self.function.compute(
            [state.values[operand.name] for operand in self.operands])
        state.reads_undefined |= reads_undefined
        state.values.update((r.name, tensor) for r, tensor in zip(self.results, tensors))


def module_text(functions):
    """A module whose main gives its one tensor to each function. It returns all results, and
    its tensor, which no function may change."""
    ops, results = [], []
    input = Value("in", functions[0].arguments[0].shape)
    for i, function in enumerate(functions):
        group = f"call{i}"
        values = [Value(f"{group}#{j}", value.shape) for j, value in enumerate(function.returned)]
        ops.append(Call(group, values, function, [input]))
        results += values
    return Function("main", [input], ops, [*results, input], functions, is_private=False).text()
