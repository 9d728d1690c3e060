# SPDX-License-Identifier: Apache-2.0
#
# Forms that change the quantisation between 8, 16 and 32 bits.

from tosa import LIMITS
from tosa_form import form


def rescale(name, sources, source, result, factor, zeros, share=0.0, shape=None):
    @form(name, share)
    def _(graph, random):
        low, high = sources
        values = random.codes((2, 3, 4, 5, 8), low, high - 1)[:-2] + [low, high]
        x = graph.input((2, 3, 4, 5, 8), values, source)
        return graph.rescale(x, factor, *zeros, result)


BYTE, SHORT, INT = (LIMITS[element] for element in ("i8", "i16", "i32"))

rescale("rescale of i8 to i16", BYTE, "i8", "i16", 1.0, (-128, 0))
rescale("rescale of i8 to i16 by a great factor", BYTE, "i8", "i16", 131.7183, (5, 0), 0.2)
rescale("rescale of i16 to i8", SHORT, "i16", "i8", 0.0031457, (0, 125), 0.01)
rescale("rescale of i16 to i8 that saturates", SHORT, "i16", "i8", 0.7183, (0, -3), 0.01)
rescale("rescale of i16", SHORT, "i16", "i16", 0.7183, (0, 0), 0.25)
rescale("rescale of i16 by a factor over 1", (-3000, 3000), "i16", "i16", 9.7183, (0, 0), 0.25)
rescale("rescale of i16 by 1", SHORT, "i16", "i16", 1.0, (0, 0))
rescale("rescale of i8 to i32", BYTE, "i8", "i32", 1.0, (11, 0))
rescale("rescale of i8 to i32 by 20 bits", BYTE, "i8", "i32", float(1 << 20), (11, 0))
rescale("rescale of i8 to i32 by any factor", BYTE, "i8", "i32", 13.7183, (-7, 0), 0.05)
rescale("rescale of i16 to i32", SHORT, "i16", "i32", 1.0, (0, 0))
rescale("rescale of i16 to i32 by 12 bits", SHORT, "i16", "i32", 4096.0, (0, 0))
rescale("rescale of i32 to i8", (-20000, 20000), "i32", "i8", 0.0069823, (0, -118), 0.01)
rescale("rescale of great i32 to i8", INT, "i32", "i8", 0.4183 / (1 << 23), (0, 3), 0.01)
rescale("rescale of i32 to i16", (-40000, 40000), "i32", "i16", 1.0, (0, 0))
rescale("rescale of great i32 to i16", INT, "i32", "i16", 0.7183 / (1 << 16), (0, 0), 0.3)


rescale("rescale of i32 to i8 by a great factor", INT, "i32", "i8", 1048577.0, (0, 3))
rescale("rescale of i32 to i16 by a great factor", (-40, 40), "i32", "i16", 3000.7183, (0, 0), 0.3)


@form("rescale of i8 to i32 and back to i16")
def _(graph, random):
    wide = graph.rescale(graph.input((64,), random.codes((64,))), 512.0, 9, 0, "i32")
    return graph.rescale(wide, 0.25, 0, 0, "i16")


@form("rescale of a constant of i32")
def _(graph, random):
    x = graph.constant((1, 8), random.codes((1, 8), -300, 300), "i32")
    return graph.concat([graph.rescale(x, 0.5, 0, 7), graph.input((1, 8), random.codes((1, 8)))], 0)


@form("rescale of one i8 to i32")
def _(graph, random):
    return graph.rescale(graph.input((), [-37]), 1.0, 11, 0, "i32")


@form("rescale by 0 to i16 and i32")
def _(graph, random):
    x = graph.input((2, 3), random.codes((2, 3)))
    wide = graph.op("identity", [x], {}, x.shape, x.element, x.values)
    results = []
    for element in ("i16", "i32"):
        operands = [wide] + [
            graph.constant([1], [value], of)
            for value, of in ((0, "i32"), (31, "i8"), (4, "i8"), (0, element))
        ]
        flags = {
            "input_unsigned": "false", "output_unsigned": "false", "per_channel": "false",
            "rounding_mode": "SINGLE_ROUND", "scale32": "true",
        }
        results.append(graph.op("rescale", operands, flags, x.shape, element, [0] * 6))
    return tuple(results)
