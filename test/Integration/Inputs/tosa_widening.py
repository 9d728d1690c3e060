# SPDX-License-Identifier: Apache-2.0
#
# Forms whose results have more bits than their operands, without a rescale.

from tosa import size_of
from tosa_form import form
from tosa_unary import codes


def cast(source, target):
    @form("cast of %s to %s" % (source, target))
    def _(graph, random):
        x = graph.input((1, 4, 8, 2, 4), codes(source), source)
        return graph.op("cast", [x], {}, x.shape, target, x.values)


cast("i8", "i16")
cast("i8", "i32")
cast("i16", "i32")


@form("cast of i8 to i16 before an operation")
def _(graph, random):
    x = graph.input((4, 64), range(-128, 128))
    wide = graph.op("cast", [x], {}, x.shape, "i16", x.values)
    return graph.op("abs", [wide], {}, x.shape, "i16", [abs(value) for value in x.values])


def product(name, left, right, is_constant=False):
    @form("product of i8 to i32" + name)
    def _(graph, random):
        def ends(shape):
            """Random quantised values, with both ends among them."""
            return [-128, 127, -128][: size_of(shape)] + random.codes(shape)[3:]

        x = graph.input(left, ends(left))
        y = graph.constant(right, ends(right)) if is_constant else graph.input(right, ends(right))
        return graph.binary("mul", x, y)


product("", (2, 5, 7, 3), (2, 5, 7, 3))
product(", reshaped", (1, 72, 6, 1), (1, 72, 6, 1))
product(" of one number", (1, 68), (1, 1))
product(" along channels", (1, 6, 5, 7), (1, 1, 1, 7))
product(" of rows", (1, 6, 5, 7), (1, 6, 1, 7))
product(" of a constant", (4, 6), (4, 6), is_constant=True)
