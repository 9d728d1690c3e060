# SPDX-License-Identifier: Apache-2.0
#
# Forms that move elements or find the greatest: of 8, 16 and 32 bits, in any
# number of dimensions.

from tosa import LIMITS
from tosa_form import form


def input(graph, random, shape, element):
    return graph.input(shape, random.codes(shape, *LIMITS[element]), element)


def transpose(name, element, shape, perms):
    @form(name)
    def _(graph, random):
        return graph.transpose(input(graph, random, shape, element), perms)


transpose("transpose of i16", "i16", (3, 4, 5), (2, 0, 1))
transpose("transpose of i32", "i32", (2, 3, 4, 5), (3, 1, 0, 2))
transpose("transpose of 5 dimensions, 4 of which move apart", "i8", (3, 2, 4, 2, 3), (4, 1, 3, 0, 2))
transpose("transpose of 5 dimensions back to front", "i16", (2, 3, 4, 2, 5), (4, 3, 2, 1, 0))
transpose("transpose of 6 dimensions", "i8", (2, 3, 2, 4, 3, 2), (3, 5, 1, 0, 4, 2))
transpose("transpose of 6 dimensions of i32", "i32", (3, 2, 3, 2, 2, 3), (5, 3, 1, 4, 2, 0))
transpose("transpose of 8 dimensions", "i8", (2, 3, 2, 2, 2, 3, 2, 2), (7, 2, 5, 0, 3, 6, 1, 4))


def blocks(name, element, is_to_depth, perms):
    """Blocks of 2 x 2 pixels as channels, or back."""

    @form(name)
    def _(graph, random):
        shape = (2, 6, 4, 3) if is_to_depth else (2, 3, 2, 12)
        x = input(graph, random, shape, element)
        if is_to_depth:
            split, to = (2, 3, 2, 2, 2, 3), (2, 3, 2, 12)
        else:
            split, to = (2, 3, 2, 2, 2, 3) if perms[5] == 5 else (2, 3, 2, 3, 2, 2), (2, 6, 4, 3)
        return graph.reshape(graph.transpose(graph.reshape(x, split), perms), to)


blocks("space to depth", "i8", True, (0, 1, 3, 2, 4, 5))
blocks("depth to space, blocks first", "i16", False, (0, 1, 3, 2, 4, 5))
blocks("depth to space, channels first", "i8", False, (0, 1, 4, 2, 5, 3))


@form("identity of 6 dimensions")
def _(graph, random):
    return graph.identity(input(graph, random, (2, 3, 1, 2, 2, 2), "i32"))


@form("reshape to no dimension and back")
def _(graph, random):
    return graph.reshape(graph.reshape(input(graph, random, (1, 1), "i16"), ()), (1, 1, 1, 1, 1))


@form("pad of 6 dimensions")
def _(graph, random):
    x = input(graph, random, (2, 1, 2, 3, 2, 2), "i8")
    return graph.pad(x, [1, 0, 0, 2, 1, 1, 0, 1, 2, 0, 0, 3], -77)


@form("pad of i16")
def _(graph, random):
    return graph.pad(input(graph, random, (2, 3, 4), "i16"), [1, 0, 0, 2, 3, 1], -7777)


@form("pad of i32")
def _(graph, random):
    return graph.pad(input(graph, random, (2, 3), "i32"), [1, 0, 0, 2], 123456789)


@form("slice of 6 dimensions")
def _(graph, random):
    x = input(graph, random, (3, 3, 2, 3, 3, 4), "i16")
    return graph.slice(x, (1, 0, 1, 1, 0, 2), (2, 2, 1, 2, 2, 2))


@form("slice that leaves all but one dimension")
def _(graph, random):
    return graph.slice(input(graph, random, (2, 3, 4, 2, 3), "i32"), (0, 0, 1, 0, 0), (2, 3, 2, 2, 3))


@form("slice of the tensor dialect")
def _(graph, random):
    x = graph.identity(input(graph, random, (1, 5, 6, 4), "i8"))
    return graph.reshape(graph.extract_slice(x, (0, 2, 1, 1), (1, 3, 4, 2), (3, 4, 2)), (1, 3, 8))


@form("concat of 5 dimensions and a constant")
def _(graph, random):
    shape = (2, 1, 2, 2, 3)
    x, y = (input(graph, random, shape, "i32") for _ in range(2))
    z = graph.constant((2, 1, 3, 2, 3), random.codes((2, 1, 3, 2, 3), *LIMITS["i32"]), "i32")
    return graph.concat([x, z, y], 2)


@form("tile of 5 dimensions")
def _(graph, random):
    return graph.tile(input(graph, random, (2, 1, 3, 2, 2), "i16"), (1, 2, 3, 1, 2))


@form("reverse of i32")
def _(graph, random):
    return graph.reverse(input(graph, random, (2, 3, 2, 2, 3), "i32"), 3)


@form("gather of a batch")
def _(graph, random):
    return graph.gather(input(graph, random, (2, 5, 3), "i16"), [4, 0, 1, 1, 2, 3, 3, 0])


@form("scatter")
def _(graph, random):
    rows = input(graph, random, (2, 3, 4), "i8")
    return graph.scatter(input(graph, random, (2, 6, 4), "i8"), [5, 0, 1, 2, 3, 0], rows)


@form("scatter of a constant of i32")
def _(graph, random):
    rows = graph.constant((1, 2, 3), random.codes((1, 2, 3), *LIMITS["i32"]), "i32")
    return graph.scatter(input(graph, random, (1, 7, 3), "i32"), [6, 2], rows)


@form("select by a triangle")
def _(graph, random):
    condition = graph.constant((1, 5, 5), [i <= j for i in range(5) for j in range(5)], "i1")
    low = graph.constant((1, 1, 1), [-128])
    return graph.select(condition, low, input(graph, random, (3, 5, 5), "i8"))


@form("select by rows and columns of i32")
def _(graph, random):
    condition = graph.constant((1, 3, 1, 4, 1), [i % 3 != 1 for i in range(12)], "i1")
    row = input(graph, random, (1, 1, 1, 4, 2), "i32")
    return graph.select(condition, input(graph, random, (2, 3, 2, 4, 2), "i32"), row)


@form("select of all of i16")
def _(graph, random):
    condition = graph.constant((1, 1), [True], "i1")
    parts = [input(graph, random, (2, 3), "i16") for _ in range(2)]
    return graph.concat([graph.select(condition, *parts), graph.select(graph.constant((2, 3), [0] * 6, "i1"), *parts)], 0)


@form("select of one, whatever the other is")
def _(graph, random):
    parts = [input(graph, random, (2, 3), "i16") for _ in range(2)]
    return graph.select(graph.constant((1, 1), [False], "i1"), *parts)


@form("resize of i16")
def _(graph, random):
    x = input(graph, random, (1, 3, 4, 2), "i16")
    return graph.resize_nearest(x, (6, 8), (4, 2, 4, 2), (-1, -1), (1, 1))


@form("max_pool2d of i16")
def _(graph, random):
    return graph.max_pool2d(input(graph, random, (2, 6, 7, 3), "i16"), (3, 2), (1, 1), (1, 0, 0, 1))


@form("reduce_max of 5 dimensions of i16")
def _(graph, random):
    x = input(graph, random, (2, 3, 4, 2, 3), "i16")
    return graph.reduce("reduce_max", graph.reduce("reduce_max", x, 4), 1)


@form("argmax of i16")
def _(graph, random):
    # No row has an element twice.
    values = [(3701 * i + 11 * (i // 9)) % 25100 - 12500 for i in range(2 * 2 * 9 * 3 * 2)]
    return graph.argmax(graph.input((2, 2, 9, 3, 2), values, "i16"), 2)


@form("argmax of equal elements")
def _(graph, random):
    # Most rows have their maximum more than once.
    return graph.argmax(graph.input((5, 300), random.codes((5, 300), -128, -120)), 1)


@form("argmax of equal elements of i16")
def _(graph, random):
    values = random.codes((3, 4, 260), -32768, -32765) + random.codes((2, 4, 260), 32000, 32767)
    values[1040] = 32767
    return graph.argmax(graph.input((5, 4, 260), values, "i16"), 2)


@form("argmax, moved")
def _(graph, random):
    values = [(37 * i + 11 * (i // 9)) % 251 - 125 for i in range(4 * 9 * 6)]
    positions = graph.argmax(graph.input((4, 9, 6), values), 1)
    return graph.concat([graph.transpose(positions, (1, 0)), graph.reshape(positions, (6, 4))], 0)


@form("clamp of i16")
def _(graph, random):
    return graph.clamp(input(graph, random, (2, 3, 2, 2, 3, 3), "i16"), -1270, 12600)


@form("clamp of i16 at one side")
def _(graph, random):
    return graph.clamp(input(graph, random, (64,), "i16"), 0, 32767)


@form("clamp of i16 of no dimension")
def _(graph, random):
    return graph.clamp(input(graph, random, (), "i16"), -5, 5)
