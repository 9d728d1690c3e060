# SPDX-License-Identifier: Apache-2.0
#
# Forms of products whose weights are no constant, or have a zero point.

from tosa_form import WEIGHTED, bias, factors, form


def given(graph, random, shape):
    return graph.input(shape, random.codes(shape))


@form("matmul of two variables", WEIGHTED)
def _(graph, random):
    a, b = given(graph, random, (3, 30, 20)), given(graph, random, (3, 20, 17))
    return graph.rescale(graph.matmul(a, b, 8, 0), factors(20, 1), 0, 2)


@form("matmul of two variables with zero points", WEIGHTED)
def _(graph, random):
    a, b = given(graph, random, (2, 9, 25)), given(graph, random, (2, 25, 11))
    return graph.rescale(graph.matmul(a, b, -77, 105), factors(25, 1)[0] / 3, 0, -31)


@form("matmul of a constant and a variable", WEIGHTED)
def _(graph, random):
    a = graph.constant((1, 48, 7), random.codes((1, 48, 7)))
    return graph.rescale(graph.matmul(a, given(graph, random, (1, 7, 32)), 3, -16), 0.0031, 0, 5)


@form("matmul of constants of a batch", WEIGHTED)
def _(graph, random):
    b = graph.constant((2, 13, 8), random.codes((2, 13, 8)))
    return graph.rescale(graph.matmul(given(graph, random, (2, 10, 13)), b, 0, 0), 0.0022, 0, 0)


@form("matmul of a constant with a zero point", WEIGHTED)
def _(graph, random):
    b = graph.constant((1, 13, 8), random.codes((1, 13, 8), -100, 97))
    return graph.rescale(graph.matmul(given(graph, random, (1, 10, 13)), b, 4, -28), 0.0022, 0, 0)


@form("conv2d 1x1 of two variables", WEIGHTED)
def _(graph, random):
    x, w = given(graph, random, (2, 5, 4, 12)), given(graph, random, (9, 1, 1, 12))
    b = bias(graph, random, 9)
    sums = graph.conv2d(x, w, b, -2, (1, 1), (1, 1), (0, 0, 0, 0), weight_zero=-16)
    return graph.rescale(sums, factors(12, 1), 0, -67)


@form("conv2d of weights with a zero point", WEIGHTED)
def _(graph, random):
    x = given(graph, random, (1, 9, 8, 3))
    w = graph.constant((5, 3, 2, 3), random.codes((5, 3, 2, 3), -90, 100))
    b = bias(graph, random, 5)
    sums = graph.conv2d(x, w, b, -7, (1, 1), (1, 1), (0, 1, 1, 0), weight_zero=-21)
    return graph.rescale(sums, factors(18, 5), 0, 11)
