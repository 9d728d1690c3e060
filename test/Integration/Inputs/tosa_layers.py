# SPDX-License-Identifier: Apache-2.0
#
# Layers of i16 whose sums have 48 bits: with weights of i8, and products of
# matrices of i16. Of one kernel, weights add half a step to a sum at most; a
# second kernel for what they leave rounds once more. Factors of 15 bits of a
# product of two variables add half a step, and its two kernels one.

import math

from tosa_form import form, weights

LAYER, PRODUCT = 0.5, 0.75


def words(graph, random, shape, is_constant=False):
    make = graph.constant if is_constant else graph.input
    return make(shape, random.codes(shape, -(1 << 15), (1 << 15) - 1), "i16")


def long_bias(graph, random, count, most=1 << 24):
    return graph.constant([count], random.codes([count], -most, most), "i48")


def factors(taps, count):
    """Factors that leave sums of `taps` products most of the range of i16."""
    return [0.009 / math.sqrt(taps) * (1 + 0.37 * i / count) for i in range(count)]


def conv(graph, random, batch, scale32, pad=(0, 1, 1, 0), stride=(1, 1), dilation=(1, 1)):
    x = words(graph, random, (batch, 9, 8, 3))
    w = weights(graph, random, (5, 3, 2, 3))
    sums = graph.conv2d(x, w, long_bias(graph, random, 5), 0, stride, dilation, pad)
    return graph.rescale(sums, factors(18, 5), element="i16", scale32=scale32)


@form("conv2d of i16", LAYER)
def _(graph, random):
    return conv(graph, random, 1, scale32=False)


@form("conv2d of i16, its multipliers of 32 bits", LAYER)
def _(graph, random):
    return conv(graph, random, 2, scale32=True, pad=(1, 1, 0, 1), stride=(2, 1))


@form("conv2d of i16 by powers of two")
def _(graph, random):
    x = words(graph, random, (1, 6, 5, 4))
    w = weights(graph, random, (6, 3, 3, 4))
    b = long_bias(graph, random, 6, 1 << 14)
    sums = graph.conv2d(x, w, b, 0, (1, 1), (1, 1), (1, 0, 1, 0))
    return graph.rescale(sums, [2.0 ** -(9 + i % 2) for i in range(6)], element="i16", scale32=False)


@form("conv2d of i16 behind its pad, clamped", LAYER)
def _(graph, random):
    x = words(graph, random, (1, 6, 5, 4))
    padded = graph.pad(x, [0, 0, 1, 0, 2, 1, 0, 0], 0)
    w = weights(graph, random, (6, 3, 3, 4))
    sums = graph.conv2d(padded, w, long_bias(graph, random, 6), 0, (1, 1), (1, 1), (0, 1, 0, 0))
    return graph.clamp(graph.rescale(sums, factors(36, 6), element="i16", scale32=False), 0, 20000)


@form("conv2d 1x1 of rows of i16", LAYER)
def _(graph, random):
    x = graph.reshape(words(graph, random, (4, 24)), (4, 1, 1, 24))
    w = weights(graph, random, (10, 1, 1, 24))
    sums = graph.conv2d(x, w, long_bias(graph, random, 1), 0, (1, 1), (1, 1), (0, 0, 0, 0))
    result = graph.rescale(sums, factors(24, 1), element="i16", scale32=False)
    return graph.reshape(result, (4, 10))


@form("conv2d of i16 whose factors differ a thousandfold", LAYER, 2)
def _(graph, random):
    x = words(graph, random, (1, 5, 5, 4))
    w = weights(graph, random, (6, 1, 1, 4))
    sums = graph.conv2d(x, w, long_bias(graph, random, 6), 0, (1, 1), (1, 1), (0, 0, 0, 0))
    ratios = [0.0039 * 4.1**-i for i in range(6)]
    return graph.rescale(sums, ratios, element="i16", scale32=False)


def depthwise(graph, random, channels, factor):
    x = words(graph, random, (2, 7, 9, channels))
    outputs = channels * factor
    w = weights(graph, random, (3, 2, channels, factor))
    b = long_bias(graph, random, outputs)
    sums = graph.depthwise_conv2d(x, w, b, 0, (2, 1), (1, 1), (1, 1, 0, 1))
    return graph.rescale(sums, factors(6, outputs), element="i16", scale32=False)


@form("depthwise_conv2d of i16", LAYER)
def _(graph, random):
    return depthwise(graph, random, 5, 1)


@form("depthwise_conv2d of i16, 3 filters a channel", LAYER)
def _(graph, random):
    return depthwise(graph, random, 4, 3)


@form("transpose_conv2d of i16", LAYER)
def _(graph, random):
    x = words(graph, random, (1, 4, 5, 3))
    w = weights(graph, random, (4, 3, 4, 3))
    b = long_bias(graph, random, 4)
    sums = graph.transpose_conv2d(x, w, b, 0, (2, 2), (-1, 0, -1, -2))
    return graph.rescale(sums, factors(9, 4), element="i16", scale32=False)


@form("matmul of i16 and a constant", LAYER, 2)
def _(graph, random):
    b = words(graph, random, (1, 20, 7), is_constant=True)
    sums = graph.matmul(words(graph, random, (1, 6, 20)), b, 0, 0)
    return graph.rescale(sums, 0.0000071, element="i16", scale32=False)


@form("matmul of two variables of i16", PRODUCT, 2)
def _(graph, random):
    sums = graph.matmul(words(graph, random, (3, 10, 20)), words(graph, random, (3, 20, 17)), 0, 0)
    return graph.rescale(sums, 0.0000071, element="i16", scale32=False)


@form("matmul of two variables of i16 by a power of two")
def _(graph, random):
    sums = graph.matmul(words(graph, random, (1, 10, 20)), words(graph, random, (1, 20, 7)), 0, 0)
    return graph.rescale(sums, 2.0**-17, element="i16")


def pool(name, shape, kernel, stride, pad, share, distance=1):
    @form("avg_pool2d of i16, " + name, share, distance)
    def _(graph, random):
        return graph.avg_pool2d(words(graph, random, shape), kernel, stride, pad, 0, 0)


pool("4 codes", (1, 8, 8, 7), (2, 2), (2, 2), (0, 0, 0, 0), 0.25)
pool("9 codes, all windows cut", (2, 3, 3, 6), (3, 3), (1, 1), (1, 1, 1, 1), 0.75, 2)
pool("49 codes", (1, 7, 7, 60), (7, 7), (1, 1), (0, 0, 0, 0), 1, 2)
