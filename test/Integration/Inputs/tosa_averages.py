# SPDX-License-Identifier: Apache-2.0
#
# Averages, of which the kernel has other halves or too few bits of the factor.

from tosa_dimensions import mean
from tosa_form import AVERAGE, MEAN, form


def pool(name, shape, kernel, stride, pad, zero, out_zero):
    @form("avg_pool2d, " + name, AVERAGE)
    def _(graph, random):
        x = graph.input(shape, random.codes(shape))
        return graph.avg_pool2d(x, kernel, stride, pad, zero, out_zero)


pool("halves", (1, 8, 8, 7), (2, 2), (2, 2), (0, 0, 0, 0), 0, 0)
pool("halves on both sides of zero", (1, 8, 10, 5), (2, 2), (2, 2), (0, 0, 0, 0), 57, 57)
pool("all windows cut", (2, 3, 3, 6), (3, 3), (1, 1), (1, 1, 1, 1), -128, -128)
pool("a window over more than the map", (1, 2, 3, 40), (4, 4), (1, 1), (1, 1, 1, 0), 4, 4)
pool("another zero point", (1, 7, 7, 9), (3, 3), (2, 2), (0, 0, 0, 0), -128, 5)


@form("reduce_sum of 49 codes", MEAN)
def _(graph, random):
    x = graph.input((1, 7, 7, 60), random.codes((1, 7, 7, 60)))
    return mean(graph, x, (1, 2), 1.0)
