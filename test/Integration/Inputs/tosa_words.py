# SPDX-License-Identifier: Apache-2.0
#
# Forms of layers of i8 whose results have 16 bits.

from tosa_form import bias, factors, form, weights


def wide(taps, count):
    """Factors that leave sums most of the range of i16."""
    return [200 * factor for factor in factors(taps, count)]


@form("conv2d to i16", 0.3)
def _(graph, random):
    x = graph.input((2, 9, 8, 3), random.codes((2, 9, 8, 3)))
    w = weights(graph, random, (5, 3, 2, 3))
    sums = graph.conv2d(x, w, bias(graph, random, 5), -7, (1, 1), (1, 1), (0, 1, 1, 0))
    return graph.rescale(sums, wide(18, 5), 0, 0, "i16")


@form("conv2d to i16 that saturates, of great biases", 0.3)
def _(graph, random):
    x = graph.input((1, 9, 8, 40), random.codes((1, 9, 8, 40)))
    w = weights(graph, random, (6, 3, 3, 40))
    b = graph.constant([6], random.codes([6], -2000000, 2000000), "i32")
    sums = graph.conv2d(x, w, b, 3, (1, 1), (1, 1), (0, 0, 0, 0))
    return graph.rescale(sums, wide(100, 6), 0, 0, "i16")


@form("depthwise_conv2d to i16", 0.3)
def _(graph, random):
    x = graph.input((1, 7, 8, 6), random.codes((1, 7, 8, 6)))
    w = weights(graph, random, (3, 3, 6, 1))
    sums = graph.depthwise_conv2d(x, w, bias(graph, random, 6), 21, (1, 1), (1, 1), (1, 1, 1, 1))
    return graph.rescale(sums, wide(9, 6), 0, 0, "i16")


@form("matmul to i16", 0.3)
def _(graph, random):
    a = graph.input((1, 16, 20), random.codes((1, 16, 20)))
    sums = graph.matmul(a, weights(graph, random, (1, 20, 7)), 8, 0)
    return graph.rescale(sums, wide(20, 1), 0, 0, "i16")
