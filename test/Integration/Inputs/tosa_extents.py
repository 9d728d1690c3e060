# SPDX-License-Identifier: Apache-2.0
#
# Forms whose extents are the least that kernels take, or the greatest.

from tosa_elements import binary, pair
from tosa_form import SUM, WEIGHTED, bias, factors, form, weights


@form("transpose_conv2d, windows side by side", WEIGHTED)
def _(graph, random):
    x = graph.input((1, 4, 5, 3), random.codes((1, 4, 5, 3)))
    w = weights(graph, random, (4, 2, 3, 3))
    sums = graph.transpose_conv2d(x, w, bias(graph, random, 4), -9, (2, 3), (0, -1, 0, 0))
    return graph.rescale(sums, factors(9, 4), 0, 21)


@form("add of one element", SUM)
def _(graph, random):
    x, y = pair(graph, random, (1, 1, 1, 1), (1, 1, 1, 1))
    return binary(graph, "add", x, y, (3, -12, 5), (1, 0.7131), 0.61)


@form("mul of one element by a constant", 0.02)
def _(graph, random):
    x, y = pair(graph, random, (1, 1), (1, 1), is_constant=True)
    return binary(graph, "mul", x, y, (-30, 14, 9), (1, 1), 0.0123)


@form("maximum of one element")
def _(graph, random):
    x, y = pair(graph, random, (1, 1), (1, 1))
    return binary(graph, "maximum", x, y, (4, 4, 4), (1, 1), 1.0)


@form("clamp of one element")
def _(graph, random):
    return graph.clamp(graph.input((1, 1), random.codes((1, 1))), 40, 90)
