# SPDX-License-Identifier: Apache-2.0
#
# Arithmetic as legalisers write it where operands are broadcast, constant or one
# tensor twice.

from tosa_elements import MAP, binary, pair
from tosa_form import EXACT, SUM, form

DIMS = (2, 3, 2, 2, 3, 4)


def wide(graph, x, zero, ratio=1.0, head=1 << 20):
    value = graph.rescale(x, float(head), zero, 0, "i32")
    return value if ratio == 1 else graph.rescale(value, ratio, 0, 0, "i32")


def narrow(graph, x, factor, zero, head=1 << 20):
    return graph.rescale(x, factor / head, 0, zero)


@form("add of a tensor that is reshaped in 32 bits", SUM)
def _(graph, random):
    x, y = pair(graph, random, MAP, MAP[1:])
    reshaped = graph.reshape(wide(graph, y, -12, 0.7131), MAP)
    return narrow(graph, graph.binary("add", wide(graph, x, 3), reshaped), 0.61, 5)


@form("add of a constant that is reshaped to channels", EXACT, double_round=True)
def _(graph, random):
    x, y = pair(graph, random, MAP, (8,), is_constant=True)
    reshaped = graph.reshape(wide(graph, y, -16, 0.0327), (1, 1, 1, 8))
    return narrow(graph, graph.binary("add", wide(graph, x, 13), reshaped), 1.19, -128)


@form("sub from a constant of no dimension", EXACT)
def _(graph, random):
    x = graph.input(MAP, random.codes(MAP))
    one = graph.reshape(wide(graph, graph.constant((), [127]), -128), (1, 1, 1, 1))
    return narrow(graph, graph.binary("sub", one, wide(graph, x, -79, 0.77)), 0.89, -67)


@form("maximum with a constant of no dimension")
def _(graph, random):
    x = graph.input(MAP, random.codes(MAP))
    one = graph.reshape(wide(graph, graph.constant((), [-20]), 0, head=1), (1, 1, 1, 1))
    return narrow(graph, graph.binary("maximum", wide(graph, x, 0, head=1), one), 1.0, 0, head=1)


def number(name, value, zero, factor, is_left=False):
    """Forms whose other operand is a number of 32 bits."""

    @form("%s %s a number of 32 bits" % (name, "from" if is_left else "with"))
    def _(graph, random):
        x = graph.input((256,), range(-128, 128))
        operands = [graph.rescale(x, 1.0, -7, 0, "i32"), graph.constant((1,), [value], "i32")]
        result = graph.binary(name, *(reversed(operands) if is_left else operands))
        return graph.rescale(result, factor, 0, zero)


number("add", 90, -30, 0.713)
number("sub", 55, 20, 0.913, is_left=True)
number("mul", 3, 0, 0.271)
number("maximum", 17, -4, 0.819)
number("minimum", -17, 4, 0.819)


def twice(name, head, ratio, factor):
    @form("%s of a tensor and itself, of two zero points" % name, 0.005)
    def _(graph, random):
        x = graph.input((256,), range(-128, 128))
        left = wide(graph, x, -2, ratio, head)
        return narrow(graph, graph.binary(name, left, wide(graph, x, -3, 1, head)), factor, -2, head)


twice("add", 1 << 20, 0.353, 0.713)
twice("sub", 1 << 20, 0.353, 1.173)
twice("mul", 1, 1, 0.0081)
twice("maximum", 1 << 20, 0.353, 0.713)
twice("minimum", 1 << 20, 0.353, 0.713)


@form("add of columns", SUM)
def _(graph, random):
    x, y = pair(graph, random, MAP, (1, 6, 1, 8))
    return binary(graph, "add", x, y, (3, -12, 5), (1, 0.7131), 0.61)


@form("sub of rows and columns", SUM)
def _(graph, random):
    x, y = pair(graph, random, (1, 6, 1, 8), (1, 1, 7, 8))
    return binary(graph, "sub", x, y, (-30, 14, 9), (0.83, 1), 0.55)


@form("mul of one for each pixel", EXACT)
def _(graph, random):
    x, y = pair(graph, random, MAP, (1, 6, 7, 1))
    return binary(graph, "mul", x, y, (-30, 14, 9), (1, 1), 0.0123)


@form("minimum of a constant for each row")
def _(graph, random):
    x, y = pair(graph, random, MAP, (1, 6, 1, 1), is_constant=True)
    return binary(graph, "minimum", x, y, (4, 4, 4), (1, 1), 1.0)


@form("add of 6 dimensions", SUM)
def _(graph, random):
    x, y = pair(graph, random, DIMS, DIMS)
    return binary(graph, "add", x, y, (3, -12, 5), (1, 0.7131), 0.61)


@form("maximum of 6 dimensions, 3 of which are broadcast")
def _(graph, random):
    x, y = pair(graph, random, (2, 1, 2, 1, 3, 4), (1, 3, 2, 2, 1, 4))
    return binary(graph, "maximum", x, y, (4, 4, 4), (1, 1), 1.0)


@form("mul of 6 dimensions by a constant", EXACT)
def _(graph, random):
    x, y = pair(graph, random, DIMS, (1, 3, 1, 1, 3, 4), is_constant=True)
    return binary(graph, "mul", x, y, (-30, 14, 9), (1, 1), 0.0123)


@form("add of no dimension", SUM)
def _(graph, random):
    x, y = pair(graph, random, (), ())
    return binary(graph, "add", x, y, (3, -12, 5), (1, 0.7131), 0.61)


@form("mul of codes without zero points", EXACT)
def _(graph, random):
    x, y = pair(graph, random, MAP, MAP)
    return graph.rescale(graph.binary("mul", x, y), 0.0123, 0, 9)
