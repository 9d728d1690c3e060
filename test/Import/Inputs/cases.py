# SPDX-License-Identifier: Apache-2.0
#
# Networks of one operator, with what it computes and how far a kernel may be
# off: 1 step where it rounds, nothing where it moves.

import math
import random

import reference as ref
from tflite import Network

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def several(*parameters):
    """One case for each set of parameters."""

    def add(function):
        for values in parameters:
            name = "_".join([function.__name__] + [str(v).lower() for v in values])
            CASES[name.replace(" ", "")] = lambda values=values: function(*values)
        return function

    return add


def codes(count, low=-127, high=127):
    return [random.randint(low, high) for _ in range(count)]


def weights(net, shape, axis, per_axis, count):
    """A constant, quantised along `axis` or per tensor."""
    scale = [0.004 + 0.001 * i for i in range(count)] if per_axis else 0.006
    tensor = net.tensor(shape, scale, 0, data=codes(ref.size(shape)), axis=axis)
    tensor.axis = axis
    return tensor


def bias(net, x, w, count):
    scales = w.scale if isinstance(w.scale, list) else [w.scale] * count
    data = [random.randint(-2000, 2000) for _ in range(count)]
    tensor = net.tensor(
        [count], [x.scale * s for s in scales] if isinstance(w.scale, list) else x.scale * w.scale,
        type="INT32", data=data, axis=3,
    )
    return tensor, [code * x.scale * s for code, s in zip(data, scales)]


@several(
    (1, "SAME", None, True, True, 1, 1),
    (1, "VALID", "RELU", True, True, 2, 1),
    (1, "SAME", "RELU6", False, True, 2, 1),
    (1, "SAME", "RELU_N1_TO_1", False, False, 1, 1),
    (1, "SAME", None, True, True, 1, 2),
    (3, "SAME", "RELU", True, True, 2, 1),
)
def conv_2d(batch, padding, activation, per_axis, with_bias, stride, dilation):
    net = Network()
    x = net.tensor([batch, 6, 5, 3], 0.05, 3)
    w = weights(net, [4, 3, 3, 3], 0, per_axis, 4)
    b, numbers = bias(net, x, w, 4) if with_bias else (None, None)
    compute = lambda values: ref.conv(
        x.shape, values, w.shape, ref.real(w, w.data), numbers, (stride, stride),
        (dilation, dilation), padding,
    )
    shape, _ = compute([0] * x.size())
    y = net.tensor(shape, 0.05, -20)
    net.inputs, net.outputs = [x], [y]
    net.operator(
        "CONV_2D", [x, w, b], [y], "Conv2DOptions", padding=padding, stride_w=stride,
        stride_h=stride, fused_activation_function=activation or "NONE",
        dilation_w_factor=dilation, dilation_h_factor=dilation,
    )
    return net, lambda v: [ref.activate(compute(v)[1], activation)], 1


@several((4, 1, "SAME"), (1, 8, "VALID"), (3, 2, "SAME"))
def depthwise_conv_2d(channels, multiplier, padding):
    net = Network()
    x = net.tensor([1, 6, 5, channels], 0.04, -7)
    outputs = channels * multiplier
    w = weights(net, [1, 3, 2, outputs], 3, True, outputs)
    b, numbers = bias(net, x, w, outputs)
    compute = lambda values: ref.depthwise(
        x.shape, values, w.shape, ref.real(w, w.data), numbers, (2, 1), (1, 1), padding
    )
    shape, _ = compute([0] * x.size())
    y = net.tensor(shape, 0.05, 4)
    net.inputs, net.outputs = [x], [y]
    net.operator(
        "DEPTHWISE_CONV_2D", [x, w, b], [y], "DepthwiseConv2DOptions", padding=padding, stride_w=1,
        stride_h=2, depth_multiplier=multiplier, fused_activation_function="RELU",
    )
    return net, lambda v: [ref.activate(compute(v)[1], "RELU")], 1


@case
def grouped_conv_2d():
    net = Network()
    x = net.tensor([1, 4, 4, 4], 0.05, 0)
    w = weights(net, [6, 3, 3, 2], 0, True, 6)
    y = net.tensor([1, 4, 4, 6], 0.05, 0)
    net.inputs, net.outputs = [x], [y]
    net.operator("CONV_2D", [x, w, None], [y], "Conv2DOptions", stride_w=1, stride_h=1)
    return net, lambda v: [
        ref.conv(x.shape, v, w.shape, ref.real(w, w.data), None, (1, 1), (1, 1), "SAME", 2)[1]
    ], 1


@several(("SAME", 6, 8, 0), ("VALID", 7, 9, 0), ("SAME", 5, 8, 1))
def transpose_conv(padding, height, width, before):
    net = Network()
    x = net.tensor([1, 3, 4, 2], 0.05, 5)
    w = weights(net, [3, 3, 3, 2], 0, True, 3)
    b, numbers = bias(net, x, w, 3)
    out = [1, height, width, 3]
    sizes = net.tensor([4], type="INT32", data=out)
    y = net.tensor(out, 0.05, 0)
    net.inputs, net.outputs = [x], [y]
    net.operator(
        "TRANSPOSE_CONV", [sizes, w, x, b], [y], "TransposeConvOptions", padding=padding,
        stride_w=2, stride_h=2,
    )
    return net, lambda v: [
        ref.transpose_conv(
            x.shape, v, w.shape, ref.real(w, w.data), numbers, (2, 2), (before, 0), out
        )
    ], 1


@several((1, True), (4, True), (2, False))
def fully_connected(rows, with_bias):
    net = Network()
    x = net.tensor([rows, 12], 0.05, -10)
    w = weights(net, [5, 12], 0, False, 5)
    b, numbers = bias(net, x, w, 5) if with_bias else (None, [0] * 5)
    y = net.tensor([rows, 5], 0.08, 11)
    net.inputs, net.outputs = [x], [y]
    net.operator("FULLY_CONNECTED", [x, w, b], [y], "FullyConnectedOptions")
    real = ref.real(w, w.data)
    return net, lambda v: [
        [
            numbers[o] + sum(v[r * 12 + i] * real[o * 12 + i] for i in range(12))
            for r in range(rows)
            for o in range(5)
        ]
    ], 1


@several(("AVERAGE_POOL_2D", "SAME", 1), ("MAX_POOL_2D", "VALID", 0), ("MAX_POOL_2D", "SAME", 0))
def pool(name, padding, tolerance):
    net = Network()
    x = net.tensor([2, 5, 6, 3], 0.05, 3)
    function = max if name == "MAX_POOL_2D" else ref.mean
    compute = lambda v: ref.pool(x.shape, v, (3, 2), (2, 2), padding, function)
    shape, _ = compute([0] * x.size())
    y = net.tensor(shape, 0.05, 3)
    net.inputs, net.outputs = [x], [y]
    net.operator(
        name, [x], [y], "Pool2DOptions", padding=padding, stride_w=2, stride_h=2, filter_width=2,
        filter_height=3, fused_activation_function="RELU",
    )
    return net, lambda v: [ref.activate(compute(v)[1], "RELU")], tolerance


@several(
    ("MEAN", [1, 2], 1), ("MEAN", [3], 1), ("MEAN", [1, 3], 1), ("MEAN", [-1, 0], 1),
    ("REDUCE_MAX", [1, 2], 0), ("REDUCE_MAX", [2, 3], 0),
)
def reduction(name, axes, tolerance):
    net = Network()
    x = net.tensor([1, 4, 5, 6], 0.05, -3)
    axes = sorted(axis % 4 for axis in axes)
    y = net.tensor([e for i, e in enumerate(x.shape) if i not in axes], 0.05, -3)
    net.inputs, net.outputs = [x], [y]
    axis = net.tensor([len(axes)], type="INT32", data=axes)
    net.operator(name, [x, axis], [y], "ReducerOptions", keep_dims=False)
    function = max if name == "REDUCE_MAX" else ref.mean
    return net, lambda v: [ref.reduce(x.shape, v, axes, function)], tolerance


ARITHMETIC = {
    "ADD": (lambda a, b: a + b, "AddOptions"),
    "SUB": (lambda a, b: a - b, "SubOptions"),
    "MUL": (lambda a, b: a * b, "MulOptions"),
    "MAXIMUM": (max, None),
    "MINIMUM": (min, None),
}


@several(
    ("ADD", [1, 3, 4, 5], "RELU"), ("ADD", [5], None), ("ADD", [1], None), ("ADD", [3, 1, 1], None),
    ("SUB", [1, 3, 4, 5], "RELU6"), ("SUB", [4, 5], None), ("MUL", [1, 3, 4, 5], None),
    ("MUL", [1, 1, 5], None), ("MAXIMUM", [1, 3, 4, 5], None), ("MINIMUM", [1], None),
)
def arithmetic(name, shape, activation):
    net = Network()
    function, options = ARITHMETIC[name]
    x = net.tensor([1, 3, 4, 5], 0.05, 3)
    constant = len(shape) == 3
    order = options is None
    data = codes(ref.size(shape)) if constant else None
    y = net.tensor(shape, 0.05 if order else 0.02, 3 if order else -5, data=data)
    z = net.tensor(x.shape, 0.05 if order else 0.07, 3 if order else 11)
    net.inputs, net.outputs = [x] if constant else [x, y], [z]
    fields = {"fused_activation_function": activation or "NONE"} if options else {}
    net.operator(name, [x, y], [z], options, **fields)

    def compute(a, b=None):
        b = ref.real(y, data) if b is None else b
        b = ref.broadcast(shape, b, x.shape)
        return [ref.activate([function(p, q) for p, q in zip(a, b)], activation)]

    return net, compute, 0 if order else 1


ELEMENTWISE = {
    "LOGISTIC": (ref.sigmoid, 1 / 256, -128, 1),
    "TANH": (math.tanh, 1 / 128, 0, 1),
    "RELU": (lambda v: max(v, 0), 0.05, 3, 0),
    "RELU6": (lambda v: max(min(v, 6), 0), 0.05, 3, 0),
    "RELU_N1_TO_1": (lambda v: max(min(v, 1), -1), 0.03, 3, 1),
    "HARD_SWISH": (lambda v: v * max(min(v + 3, 6), 0) / 6, 0.04, -20, 2),
}


@several(*((name,) for name in ELEMENTWISE))
def elementwise(name):
    net = Network()
    function, scale, zero, tolerance = ELEMENTWISE[name]
    x = net.tensor([1, 4, 5, 6], 0.05, 3)
    y = net.tensor(x.shape, scale, zero)
    net.inputs, net.outputs = [x], [y]
    net.operator(name, [x], [y])
    return net, lambda v: [[function(value) for value in v]], tolerance


@several((0.3,), (-0.5,))
def leaky_relu(alpha):
    net = Network()
    x = net.tensor([1, 4, 5, 6], 0.05, 3)
    y = net.tensor(x.shape, 0.06, -5)
    net.inputs, net.outputs = [x], [y]
    net.operator("LEAKY_RELU", [x], [y], "LeakyReluOptions", alpha=alpha)
    return net, lambda v: [[value if value >= 0 else alpha * value for value in v]], 1


@several((6,), (1,))
def prelu(slopes):
    net = Network()
    x = net.tensor([1, 4, 5, 6], 0.05, 3)
    alpha = net.tensor([1, 1, slopes], 0.01, -8, data=codes(slopes))
    y = net.tensor(x.shape, 0.06, -5)
    net.inputs, net.outputs = [x], [y]
    net.operator("PRELU", [x, alpha], [y])
    real = ref.real(alpha, alpha.data)
    return net, lambda v: [
        [value if value >= 0 else value * real[i % slopes] for i, value in enumerate(v)]
    ], 1


@several((1, 1.0), (3, 1.0), (1, 0.5))
def softmax(rows, beta):
    net = Network()
    x = net.tensor([rows, 10], 0.1, 4)
    y = net.tensor(x.shape, 1 / 256, -128)
    net.inputs, net.outputs = [x], [y]
    net.operator("SOFTMAX", [x], [y], "SoftmaxOptions", beta=beta)
    return net, lambda v: [
        ref.rows(x.shape, v, lambda row: ref.softmax([beta * value for value in row]))
    ], 1


@case
def l2_normalization():
    net = Network()
    x = net.tensor([4, 10], 0.1, 4)
    y = net.tensor(x.shape, 1 / 128, 0)
    net.inputs, net.outputs = [x], [y]
    net.operator("L2_NORMALIZATION", [x], [y])
    return net, lambda v: [ref.rows(x.shape, v, ref.normalize)], 1


@several(
    ("INT8", 0.05, 3, "INT8", 0.08, -4), ("UINT8", 0.05, 130, "INT8", 0.05, 2),
    ("INT8", 0.05, 3, "UINT8", 0.03, 100), ("INT16", 0.000625, 0, "INT8", 0.1, 3),
    ("INT8", 0.05, 3, "INT16", 0.0003, 0), ("INT8", 0.05, 3, "FLOAT32", None, 0),
)
def quantize(source, scale, zero, target, to_scale, to_zero):
    net = Network()
    x = net.tensor([1, 4, 5, 6], scale, zero, source)
    y = net.tensor(x.shape, to_scale, to_zero, target)
    net.inputs, net.outputs = [x], [y]
    net.operator("DEQUANTIZE" if target == "FLOAT32" else "QUANTIZE", [x], [y])
    return net, lambda v: [v], 1 if target != "FLOAT32" else 1e-3


def move(name, shape, to, compute, inputs=(), options=None, type="INT8", **fields):
    """An operator that only moves elements of one format."""
    net = Network()
    zero = {"INT8": 3, "UINT8": 131, "INT16": 0}[type]
    x = net.tensor(shape, 0.05, zero, type)
    outputs = [net.tensor(s, 0.05, zero, type) for s in to]
    constants = [net.tensor([len(c)], type="INT32", data=c) for c in inputs]
    net.inputs, net.outputs = [x], outputs
    net.operator(name, [x] + constants, outputs, options, **fields)
    return net, compute, 0


@several(("RESHAPE", [4, 30]), ("SQUEEZE", [4, 5, 6]), ("EXPAND_DIMS", [4, 1, 5, 6]))
def reshape(name, to):
    shape = [1, 4, 5, 6] if name != "EXPAND_DIMS" else [4, 5, 6]
    inputs = [to] if name == "RESHAPE" else []
    return move(name, shape, [to], lambda v: [v], inputs)


@several(([0, 3, 1, 2],), ([0, 2, 1, 3],), ([3, 2, 1, 0],), ([1, 0, 2, 3],))
def transpose(order):
    shape = [1, 4, 5, 6]
    return move(
        "TRANSPOSE", shape, [[shape[i] for i in order]],
        lambda v: [ref.transpose(shape, v, order)[1]], [order],
    )


@several(("INT8",), ("UINT8",), ("INT16",))
def pad(type):
    amounts = [(0, 0), (1, 2), (0, 3), (2, 0)]
    shape = [2, 4, 5, 6]
    to, _ = ref.pad(shape, [0] * 240, amounts, 0)
    net, _, _ = move("PAD", shape, [to], None, [sum(map(list, amounts), [])], type=type)
    return net, lambda v: [ref.pad(shape, v, amounts, 0)[1]], 0


@case
def padv2():
    amounts = [(0, 0), (1, 2), (0, 3), (2, 0)]
    shape = [1, 4, 5, 6]
    to, _ = ref.pad(shape, [0] * 120, amounts, 0)
    net = Network()
    x = net.tensor(shape, 0.05, 3)
    table = net.tensor([4, 2], type="INT32", data=sum(map(list, amounts), []))
    value = net.tensor([1], 0.05, 3, data=[-50])
    y = net.tensor(to, 0.05, 3)
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


@case
def arg_max():
    net = Network()
    x = net.tensor([3, 50], 0.05, 3)
    y = net.tensor([3], type="INT32")
    axis = net.tensor([1], type="INT32", data=[1])
    net.inputs, net.outputs = [x], [y]
    net.operator("ARG_MAX", [x, axis], [y])

    def compute(v):
        rows = [v[i * 50 : i * 50 + 50] for i in range(3)]
        # The kernel gives the last of equal ones.
        return [[49 - row[::-1].index(max(row)) for row in rows]]

    return net, compute, 0
