# SPDX-License-Identifier: Apache-2.0
#
# Networks of one operator that takes slices along axes, or blends them.

import itertools
import math
import struct

import reference as ref
from cases import several
from moves import move


def take(shape, values, indices):
    """Of each dimension the indices in a list."""
    steps = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
    return [
        values[sum(place * step for place, step in zip(places, steps))]
        for places in itertools.product(*indices)
    ]


def taken(name, shape, indices, inputs=(), options=None, type="INT8", **fields):
    to = [len(each) for each in indices]
    return move(
        name, shape, [to], lambda v: [take(shape, v, indices)], inputs, options, type, **fields
    )


def single(number):
    """Rounded to float."""
    return struct.unpack("f", struct.pack("f", number))[0]


def nearest(extent, size, corners, centers):
    """As TFLite's reference does, in float."""
    aligned = corners and size > 1
    scale = single((extent - 1) / (size - 1) if aligned else extent / size)
    indices = []
    for i in range(size):
        place = single((i + 0.5 * centers) * scale)
        rounded = math.floor(place + 0.5) if corners else math.floor(place)
        indices.append(max(0, min(rounded, extent - 1)))
    return indices


@several(
    (4, 5, 8, 10, False, False), (4, 5, 8, 15, False, True), (3, 4, 7, 9, True, False),
    (8, 6, 4, 3, False, False), (1, 1, 5, 3, False, False), (5, 7, 3, 4, False, True))
def resize_nearest(height, width, rows, columns, corners, centers):
    shape = [2, height, width, 3]
    indices = [
        range(2), nearest(height, rows, corners, centers),
        nearest(width, columns, corners, centers), range(3),
    ]
    return taken(
        "RESIZE_NEAREST_NEIGHBOR", shape, indices, [[rows, columns]],
        "ResizeNearestNeighborOptions", align_corners=corners, half_pixel_centers=centers,
    )


def blends(extent, size, corners, centers):
    """Two places and the part of the second in 1024, as TFLite's reference has them."""
    if corners and size > 1:
        scale = (1024 * (extent - 1) + (size - 1) // 2) // (size - 1)
    else:
        scale = (1024 * extent + size // 2) // size
    result = []
    for i in range(size):
        place = i * scale + (scale // 2 - 512 if centers else 0)
        lower = max(int(place / 1024), 0)
        upper = min(int((place + 1023) / 1024), extent - 1)
        result.append((place, lower, upper))
    return result


def bilinear(shape, codes, rows, columns, corners, centers):
    """TFLite's reference of integers: 20 bits, rounded half away from zero."""
    batch, height, width, channels = shape
    at = lambda n, y, x, c: codes[((n * height + y) * width + x) * channels + c]
    result = []
    for n, (y, y0, y1), (x, x0, x1), c in itertools.product(
        range(batch), blends(height, rows, corners, centers),
        blends(width, columns, corners, centers), range(channels),
    ):
        dy, dx = y - 1024 * y0, x - 1024 * x0
        total = (
            at(n, y0, x0, c) * (1024 - dy) * (1024 - dx) + at(n, y1, x0, c) * dy * (1024 - dx)
            + at(n, y0, x1, c) * (1024 - dy) * dx + at(n, y1, x1, c) * dy * dx
        )
        total += 1 << 19 if total > 0 else -(1 << 19)
        result.append(abs(total) >> 20 if total >= 0 else -(abs(total) >> 20))
    return result


@several(
    (4, 5, 8, 10, False, True, "INT8"), (4, 5, 8, 10, False, False, "INT8"),
    (5, 4, 9, 13, True, False, "INT8"), (5, 4, 33, 25, True, False, "INT8"),
    (6, 5, 13, 8, False, True, "INT8"), (9, 8, 4, 3, False, True, "INT8"),
    (1, 1, 5, 3, True, False, "INT8"), (3, 1, 6, 4, False, True, "INT8"),
    (4, 5, 8, 10, False, True, "INT16"))
def resize_bilinear(height, width, rows, columns, corners, centers, type):
    shape = [2, height, width, 3]
    net, _, _ = move(
        "RESIZE_BILINEAR", shape, [[2, rows, columns, 3]], None, [[rows, columns]],
        "ResizeBilinearOptions", type, align_corners=corners, half_pixel_centers=centers,
    )
    y = net.outputs[0]
    entry = net.tensors[y.index]["quantization"]
    scale, zero = entry["scale"][0], entry["zero_point"][0]

    def compute(values):
        codes = [round(v / scale) + zero for v in values]
        found = bilinear(shape, codes, rows, columns, corners, centers)
        return [[(code - zero) * scale for code in found]]

    return net, compute, 0 if height == width == 1 else 1


@several(([3, 4, 5], 1, [3, 0, 0, 2], [4]), ([3, 4, 5], -1, [4, 3, 2, 1], [2, 2]), ([6], 0, [5], []))
def gather(shape, axis, places, extents):
    net, _, _ = move("GATHER", shape, [[1]], None, [places], "GatherOptions", axis=axis)
    axis = axis % len(shape)
    to = shape[:axis] + extents + shape[axis + 1 :]
    net.tensors[net.operators[0]["inputs"][1]]["shape"] = extents
    y = net.outputs[0]
    net.tensors[y.index]["shape"] = y.shape = to
    indices = [places if i == axis else range(e) for i, e in enumerate(shape)]
    return net, lambda v: [take(shape, v, indices)], 0


@several(([2, 3], [2, 1]), ([2, 3], [1, 3]), ([1, 2, 2, 3], [2, 3, 1, 2]))
def tile(shape, times):
    indices = [[k % e for k in range(e * t)] for e, t in zip(shape, times)]
    return taken("TILE", shape, indices, [times])


@several(([3], [2, 4, 3]), ([2, 1, 3, 1], [2, 4, 3, 5]), ([2, 3], [2, 3]))
def broadcast_to(shape, to):
    whole = [1] * (len(to) - len(shape)) + shape
    indices = [[0] * t if e == 1 else range(e) for e, t in zip(whole, to)]
    return move(
        "BROADCAST_TO", shape, [to], lambda v: [take(whole, v, indices)], [to], type="UINT8"
    )


def mirror(extent, low, high, more):
    """The row itself, with its reflection on both sides."""
    row = list(range(extent))
    before = (row if more else row[1:])[:low][::-1]
    after = (row[::-1] if more else row[:-1][::-1])[:high]
    return before + row + after


@several(("REFLECT", 0), ("SYMMETRIC", 1))
def mirror_pad(mode, more):
    shape, amounts = [2, 4, 5, 3], [(0, 0), (2, 2 + more), (0, 4), (1, 0)]
    indices = [mirror(e, low, high, more) for e, (low, high) in zip(shape, amounts)]
    flat = sum(map(list, amounts), [])
    net, compute, _ = taken("MIRROR_PAD", shape, indices, [flat], "MirrorPadOptions", mode=mode)
    net.tensors[net.operators[0]["inputs"][1]]["shape"] = [4, 2]
    return net, compute, 0


@several(("INT32",), ("INT64",))
def shape_of(type):
    """The shape is a constant, of which a number is taken."""
    net, _, _ = move("RESHAPE", [2, 3, 4], [[2, 12]], lambda v: [v])
    x, y = net.inputs[0], net.outputs[0]
    net.operators = []
    sizes = net.tensor([3], type=type)
    net.operator("SHAPE", [x], [sizes])
    net.operator("RESHAPE", [x, sizes], [y])
    net.outputs = [y, sizes]
    return net, lambda v: [v, [2, 3, 4]], 0
