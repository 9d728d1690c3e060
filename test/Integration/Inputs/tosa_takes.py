# SPDX-License-Identifier: Apache-2.0
#
# Forms that take slices along axes.

from tosa_form import form


@form("tile")
def _(graph, random):
    return graph.tile(graph.input((2, 3, 1, 4), random.codes((2, 3, 1, 4))), (1, 2, 3, 1))


@form("reverse")
def _(graph, random):
    return graph.reverse(graph.input((3, 4, 5), random.codes((3, 4, 5))), 1)


@form("gather")
def _(graph, random):
    return graph.gather(graph.input((1, 9, 4), random.codes((1, 9, 4))), [8, 0, 3, 3, 4, 5])


@form("resize to twice the size")
def _(graph, random):
    x = graph.input((2, 3, 4, 5), random.codes((2, 3, 4, 5)))
    return graph.resize_nearest(x, (6, 8), (4, 2, 4, 2), (-1, -1), (1, 1))


@form("resize with aligned corners")
def _(graph, random):
    x = graph.input((1, 4, 5, 3), random.codes((1, 4, 5, 3)))
    return graph.resize_nearest(x, (7, 9), (12, 6, 16, 8), (0, 0), (0, 0))


@form("resize to a smaller size")
def _(graph, random):
    x = graph.input((1, 9, 7, 2), random.codes((1, 9, 7, 2)))
    return graph.resize_nearest(x, (5, 3), (2, 4, 2, 6), (0, 0), (0, 0))


@form("table of any codes", 0)
def _(graph, random):
    x = graph.input((16, 16), range(-128, 128))
    y = graph.table(x, random.codes((256,)))
    return graph.rescale(graph.table(y, random.codes((256,))), 0.3713, 5, -7)
