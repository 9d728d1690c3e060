# SPDX-License-Identifier: Apache-2.0
#
# Forms of one operand, and of one and a constant, each of all quantised values.

from tosa import LIMITS
from tosa_form import form


def codes(element):
    """All of i8, and of i16 those at the ends and around 0."""
    low, high = LIMITS[element]
    if element == "i8":
        return list(range(low, high + 1))
    return [low + i for i in range(8)] + list(range(-120, 120)) + [high - i for i in range(8)]


def saturated(value, element):
    low, high = LIMITS[element]
    return min(max(value, low), high)


def unary(name, element, compute, zeros=None):
    title = name if element == "i8" else "%s of i16" % name

    @form(title)
    def _(graph, random):
        x = graph.input((1, 4, 8, 2, 4), codes(element), element)
        values = [saturated(compute(value), element) for value in x.values]
        operands = [x]
        if zeros:
            operands += [graph.constant([1], [zero], element) for zero in zeros]
        return graph.op(name, operands, {}, x.shape, element, values)


unary("abs", "i8", abs)
unary("abs", "i16", abs)
unary("negate", "i8", lambda x: 17 - x - 40, (17, -40))
unary("negate", "i16", lambda x: -x, (0, 0))
unary("bitwise_not", "i8", lambda x: -1 - x)
unary("bitwise_not", "i16", lambda x: -1 - x)


def bits(number):
    """The eight bits of a quantised value, the least first."""
    return [number // (1 << i) % 2 for i in range(8)]


def signed(parts):
    number = sum(bit << i for i, bit in enumerate(parts))
    return number - 256 if number > 127 else number


def constant(name, number, compute, is_first=False, attributes=None, title=None):
    @form(title or "%s of a constant" % name)
    def _(graph, random):
        x = graph.input((4, 8, 8), range(-128, 128))
        values = [compute(value) for value in x.values]
        operands = [x, graph.constant((1, 1, 1), [number])]
        operands = operands[::-1] if is_first else operands
        return graph.op(name, operands, attributes or {}, x.shape, "i8", values)


def bitwise(name, mask, combine, is_first=False):
    def compute(x):
        return signed([combine(a + b) for a, b in zip(bits(x), bits(mask))])

    constant(name, mask, compute, is_first)


bitwise("bitwise_and", -52, lambda ones: int(ones == 2))
bitwise("bitwise_or", 37, lambda ones: int(ones > 0), is_first=True)
bitwise("bitwise_xor", -86, lambda ones: int(ones == 1))

constant("arithmetic_right_shift", 3, lambda x: x // 8, attributes={"round": "false"})
constant(
    "arithmetic_right_shift", 3, lambda x: (x + 4) // 8, attributes={"round": "true"},
    title="arithmetic_right_shift, rounded",
)
constant("logical_right_shift", 2, lambda x: signed(bits(x)[2:]))
constant("logical_left_shift", 3, lambda x: signed([0] * 3 + bits(x)[:5]))
constant("maximum", -19, lambda x: max(x, -19))
constant("minimum", 101, lambda x: min(x, 101), is_first=True)
