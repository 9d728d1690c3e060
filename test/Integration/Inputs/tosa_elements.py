# SPDX-License-Identifier: Apache-2.0
#
# Forms that work element by element: of two operands, and functions of all codes.

import math

from tosa_form import SUM, form


def binary(graph, name, x, y, zeros, ratios, factor):
    """Operands as legalisers write them: 20 bits more, then their ratio."""
    head = {"add": 1 << 20, "sub": 1 << 20}.get(name, 1)
    wide = []
    for operand, zero, ratio in zip((x, y), zeros, ratios):
        value = graph.rescale(operand, float(head), zero, 0, "i32")
        wide.append(value if ratio == 1 else graph.rescale(value, ratio, 0, 0, "i32"))
    return graph.rescale(graph.binary(name, *wide), factor / head, 0, zeros[2])


def pair(graph, random, left, right, is_constant=False):
    x = graph.input(left, random.codes(left))
    make = graph.constant if is_constant else graph.input
    return x, make(right, random.codes(right))


MAP = (1, 6, 7, 8)


@form("add", SUM)
def _(graph, random):
    x, y = pair(graph, random, MAP, MAP)
    return binary(graph, "add", x, y, (3, -12, 5), (1, 0.7131), 0.61)


@form("add, two roundings", SUM, double_round=True)
def _(graph, random):
    x, y = pair(graph, random, MAP, MAP)
    return binary(graph, "add", x, y, (3, -12, 5), (1, 0.7131), 0.61)


@form("add of a batch", SUM)
def _(graph, random):
    x, y = pair(graph, random, (2, 3, 5, 4), (2, 3, 5, 4))
    return binary(graph, "add", x, y, (3, -12, 5), (1, 0.7131), 0.61)


@form("add of a constant a channel", SUM)
def _(graph, random):
    x, y = pair(graph, random, MAP, (1, 1, 1, 8), is_constant=True)
    return binary(graph, "add", x, y, (3, -12, 5), (0.91, 0.7131), 0.61)


@form("add of one channel for all pixels", SUM)
def _(graph, random):
    x, y = pair(graph, random, (1, 1, 1, 8), MAP)
    return binary(graph, "add", x, y, (3, -12, 5), (1, 0.7131), 0.61)


@form("sub", SUM)
def _(graph, random):
    x, y = pair(graph, random, MAP, MAP)
    return binary(graph, "sub", x, y, (-30, 14, 9), (0.83, 1), 0.55)


@form("mul", 0.02)
def _(graph, random):
    x, y = pair(graph, random, MAP, MAP)
    return binary(graph, "mul", x, y, (-30, 14, 9), (1, 1), 0.0123)


@form("mul of a constant a channel", 0.02)
def _(graph, random):
    x, y = pair(graph, random, MAP, (1, 1, 1, 8), is_constant=True)
    return binary(graph, "mul", x, y, (-128, 0, -128), (1, 1), 0.0077)


@form("mul, then add of its factor", 0.3, 2)
def _(graph, random):
    x, y = pair(graph, random, MAP, MAP)
    product = binary(graph, "mul", x, y, (-30, 14, 9), (1, 1), 0.0123)
    return binary(graph, "add", product, x, (9, -30, 0), (1, 0.7131), 0.61)


@form("maximum")
def _(graph, random):
    x, y = pair(graph, random, MAP, MAP)
    return binary(graph, "maximum", x, y, (4, 4, 4), (1, 1), 1.0)


@form("minimum of other scales", 0.02)
def _(graph, random):
    x, y = pair(graph, random, MAP, MAP)
    # As with sums, or the reference would round what it compares.
    wide = [
        graph.rescale(x, float(1 << 20), -30, 0, "i32"),
        graph.rescale(y, 0.83 * (1 << 20), 14, 0, "i32"),
    ]
    return graph.rescale(graph.binary("minimum", *wide), 0.77 / (1 << 20), 0, 9)


def table(graph, function, scale, zero, unit, low):
    x = graph.input((256,), range(-128, 128))
    entries = [
        min(max(math.floor(function(scale * (code - zero)) / unit + 0.5) + low, -128), 127)
        for code in range(-128, 128)
    ]
    return graph.table(x, entries)


def logistic(x):
    return 1 / (1 + math.exp(-x))


@form("table of the logistic function", 0.05)
def _(graph, random):
    return table(graph, logistic, 0.0631, 17, 1 / 256, -128)


@form("table of the hyperbolic tangent", 0.05)
def _(graph, random):
    # What reads it makes it this function: the codes may be of the other one.
    return graph.rescale(table(graph, math.tanh, 0.0214, -8, 1 / 128, 0), 1.0, 0, 0)


@form("leaky ReLU", 0.02)
def _(graph, random):
    x = graph.input((1, 4, 8, 8), range(-128, 128))
    return graph.leaky_relu(x, 0.0831, 0.7183, -3, 20)


@form("clamp")
def _(graph, random):
    return graph.clamp(graph.input((256,), range(-128, 128)), -90, 71)


@form("rescale", 0.01)
def _(graph, random):
    return graph.rescale(graph.input((256,), range(-128, 128)), 0.7183, -3, 20)


@form("rescale through 32 bits", 0.01)
def _(graph, random):
    wide = graph.rescale(graph.input((256,), range(-128, 128)), 4096.0, -3, 0, "i32")
    return graph.rescale(wide, 0.7183 / 4096, 0, 20)


@form("rescale of unsigned codes", 0.01)
def _(graph, random):
    x = graph.rescale(graph.input((256,), range(256), "ui8"), 1.0, 130, 2)
    return graph.rescale(graph.rescale(x, 0.7183, 2, -11), 1.0, -11, 117, "ui8")
