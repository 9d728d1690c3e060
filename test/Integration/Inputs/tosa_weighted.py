# SPDX-License-Identifier: Apache-2.0
#
# Forms of products with weights.

from tosa_form import WEIGHTED, bias, factors, form, weights


def conv(graph, random, batch, pad=(0, 1, 1, 0), stride=(1, 1), dilation=(1, 1)):
    x = graph.input((batch, 9, 8, 3), random.codes((batch, 9, 8, 3)))
    sums = graph.conv2d(
        x, weights(graph, random, (5, 3, 2, 3)), bias(graph, random, 5), -7, stride, dilation, pad
    )
    return graph.rescale(sums, factors(18, 5), 0, 11)


@form("conv2d", WEIGHTED)
def _(graph, random):
    return conv(graph, random, 1)


@form("conv2d, two roundings", 0.02, double_round=True)
def _(graph, random):
    return conv(graph, random, 1, pad=(1, 1, 1, 0), stride=(2, 1))


@form("conv2d of a batch", WEIGHTED)
def _(graph, random):
    return conv(graph, random, 3, pad=(1, 1, 0, 1), dilation=(2, 1))


@form("conv2d behind its pad", WEIGHTED)
def _(graph, random):
    x = graph.input((1, 6, 5, 4), random.codes((1, 6, 5, 4)))
    padded = graph.pad(x, [0, 0, 1, 0, 2, 1, 0, 0], 5)
    w = weights(graph, random, (6, 3, 3, 4))
    sums = graph.conv2d(padded, w, bias(graph, random, 6), 5, (1, 1), (1, 1), (0, 1, 0, 0))
    return graph.clamp(graph.rescale(sums, factors(36, 6), 0, -20), -20, 127)


@form("conv2d behind a pad of other codes", WEIGHTED)
def _(graph, random):
    x = graph.input((1, 6, 5, 4), random.codes((1, 6, 5, 4)))
    padded = graph.pad(x, [0, 0, 1, 0, 2, 1, 0, 0], 99)
    w = weights(graph, random, (6, 3, 3, 4))
    sums = graph.conv2d(padded, w, bias(graph, random, 6), 5, (1, 1), (1, 1), (0, 0, 0, 0))
    return graph.rescale(sums, factors(36, 6), 0, -20)


@form("conv2d, its sums rescaled twice", WEIGHTED)
def _(graph, random):
    x = graph.input((1, 6, 5, 4), random.codes((1, 6, 5, 4)))
    sums = graph.conv2d(
        x, weights(graph, random, (6, 3, 3, 4)), bias(graph, random, 6), 5, (1, 1), (1, 1), (0, 0, 0, 0)
    )
    wide = graph.rescale(sums, [64 * f for f in factors(36, 6)], element="i32")
    return graph.rescale(wide, 1 / 64, 0, -20)


@form("conv2d 1x1 of rows", WEIGHTED)
def _(graph, random):
    x = graph.reshape(graph.input((4, 24), random.codes((4, 24))), (4, 1, 1, 24))
    w = weights(graph, random, (10, 1, 1, 24))
    sums = graph.conv2d(x, w, bias(graph, random, 10), 3, (1, 1), (1, 1), (0, 0, 0, 0))
    return graph.reshape(graph.rescale(sums, factors(24, 1), 0, -4), (4, 10))


def depthwise(graph, random, channels, factor, batch=1):
    x = graph.input((batch, 7, 9, channels), random.codes((batch, 7, 9, channels)))
    outputs = channels * factor
    sums = graph.depthwise_conv2d(
        x,
        weights(graph, random, (3, 2, channels, factor)),
        bias(graph, random, outputs),
        13,
        (2, 1),
        (1, 1),
        (1, 1, 0, 1),
    )
    return graph.rescale(sums, factors(6, outputs), 0, -6)


@form("depthwise_conv2d", WEIGHTED)
def _(graph, random):
    return depthwise(graph, random, 5, 1)


@form("depthwise_conv2d, 3 filters a channel", WEIGHTED)
def _(graph, random):
    return depthwise(graph, random, 4, 3, batch=2)


@form("depthwise_conv2d, 8 filters of one channel", WEIGHTED)
def _(graph, random):
    return depthwise(graph, random, 1, 8)


@form("transpose_conv2d", WEIGHTED)
def _(graph, random):
    x = graph.input((2, 4, 5, 3), random.codes((2, 4, 5, 3)))
    w = weights(graph, random, (4, 3, 4, 3))
    sums = graph.transpose_conv2d(x, w, bias(graph, random, 4), -9, (2, 2), (-1, 0, -1, -2))
    return graph.clamp(graph.rescale(sums, factors(9, 4), 0, 21), 21, 127)


@form("matmul", WEIGHTED)
def _(graph, random):
    a = graph.input((1, 6, 20), random.codes((1, 6, 20)))
    sums = graph.matmul(a, weights(graph, random, (1, 20, 7)), 8, 0)
    return graph.rescale(sums, factors(20, 1), 0, 2)


@form("SVDF", WEIGHTED)
def _(graph, random):
    """Features of rank 1, a memory of 6 steps that moves on, and filters over time."""
    x = graph.reshape(graph.input((1, 12), random.codes((1, 12))), (1, 1, 1, 12))
    memory = graph.input((1, 8, 6), random.codes((1, 8, 6)))
    sums = graph.conv2d(
        x, weights(graph, random, (8, 1, 1, 12)), bias(graph, random, 8), 3, (1, 1), (1, 1), (0, 0, 0, 0)
    )
    features = graph.reshape(graph.rescale(sums, factors(12, 1), 0, -5), (1, 8, 1))
    moved = graph.concat([graph.slice(memory, (0, 0, 1), (1, 8, 5)), features], 2)
    steps = graph.reshape(graph.transpose(moved, (0, 2, 1)), (1, 6, 1, 8))
    sums = graph.depthwise_conv2d(
        steps, weights(graph, random, (6, 1, 8, 1)), bias(graph, random, 8), -5, (1, 1), (1, 1), (0, 0, 0, 0)
    )
    return graph.reshape(graph.rescale(sums, factors(6, 1), 0, 9), (1, 8)), moved
