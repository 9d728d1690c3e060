# SPDX-License-Identifier: Apache-2.0
#
# Forms that pool, reduce or move.

from tosa_form import AVERAGE, MEAN, form


@form("avg_pool2d", AVERAGE)
def _(graph, random):
    x = graph.input((2, 6, 8, 3), random.codes((2, 6, 8, 3)))
    return graph.avg_pool2d(x, (3, 2), (1, 2), (1, 0, 1, 1), -12, -12)


@form("max_pool2d")
def _(graph, random):
    x = graph.input((2, 6, 7, 3), random.codes((2, 6, 7, 3)))
    return graph.max_pool2d(x, (3, 2), (1, 1), (1, 0, 0, 1))


def mean(graph, x, axes, factor):
    value = graph.rescale(x, 256.0, -9, 0, "i32")
    count = 1
    for axis in axes:
        count *= value.shape[axis]
        value = graph.reduce("reduce_sum", value, axis)
    return graph.rescale(value, factor / 256 / count, 0, 4)


@form("reduce_sum of rows and columns", MEAN)
def _(graph, random):
    x = graph.input((2, 6, 7, 30), random.codes((2, 6, 7, 30)))
    return graph.reshape(mean(graph, x, (1, 2), 2.3), (2, 30))


@form("reduce_sum of channels", MEAN)
def _(graph, random):
    x = graph.input((1, 6, 7, 9), random.codes((1, 6, 7, 9)))
    return mean(graph, x, (3,), 1.6)


@form("reduce_max")
def _(graph, random):
    x = graph.input((3, 6, 7), random.codes((3, 6, 7)))
    return graph.reduce("reduce_max", graph.reduce("reduce_max", x, 1), 2)


@form("argmax")
def _(graph, random):
    # No row has an element twice.
    values = [(37 * i + 11 * (i // 9)) % 251 - 125 for i in range(4 * 9 * 6)]
    return graph.argmax(graph.input((4, 9, 6), values), 1)


@form("transpose")
def _(graph, random):
    return graph.transpose(graph.input((2, 3, 4, 5), random.codes((2, 3, 4, 5))), (0, 3, 1, 2))


@form("pad")
def _(graph, random):
    return graph.pad(graph.input((2, 3, 4), random.codes((2, 3, 4))), [1, 0, 0, 2, 3, 1], -77)


@form("slice")
def _(graph, random):
    return graph.slice(graph.input((2, 5, 6, 3), random.codes((2, 5, 6, 3))), (1, 2, 0, 1), (1, 3, 6, 2))


@form("concat")
def _(graph, random):
    x = graph.input((2, 3, 4), random.codes((2, 3, 4)))
    y = graph.input((2, 2, 4), random.codes((2, 2, 4)))
    z = graph.constant((2, 1, 4), random.codes((2, 1, 4)))
    return graph.concat([x, graph.rescale(y, 0.5, 1, 3), z], 1)
