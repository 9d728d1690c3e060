# SPDX-License-Identifier: Apache-2.0
#
# Forms of more dimensions than kernels have that compute each element by itself.

import math

from tosa_form import form


@form("table of 5 dimensions", 0.05)
def _(graph, random):
    shape = (2, 3, 2, 2, 3)
    numbers = [round(256 / (1 + math.exp(-0.05 * code))) - 128 for code in range(-128, 128)]
    return graph.table(graph.input(shape, random.codes(shape)), [min(n, 127) for n in numbers])
