# SPDX-License-Identifier: Apache-2.0
#
# Networks of one operator that moves elements or finds them.

import reference as ref
from cases import case, several, weights
from tflite import Network


def move(name, shape, to, compute, inputs=(), options=None, type="INT8", **fields):
    """An operator that only moves elements of one format."""
    net = Network()
    zero = {"INT8": 3, "UINT8": 131, "INT16": 0, "INT32": 0}[type]
    x = net.tensor(shape, 0.05, zero, type)
    outputs = [net.tensor(s, 0.05, zero, type) for s in to]
    constants = [net.tensor([len(c)], type="INT32", data=c) for c in inputs]
    net.inputs, net.outputs = [x], outputs
    net.operator(name, [x] + constants, outputs, options, **fields)
    return net, compute, 0


@several(("RESHAPE", [4, 30]), ("SQUEEZE", [4, 5, 6]), ("EXPAND_DIMS", [1, 4, 1, 5, 6]))
def reshape(name, to):
    shape = [1, 4, 5, 6]
    inputs = [to] if name == "RESHAPE" else []
    return move(name, shape, [to], lambda v: [v], inputs)


@several(([0, 3, 1, 2],), ([0, 2, 1, 3],), ([3, 2, 1, 0],), ([1, 0, 2, 3],))
def transpose(order):
    shape = [1, 4, 5, 6]
    return move(
        "TRANSPOSE", shape, [[shape[i] for i in order]],
        lambda v: [ref.transpose(shape, v, order)[1]], [order],
    )


@several(([4, 3, 2, 1, 0], "INT8"), ([0, 3, 1, 4, 2, 5], "INT16"), ([3, 5, 1, 0, 4, 2], "INT32"))
def transpose_many(order, type):
    """More dimensions than kernels have, at the boundary too."""
    shape = [2, 3, 2, 4, 3, 2][: len(order)]
    return move(
        "TRANSPOSE", shape, [[shape[i] for i in order]],
        lambda v: [ref.transpose(shape, v, order)[1]], [order], type=type,
    )


@case
def pad_many():
    amounts = [(1, 0), (0, 2), (1, 1), (0, 1), (2, 0), (1, 2)]
    shape = [2, 1, 2, 3, 2, 3]
    count = ref.size(shape)
    to, _ = ref.pad(shape, [0] * count, amounts, 0)
    net, _, _ = move("PAD", shape, [to], None, [sum(map(list, amounts), [])])
    return net, lambda v: [ref.pad(shape, v, amounts, 0)[1]], 0


@several(("INT8",), ("UINT8",), ("INT16",))
def pad(type):
    amounts = [(0, 0), (1, 2), (0, 3), (2, 0)]
    shape = [2, 4, 5, 6]
    to, _ = ref.pad(shape, [0] * 240, amounts, 0)
    net, _, _ = move("PAD", shape, [to], None, [sum(map(list, amounts), [])], type=type)
    return net, lambda v: [ref.pad(shape, v, amounts, 0)[1]], 0


@several(("INT8", 0.05), ("INT8", None), ("UINT8", None))
def padv2(type, scale):
    """A constant without a scale is a code."""
    zero = {"INT8": 3, "UINT8": 131}[type]
    amounts = [(0, 0), (1, 2), (0, 3), (2, 0)]
    shape = [1, 4, 5, 6]
    to, _ = ref.pad(shape, [0] * 120, amounts, 0)
    net = Network()
    x = net.tensor(shape, 0.05, zero, type)
    table = net.tensor([4, 2], type="INT32", data=sum(map(list, amounts), []))
    value = net.tensor([1], scale, zero, type, data=[zero - 53])
    y = net.tensor(to, 0.05, zero, type)
    net.inputs, net.outputs = [x], [y]
    net.operator("PADV2", [x, table, value], [y])
    return net, lambda v: [ref.pad(shape, v, amounts, -53 * 0.05)[1]], 0


@several((0,), (1,))
def padded_conv(extra):
    """A border that the convolution takes over, or that is wider than it pads."""
    net = Network()
    amounts = [(0, 0), (1, 1), (1 + extra, 1 + 2 * extra), (0, 0)]
    x = net.tensor([1, 4, 5, 3], 0.05, 3)
    shape, _ = ref.pad(x.shape, [0] * 60, amounts, 0)
    table = net.tensor([4, 2], type="INT32", data=sum(map(list, amounts), []))
    padded = net.tensor(shape, 0.05, 3)
    w = weights(net, [4, 3, 3, 3], 0, True, 4)
    compute = lambda v: ref.conv(
        shape, ref.pad(x.shape, v, amounts, 0)[1], w.shape, ref.real(w, w.data), None, (1, 1),
        (1, 1), "VALID",
    )
    y = net.tensor(compute([0] * 60)[0], 0.05, 0)
    net.inputs, net.outputs = [x], [y]
    net.operator("PAD", [x, table], [padded])
    net.operator(
        "CONV_2D", [padded, w, None], [y], "Conv2DOptions", padding="VALID", stride_w=1, stride_h=1
    )
    return net, lambda v: [compute(v)[1]], 1


@case
def slice():
    begin, sizes = [0, 1, 2, 0], [1, 2, 3, -1]
    return move(
        "SLICE", [1, 4, 5, 6], [[1, 2, 3, 6]],
        lambda v: [ref.part([1, 4, 5, 6], v, begin, [1, 3, 5, 6], [1] * 4)[1]], [begin, sizes],
    )


@several(("INT8",), ("INT16",))
def strided_slice(type):
    shape = [1, 7, 5, 6]
    begin, end, step = [0, 1, 0, -4], [1, -1, 2, 6], [1, 2, 1, 3]
    return move(
        "STRIDED_SLICE", shape, [[3, 5, 2]],
        lambda v: [ref.part(shape, v, [0, 1, 0, 2], [1, 6, 5, 6], [1, 2, 1, 3])[1]],
        [begin, end, step], "StridedSliceOptions", type, end_mask=4, shrink_axis_mask=1,
    )


@case
def slice_many():
    shape, begin, sizes = [3, 2, 3, 2, 3, 2], [1, 0, 1, 0, 1, 1], [2, 2, 2, 1, 2, 1]
    ends = [b + s for b, s in zip(begin, sizes)]
    return move(
        "SLICE", shape, [sizes], lambda v: [ref.part(shape, v, begin, ends, [1] * 6)[1]],
        [begin, sizes],
    )


@case
def strided_slice_many():
    """As queries are cut out of a product; of columns every second."""
    shape, begin, end, step = [3, 2, 5, 2, 7], [1, 0, 0, 0, 1], [2, 2, 5, 2, 7], [1, 1, 2, 1, 3]
    return move(
        "STRIDED_SLICE", shape, [[2, 3, 2, 2]],
        lambda v: [ref.part(shape, v, begin, end, step)[1]],
        [begin, end, step], "StridedSliceOptions", "INT16", shrink_axis_mask=1,
    )


@several((3,), (1,))
def split(axis):
    net = Network()
    shape = [1, 4, 5, 6]
    x = net.tensor(shape, 0.05, 3)
    half = [e // 2 if i == axis else e for i, e in enumerate(shape)]
    outputs = [net.tensor(half, 0.05, 3) for _ in range(2)]
    at = net.tensor([1], type="INT32", data=[axis])
    net.inputs, net.outputs = [x], outputs
    net.operator("SPLIT", [at, x], outputs, "SplitOptions", num_splits=2)

    def compute(v):
        ends = lambda k: [e // 2 * (k + 1) if i == axis else e for i, e in enumerate(shape)]
        begins = lambda k: [e // 2 * k if i == axis else 0 for i, e in enumerate(shape)]
        return [ref.part(shape, v, begins(k), ends(k), [1] * 4)[1] for k in range(2)]

    return net, compute, 0


@case
def split_v():
    net = Network()
    x = net.tensor([4, 7], 0.05, 3)
    outputs = [net.tensor([4, n], 0.05, 3) for n in (2, 5)]
    sizes = net.tensor([2], type="INT32", data=[2, 5])
    at = net.tensor([1], type="INT32", data=[-1])
    net.inputs, net.outputs = [x], outputs
    net.operator("SPLIT_V", [x, sizes, at], outputs, "SplitVOptions", num_splits=2)
    return net, lambda v: [
        ref.part([4, 7], v, [0, 0], [4, 2], [1, 1])[1],
        ref.part([4, 7], v, [0, 2], [4, 7], [1, 1])[1],
    ], 0


@case
def concatenation():
    net = Network()
    x = net.tensor([1, 4, 5, 6], 0.05, 3)
    y = net.tensor([1, 4, 2, 6], 0.02, -10)
    z = net.tensor([1, 4, 7, 6], 0.05, 3)
    net.inputs, net.outputs = [x, y], [z]
    net.operator("CONCATENATION", [x, y], [z], "ConcatenationOptions", axis=2)

    def compute(a, b):
        result = []
        for i in range(4):
            result += a[i * 30 : i * 30 + 30] + b[i * 12 : i * 12 + 12]
        return [result]

    return net, compute, 1


@case
def pack():
    net = Network()
    x, y = (net.tensor([4, 5], 0.05, 3) for _ in range(2))
    z = net.tensor([4, 2, 5], 0.05, 3)
    net.inputs, net.outputs = [x, y], [z]
    net.operator("PACK", [x, y], [z], "PackOptions", values_count=2, axis=1)
    return net, lambda a, b: [
        sum((a[i * 5 : i * 5 + 5] + b[i * 5 : i * 5 + 5] for i in range(4)), [])
    ], 0


@case
def unpack():
    return move(
        "UNPACK", [3, 4], [[3]] * 4, lambda v: [v[k::4] for k in range(4)], (), "UnpackOptions",
        num=4, axis=1,
    )


@case
def space_to_depth():
    shape = [1, 4, 6, 3]

    def compute(v):
        return [
            [
                v[ref.flat(shape, (0, 2 * y + by, 2 * x + bx, c))]
                for y, x, by, bx, c in ref.indices([2, 3, 2, 2, 3])
            ]
        ]

    return move(
        "SPACE_TO_DEPTH", shape, [[1, 2, 3, 12]], compute, (), "SpaceToDepthOptions", block_size=2
    )


@case
def depth_to_space():
    shape = [1, 2, 3, 12]

    def compute(v):
        return [
            [
                v[ref.flat(shape, (0, y // 2, x // 2, (y % 2 * 2 + x % 2) * 3 + c))]
                for y, x, c in ref.indices([4, 6, 3])
            ]
        ]

    return move(
        "DEPTH_TO_SPACE", shape, [[1, 4, 6, 3]], compute, (), "DepthToSpaceOptions", block_size=2
    )


@several((50, 0.05), (3, 0.0625), (1, 0.05), (1000, 0.0001), (257, 30.0))
def arg_max(size, scale):
    """Of equal elements the first."""
    net = Network()
    x = net.tensor([3, size], scale, 3)
    y = net.tensor([3], type="INT32")
    axis = net.tensor([1], type="INT32", data=[1])
    net.inputs, net.outputs = [x], [y]
    net.operator("ARG_MAX", [x, axis], [y])

    def compute(v):
        rows = [v[i * size : i * size + size] for i in range(3)]
        return [[row.index(max(row)) for row in rows]]

    return net, compute, 0


@case
def int64_constant():
    """Numbers that fit 32 bits, moved and given as they are."""
    net = Network()
    x = net.tensor([2], 0.05, 3)
    numbers = net.tensor([3], type="INT64", data=[1, -2, 2**31 - 1])
    y = net.tensor([3, 1], type="INT64")
    z = net.tensor([2, 1], 0.05, 3)
    net.inputs, net.outputs = [x], [y, numbers, z]
    net.operator("RESHAPE", [numbers], [y])
    net.operator("RESHAPE", [x], [z])
    return net, lambda v: [numbers.data, numbers.data, v], 0


@several(("INT8",), ("UINT8",), ("INT16",))
def plain_codes(type):
    """Moves of codes that have no scale."""
    net = Network()
    x, z = net.tensor([4, 6], type=type), net.tensor([4, 2], type=type)
    part, y = net.tensor([4, 3], type=type), net.tensor([4, 5], type=type)
    begins, sizes = (net.tensor([2], type="INT32", data=list(d)) for d in ((0, 2), (4, 3)))
    net.inputs, net.outputs = [x, z], [y]
    net.operator("SLICE", [x, begins, sizes], [part])
    net.operator("CONCATENATION", [part, z], [y], "ConcatenationOptions", axis=1)
    return net, lambda v, w: [
        sum((v[6 * i + 2 : 6 * i + 5] + w[2 * i : 2 * i + 2] for i in range(4)), [])
    ], 0
