# SPDX-License-Identifier: Apache-2.0
#
# Networks of one operator that computes elements of few others: pools, sums,
# element-wise operators, functions and conversions.

import math
import struct

import reference as ref
from cases import case, codes, several
from tflite import Network


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


@several((2, 2, 1, "VALID"), (3, 2, 2, "SAME"), (8, 8, 1, "VALID"), (7, 7, 1, "SAME"), (256, 2, 1, "VALID"))
def average(height, width, stride, padding):
    """The kernel has no windows of 256 elements a side."""
    net = Network()
    x = net.tensor([1, max(9, height + 1), 9, 3], 0.05, -128)
    compute = lambda v: ref.pool(x.shape, v, (height, width), (stride, stride), padding, ref.mean)
    y = net.tensor(compute([0] * x.size())[0], 0.05, -128)
    net.inputs, net.outputs = [x], [y]
    net.operator(
        "AVERAGE_POOL_2D", [x], [y], "Pool2DOptions", padding=padding, stride_w=stride,
        stride_h=stride, filter_width=width, filter_height=height, fused_activation_function="NONE",
    )
    return net, lambda v: [compute(v)[1]], 1


@several((0.05, 3), (0.08, -20))
def absolute(scale, zero):
    net = Network()
    x = net.tensor([1, 4, 5, 6], 0.05, 3)
    y = net.tensor(x.shape, scale, zero)
    net.inputs, net.outputs = [x], [y]
    net.operator("ABS", [x], [y])
    return net, lambda v: [[abs(value) for value in v]], 1 if scale != 0.05 else 0


@several(
    ("SUM", [1, 2], 1), ("SUM", [3], 1), ("SUM", [0, 1, 3], 1), ("MEAN", [1, 2], 1), ("MEAN", [3], 1), ("MEAN", [1, 3], 1), ("MEAN", [-1, 0], 1),
    ("REDUCE_MAX", [1, 2], 0), ("REDUCE_MAX", [2, 3], 0),
)
def reduction(name, axes, tolerance):
    net = Network()
    x = net.tensor([1, 4, 5, 6], 0.05, -3)
    axes = sorted(axis % 4 for axis in axes)
    scale = 0.21 if name == "SUM" else 0.05
    y = net.tensor([e for i, e in enumerate(x.shape) if i not in axes], scale, -3)
    net.inputs, net.outputs = [x], [y]
    axis = net.tensor([len(axes)], type="INT32", data=axes)
    net.operator(name, [x, axis], [y], "ReducerOptions", keep_dims=False)
    function = {"REDUCE_MAX": max, "SUM": sum, "MEAN": ref.mean}[name]
    return net, lambda v: [ref.reduce(x.shape, v, axes, function)], tolerance


# Ratios of scales with which the average pool would be off by more than 1, or
# saturate, and some with which it is right.
@several(
    (1, 5, 7, 0.05, -128, 0.015, -128), (1, 5, 7, 0.05, 3, 0.015, -20), (1, 7, 7, 0.02, -128, 0.03, 5),
    (2, 7, 7, 0.001, -128, 20.0, -128), (1, 128, 128, 0.01, -128, 0.2, -128),
    (1, 64, 96, 0.01, 127, 0.012, -128), (3, 7, 7, 0.1, 0, 0.01, -128), (1, 255, 255, 0.02, -128, 0.02, 127),
)
def mean_scales(batch, height, width, scale, zero, out_scale, out_zero):
    net = Network()
    x = net.tensor([batch, height, width, 3], scale, zero)
    y = net.tensor([batch, 3], out_scale, out_zero)
    net.inputs, net.outputs = [x], [y]
    axis = net.tensor([2], type="INT32", data=[1, 2])
    net.operator("MEAN", [x, axis], [y], "ReducerOptions", keep_dims=False)
    return net, lambda v: [ref.reduce(x.shape, v, [1, 2], ref.mean)], 1


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
    ("ADD", [1, 3, 1, 5], None), ("MAXIMUM", [1, 1, 4, 1], None),
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


@several(
    ("ADD", [2, 3, 2, 4, 5], False), ("SUB", [4, 5], False), ("MUL", [2, 3, 2, 1, 1], True),
    ("MAXIMUM", [1, 1, 1, 4, 1], False), ("ADD", [5], True), ("MINIMUM", [2, 3, 1, 4, 5], True),
)
def arithmetic_many(name, shape, is_constant):
    """More dimensions than kernels have."""
    net = Network()
    function, options = ARITHMETIC[name]
    order = options is None
    x = net.tensor([2, 3, 2, 4, 5], 0.05, 3)
    data = codes(ref.size(shape)) if is_constant else None
    y = net.tensor(shape, 0.05 if order else 0.02, 3 if order else -5, data=data)
    z = net.tensor(x.shape, 0.05 if order else 0.07, 3 if order else 11)
    net.inputs, net.outputs = [x] if is_constant else [x, y], [z]
    net.operator(name, [x, y], [z], options, **({"fused_activation_function": "NONE"} if options else {}))

    def compute(a, b=None):
        b = ref.real(y, data) if b is None else b
        return [[function(p, q) for p, q in zip(a, ref.broadcast(shape, b, x.shape))]]

    return net, compute, 0 if order else 1


@several(("ADD", 0.0053, 2.003), ("SUB", 0.0097, 1.0037))
def large_constant(name, scale, constant_scale):
    """The constant has one code, all others of its scale would be out of range."""
    net = Network()
    function, options = ARITHMETIC[name]
    x = net.tensor([1, 3, 4, 5], scale, -128)
    y = net.tensor([], constant_scale, 0, data=[1])
    z = net.tensor(x.shape, 0.01, -128)
    net.inputs, net.outputs = [x], [z]
    net.operator(name, [x, y], [z], options, fused_activation_function="NONE")
    return net, lambda a: [[function(p, constant_scale) for p in a]], 1


@several(
    ("SUB", 1 / 127.5, [], 1 / 127, None), ("ADD", 0.031, [5], 0.017, "RELU"),
    ("ADD", 0.4, [1, 1, 1, 5], 0.021, None), ("SUB", 0.05, [1], 0.3, "RELU6"))
def constant_sum(name, scale, shape, constant_scale, activation):
    """A constant for all elements, or for each channel: rounded once."""
    net = Network()
    function, options = ARITHMETIC[name]
    data = codes(ref.size(shape), 90, 127)
    x = net.tensor([2, 9, 8, 5], scale, -128)
    y = net.tensor(shape, constant_scale, 0, data=data)
    z = net.tensor(x.shape, scale * 1.013, -7)
    net.inputs, net.outputs = [x], [z]
    operands = [y, x] if activation == "RELU6" else [x, y]
    net.operator(name, operands, [z], options, fused_activation_function=activation or "NONE")
    numbers = ref.broadcast(shape, ref.real(y, data), x.shape)
    pairs = (lambda a: zip(numbers, a)) if activation == "RELU6" else (lambda a: zip(a, numbers))
    return net, lambda a: [ref.activate([function(p, q) for p, q in pairs(a)], activation)], 1


def single(number):
    """As the file has it."""
    return struct.unpack("f", struct.pack("f", number))[0]


@several((1 / 127.5, 1 / 127), (2 / 255, 1 / 100), (0.5, 0.25))
def centered(scale, constant_scale):
    """As x / 127.5 - 1: sums are a half or near it, which TFLite rounds away from zero."""
    net = Network()
    scale, constant_scale = single(scale), single(constant_scale)
    x = net.tensor([1, 16, 16, 3], scale, -128)
    y = net.tensor([], constant_scale, 0, data=[127])
    z = net.tensor(x.shape, scale, 0)
    net.inputs, net.outputs = [x], [z]
    net.operator("SUB", [x, y], [z], "SubOptions", fused_activation_function="NONE")

    def compute(a):
        steps = [(p - 127 * constant_scale) / scale for p in a]
        return [[math.copysign(math.floor(abs(s) + 0.5), s) * scale for s in steps]]

    return net, compute, 0


@several(
    ("ADD", [1, 1], [1, 1], None), ("SUB", [1, 1, 1, 1], [1, 1], "RELU6"),
    ("MUL", [1, 1, 1, 1], [], None), ("MAXIMUM", [1, 1], [1], None),
    ("MINIMUM", [1], [1, 1, 1], None),
)
def one_element(name, left, right, activation):
    """Results of one element in several dimensions; a right side of none is a
    constant."""
    net = Network()
    function, options = ARITHMETIC[name]
    data = None if right else codes(1)
    x = net.tensor(left, 0.05, 3)
    y = net.tensor(right, 0.02, -5, data=data)
    z = net.tensor(max(left, right, key=len), 0.07, 11)
    net.inputs, net.outputs = [x] if data else [x, y], [z]
    fields = {"fused_activation_function": activation or "NONE"} if options else {}
    net.operator(name, [x, y], [z], options, **fields)

    def compute(a, b=None):
        b = ref.real(y, data) if b is None else b
        return [ref.activate([function(a[0], b[0])], activation)]

    return net, compute, 1


ELEMENTWISE = {
    "LOGISTIC": (ref.sigmoid, 1 / 256, -128, 1),
    "TANH": (math.tanh, 1 / 128, 0, 1),
    "RELU": (lambda v: max(v, 0), 0.05, 3, 0),
    "RELU6": (lambda v: max(min(v, 6), 0), 0.05, 3, 0),
    "RELU_N1_TO_1": (lambda v: max(min(v, 1), -1), 0.03, 3, 1),
    "RELU_0_TO_1": (lambda v: max(min(v, 1), 0), 0.01, -100, 0),
    "HARD_SWISH": (lambda v: v * max(min(v + 3, 6), 0) / 6, 0.04, -20, 0),
    "ELU": (lambda v: v if v >= 0 else math.expm1(v), 0.04, -90, 0),
    "EXP": (math.exp, 0.7, -120, 0),
    "NEG": (lambda v: -v, 0.07, 9, 0),
    "SQUARE": (lambda v: v * v, 0.2, -128, 0),
    "SIN": (math.sin, 1 / 127, 0, 0),
    "COS": (math.cos, 1 / 127, 0, 0),
    "FLOOR": (math.floor, 0.06, 9, 0),
    "CEIL": (math.ceil, 0.06, 9, 0),
    "ROUND": (round, 0.06, 9, 0),
    "SIGN": (lambda v: (v > 0) - (v < 0), 0.5, 9, 0),
    # Not a number is 0, and what is infinite the last code.
    "LOG": (lambda v: math.log(v) if v > 0 else 0 if v < 0 else -1e9, 0.05, 40, 0),
    "SQRT": (lambda v: math.sqrt(max(v, 0)), 0.01, -128, 0),
    "RSQRT": (lambda v: 1 / math.sqrt(v) if v > 0 else 0 if v < 0 else 1e9, 0.02, -100, 0),
}


@several(
    *((name, [1, 4, 5, 6], "INT8") for name in ELEMENTWISE),
    ("RELU_N1_TO_1", [1, 1], "INT8"), ("HARD_SWISH", [1, 1], "INT8"), ("EXP", [2, 3], "UINT8"),
    ("RSQRT", [2, 3, 4, 5], "UINT8"),
)
def elementwise(name, shape, code):
    net = Network()
    function, scale, zero, tolerance = ELEMENTWISE[name]
    offset = 128 if code == "UINT8" else 0
    # Steps of integers meet the number itself.
    x = net.tensor(shape, 3 / 64, 3 + offset, code)
    y = net.tensor(x.shape, scale, zero + offset, code)
    net.inputs, net.outputs = [x], [y]
    net.operator(name, [x], [y])
    return net, lambda v: [[function(value) for value in v]], tolerance


# A scale that is a power of two has a table without fractions.
@several(("LOGISTIC", 0.05), ("LOGISTIC", 1 / 16), ("TANH", 0.05))
def other_format(name, scale):
    """Kernels give another format, so a table has the whole function."""
    net = Network()
    function = ELEMENTWISE[name][0]
    x = net.tensor([3, 100], scale, 3)
    y = net.tensor(x.shape, 0.01, 7)
    net.inputs, net.outputs = [x], [y]
    net.operator(name, [x], [y])
    return net, lambda v: [[function(value) for value in v]], 0


@several((False,), (True,))
def gelu(approximate):
    net = Network()
    x = net.tensor([1, 4, 5, 6], 0.05, 3)
    y = net.tensor(x.shape, 0.0431, -100)
    net.inputs, net.outputs = [x], [y]
    net.operator("GELU", [x], [y], "GeluOptions", approximate=approximate)

    def compute(v):
        if approximate:
            inner = math.sqrt(2 / math.pi) * (v + 0.044715 * v**3)
            return v / 2 * (1 + math.tanh(inner))
        return v / 2 * (1 + math.erf(v / math.sqrt(2)))

    return net, lambda v: [[compute(value) for value in v]], 0


@several(
    ("DIV", False, "RELU6"), ("DIV", True, None), ("POW", False, None), ("POW", True, None)
)
def number(name, isFirst, activation):
    """Functions of two operands, of which one is a number."""
    net = Network()
    x = net.tensor([1, 4, 5, 6], 0.02, -120)
    data = [57]
    number = net.tensor([], 0.05, -5, data=data)
    y = net.tensor(x.shape, 0.07, 11)
    net.inputs, net.outputs = [x], [y]
    fields = {"fused_activation_function": activation or "NONE"} if name == "DIV" else {}
    operands = [number, x] if isFirst else [x, number]
    net.operator(name, operands, [y], "DivOptions" if name == "DIV" else None, **fields)
    constant = ref.real(number, data)[0]

    def function(a, b):
        if name == "DIV":
            return a / b if b else math.copysign(1e9, a)
        return 0 if a < 0 else a**b

    def compute(v):
        pairs = [(constant, value) if isFirst else (value, constant) for value in v]
        return [ref.activate([function(a, b) for a, b in pairs], activation)]

    return net, compute, 0


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


@several((1, 10, 1.0), (3, 10, 1.0), (1, 10, 0.5), (1, 1, 0.5))
def softmax(rows, columns, beta):
    net = Network()
    x = net.tensor([rows, columns], 0.1, 4)
    y = net.tensor(x.shape, 1 / 256, -128)
    net.inputs, net.outputs = [x], [y]
    net.operator("SOFTMAX", [x], [y], "SoftmaxOptions", beta=beta)
    return net, lambda v: [
        ref.rows(x.shape, v, lambda row: ref.softmax([beta * value for value in row]))
    ], 1


@several((1, 10, 0.1), (7, 12, 0.05), (2, 200, 0.02), (1, 1, 0.1), (3, 40, 0.5))
def log_softmax(rows, columns, scale):
    net = Network()
    x = net.tensor([rows, columns], scale, 4)
    y = net.tensor(x.shape, 1 / 16, 127)
    net.inputs, net.outputs = [x], [y]
    net.operator("LOG_SOFTMAX", [x], [y])

    def compute(row):
        total = math.log(sum(math.exp(value - max(row)) for value in row))
        return [value - max(row) - total for value in row]

    return net, lambda v: [ref.rows(x.shape, v, compute)], 1


@several(
    ([2, 5, 6], [2, 5, 6], 0.05, 3, 0.05, 3), ([2, 5, 6], [6], 0.05, 3, 0.031, -40),
    ([2, 5, 6], [1], 0.04, 0, 0.05, 90), ([2, 5, 6], [2, 5, 1], 0.05, -100, 0.02, 3),
)
def squared_difference(left, right, scale, zero, to_scale, to_zero):
    net = Network()
    x, w = net.tensor(left, scale, zero), net.tensor(right, to_scale, to_zero)
    y = net.tensor(left, 0.2, -128)
    net.inputs, net.outputs = [x, w], [y]
    net.operator("SQUARED_DIFFERENCE", [x, w], [y])

    def at(i):
        return i if len(right) == 3 and right[2] > 1 else i // 6 if len(right) == 3 else i % right[0]

    return net, lambda v, u: [[(value - u[at(i)]) ** 2 for i, value in enumerate(v)]], 1


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
