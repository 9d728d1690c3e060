# SPDX-License-Identifier: Apache-2.0
#
# Forms of which a rescale by 0 leaves nothing but its zero point, as for channels
# that are dead.

from tosa_dimensions import mean
from tosa_elements import MAP, binary, pair
from tosa_form import WEIGHTED, bias, factors, form, weights


def live(taps, count, dead):
    """Factors that are 0 for some channels."""
    return [0.0 if i in dead else factor for i, factor in enumerate(factors(taps, count))]


@form("conv2d, channels rescaled by 0", WEIGHTED)
def _(graph, random):
    x = graph.input((2, 9, 8, 3), random.codes((2, 9, 8, 3)))
    w = weights(graph, random, (5, 3, 2, 3))
    sums = graph.conv2d(x, w, bias(graph, random, 5), -7, (1, 1), (1, 1), (0, 1, 1, 0))
    return graph.rescale(sums, live(18, 5, [0, 3]), 0, 11)


@form("depthwise_conv2d, a channel rescaled by 0", WEIGHTED)
def _(graph, random):
    x = graph.input((1, 7, 9, 5), random.codes((1, 7, 9, 5)))
    w = weights(graph, random, (3, 2, 5, 1))
    sums = graph.depthwise_conv2d(x, w, bias(graph, random, 5), 13, (2, 1), (1, 1), (1, 1, 0, 1))
    return graph.rescale(sums, live(6, 5, [4]), 0, -6)


@form("conv2d 1x1 of rows, a column rescaled by 0", WEIGHTED)
def _(graph, random):
    x = graph.reshape(graph.input((4, 24), random.codes((4, 24))), (4, 1, 1, 24))
    w = weights(graph, random, (10, 1, 1, 24))
    sums = graph.conv2d(x, w, bias(graph, random, 10), 3, (1, 1), (1, 1), (0, 0, 0, 0))
    return graph.reshape(graph.rescale(sums, live(24, 10, [7]), 0, -4), (4, 10))


@form("matmul rescaled by 0")
def _(graph, random):
    a = graph.input((1, 6, 20), random.codes((1, 6, 20)))
    return graph.rescale(graph.matmul(a, weights(graph, random, (1, 20, 7)), 8, 0), 0.0, 0, 127)


@form("rescale by 0")
def _(graph, random):
    return graph.rescale(graph.input((256,), range(-128, 128)), 0.0, -3, -128)


@form("rescale by 0 through 32 bits")
def _(graph, random):
    wide = graph.rescale(graph.input((256,), range(-128, 128)), 0.0, -3, 0, "i32")
    return graph.rescale(wide, 0.7183, 0, 20)


@form("rescale of unsigned codes by 0")
def _(graph, random):
    x = graph.rescale(graph.input((256,), range(256), "ui8"), 0.0, 130, 2)
    return graph.rescale(x, 1.0, 2, 117, "ui8")


@form("add of nothing", 0.02)
def _(graph, random):
    x, y = pair(graph, random, MAP, MAP)
    return binary(graph, "add", x, y, (3, -12, 5), (0.0, 0.7131), 0.61)


@form("sub from nothing", 0.02)
def _(graph, random):
    x, y = pair(graph, random, MAP, (1, 1, 1, 8))
    return binary(graph, "sub", x, y, (-30, 14, 9), (0.0, 0.8), 0.55)


@form("sum of nothing")
def _(graph, random):
    x, y = pair(graph, random, MAP, MAP)
    return binary(graph, "add", x, y, (3, -12, 5), (0.0, 0.0), 0.61)


@form("mul by nothing")
def _(graph, random):
    x, y = pair(graph, random, MAP, MAP)
    return binary(graph, "mul", x, y, (-30, 14, 9), (1, 0.0), 0.0123)


@form("maximum of nothing", 0.02)
def _(graph, random):
    x, y = pair(graph, random, MAP, MAP)
    return binary(graph, "maximum", x, y, (4, 5, 6), (0.9, 0.0), 1.0)


@form("leaky ReLU of slope 0", 0.02)
def _(graph, random):
    x = graph.input((1, 4, 8, 8), range(-128, 128))
    return graph.leaky_relu(x, 0.0, 0.7183, -3, 20)


@form("reduce_sum rescaled by 0")
def _(graph, random):
    x = graph.input((1, 6, 7, 9), random.codes((1, 6, 7, 9)))
    return mean(graph, x, (3,), 0.0)
