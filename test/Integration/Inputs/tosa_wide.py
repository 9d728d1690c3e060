# SPDX-License-Identifier: Apache-2.0
#
# Sums and products of i16 between rescales. Constants of 16 bits may add half a
# step to a sum, and a product that no shift gives is rounded twice.

from tosa_elements import MAP
from tosa_form import form


def wide_pair(graph, random, left, right, is_constant=False):
    def codes(shape):
        return random.codes(shape, -(1 << 15), (1 << 15) - 1)

    x = graph.input(left, codes(left), "i16")
    make = graph.constant if is_constant else graph.input
    return x, make(right, codes(right), "i16")


def shifted(graph, x, bits):
    """As legalisers widen the operand that they rescale."""
    cast = graph.op("cast", [x], {}, x.shape, "i32", x.values)
    by = graph.constant((1,) * len(x.shape), [bits], "i32")
    values = [value << bits for value in x.values]
    return graph.op("logical_left_shift", [cast, by], {}, x.shape, "i32", values)


def wide_sum(graph, name, x, y, ratios, factor, head=1 << 14):
    left, right = (
        graph.rescale(operand, ratio * head, 0, 0, "i32") for operand, ratio in zip((x, y), ratios)
    )
    return graph.rescale(graph.binary(name, left, right), factor / head, element="i16")


@form("add of i16", 0.5)
def _(graph, random):
    x, y = wide_pair(graph, random, MAP, MAP)
    return wide_sum(graph, "add", x, y, (1, 0.7131), 0.61)


@form("add of i16 that is cast and shifted", 0.5, double_round=True)
def _(graph, random):
    x, y = wide_pair(graph, random, MAP, MAP)
    left = graph.rescale(x, float(1 << 14), 0, 0, "i32")
    right = graph.rescale(shifted(graph, y, 15), 0.3342, 0, 0, "i32")
    return graph.rescale(graph.binary("add", left, right), 0.71 / (1 << 14), element="i16")


@form("sub of i16, broadcast", 0.5)
def _(graph, random):
    x, y = wide_pair(graph, random, MAP, (1, 6, 1, 8))
    return wide_sum(graph, "sub", x, y, (0.83, 1), 0.55)


@form("add of i16 and a constant of one element", 0.5)
def _(graph, random):
    x, y = wide_pair(graph, random, MAP, (1, 1, 1, 1), is_constant=True)
    return wide_sum(graph, "add", x, y, (1, 0.25), 0.9)


@form("mul of i16", 0.5, 2)
def _(graph, random):
    x, y = wide_pair(graph, random, MAP, MAP)
    return graph.rescale(graph.binary("mul", x, y), 0.0000293, element="i16")


@form("mul of i16 by a power of two")
def _(graph, random):
    x, y = wide_pair(graph, random, MAP, MAP)
    return graph.rescale(graph.binary("mul", x, y), 1 / (1 << 15), element="i16")


@form("mul of i16 and channels", 0.5, 2)
def _(graph, random):
    x, y = wide_pair(graph, random, MAP, (1, 1, 1, 8))
    return graph.rescale(graph.binary("mul", x, y), 0.0000293, element="i16")


@form("mul of i16 by a constant for each row", 0.5, 2)
def _(graph, random):
    x, y = wide_pair(graph, random, MAP, (1, 6, 1, 1), is_constant=True)
    return graph.rescale(graph.binary("mul", x, y), 0.0000293, element="i16")
