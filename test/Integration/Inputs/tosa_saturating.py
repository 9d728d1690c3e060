# SPDX-License-Identifier: Apache-2.0
#
# Forms that the kernels of 8 bits do not compute with the constants of the network.

from tosa_dimensions import mean
from tosa_form import form


@form("conv2d without weights, of great biases")
def _(graph, random):
    x = graph.input((1, 3, 2, 4), random.codes((1, 3, 2, 4)))
    w = graph.constant((5, 2, 2, 4), [0] * 32 + random.codes((3, 2, 2, 4), -127, 127))
    b = graph.constant([5], [526435520, -(1 << 30), 5, 20000000, 131071 + 65536], "i32")
    sums = graph.conv2d(x, w, b, -7, (1, 1), (1, 1), (0, 0, 0, 0))
    return graph.rescale(sums, [1.67e-7, 3e-8, 1e-9, 4e-6, 0.0008], 0, -128)


@form("reduce_sum of maps whose average would saturate", 0.05)
def _(graph, random):
    x = graph.input((1, 128, 128, 2), random.codes((1, 128, 128, 2)))
    return graph.reshape(mean(graph, x, (1, 2), 0.05), (1, 2))


@form("reduce_sum that an average is too far from", 0.05)
def _(graph, random):
    x = graph.input((2, 6, 7, 30), random.codes((2, 6, 7, 30)))
    return graph.reshape(mean(graph, x, (1, 2), 6.1), (2, 30))
