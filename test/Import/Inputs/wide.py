# SPDX-License-Identifier: Apache-2.0
#
# Networks of one operator of 16 bits with any scales.

import math

import reference as ref
from cases import bias, codes, several, weights
from tflite import Network

CASES = {}

def wide(net, shape, scale, data=None):
    return net.tensor(shape, scale, 0, "INT16", data)


def reduced(x, w, y, count):
    """The scale of weights that 15 bits of the factor of a sum stand for."""
    scales = w.scale if isinstance(w.scale, list) else [w.scale] * count
    result = []
    for scale in scales:
        mantissa, exponent = math.frexp(x.scale * scale / y.scale)
        code = min(math.floor(mantissa * 32768 + 0.5), 32767)
        result.append(math.ldexp(code, exponent - 15) * y.scale / x.scale)
    return result


@several((True, "SAME", None, 1), (False, "VALID", "RELU", 2), (True, "SAME", "RELU6", 1), into=CASES)
def wide_conv_2d(with_bias, padding, activation, stride):
    """16 bits: sums are multiplied by 15 bits of their factor."""
    net = Network()
    x = wide(net, [1, 6, 5, 3], 0.0007)
    w = weights(net, [4, 3, 3, 3], 0, True, 4)
    b, _ = bias(net, x, w, 4, "INT64") if with_bias else (None, None)
    shape, _ = ref.conv(
        x.shape, [0] * x.size(), w.shape, [0] * w.size(), None, (stride, stride), (1, 1), padding
    )
    y = wide(net, shape, 0.002)
    factors = reduced(x, w, y, 4)
    real = [code * factors[i // 27] for i, code in enumerate(w.data)]
    numbers = [code * x.scale * s for code, s in zip(b.data, factors)] if b else None
    net.inputs, net.outputs = [x], [y]
    net.operator(
        "CONV_2D", [x, w, b], [y], "Conv2DOptions", padding=padding, stride_w=stride,
        stride_h=stride, fused_activation_function=activation or "NONE",
    )
    compute = lambda v: ref.conv(
        x.shape, v, w.shape, real, numbers, (stride, stride), (1, 1), padding
    )[1]
    return net, lambda v: [ref.activate(compute(v), activation)], 1


@several((True, [1, 1, 1, 3], 1), (False, [1, 2, 2, 3], 2), into=CASES)
def wide_one_element(with_bias, shape, size):
    """16 bits, a map of one element."""
    net = Network()
    x = wide(net, shape, 0.0007)
    w = weights(net, [1, size, size, 3], 0, False, 1)
    b, _ = bias(net, x, w, 1, "INT64") if with_bias else (None, None)
    y = wide(net, [1, 1, 1, 1], 0.002)
    (factor, *_) = reduced(x, w, y, 1)
    start = b.data[0] * x.scale * factor if b else 0
    net.inputs, net.outputs = [x], [y]
    net.operator(
        "CONV_2D", [x, w, b], [y], "Conv2DOptions", padding="VALID", stride_w=1, stride_h=1
    )
    return net, lambda v: [[start + sum(a * c * factor for a, c in zip(v, w.data))]], 1


@several((1,), (3,), into=CASES)
def wide_fully_connected(rows):
    net = Network()
    x = wide(net, [rows, 12], 0.0003)
    w = weights(net, [5, 12], 0, False, 5)
    b, _ = bias(net, x, w, 5, "INT64")
    y = wide(net, [rows, 5], 0.0011)
    (factor, *_) = reduced(x, w, y, 5)
    net.inputs, net.outputs = [x], [y]
    net.operator("FULLY_CONNECTED", [x, w, b], [y], "FullyConnectedOptions")
    return net, lambda v: [
        [
            b.data[o] * x.scale * factor
            + sum(v[r * 12 + i] * w.data[o * 12 + i] * factor for i in range(12))
            for r in range(rows)
            for o in range(5)
        ]
    ], 1


@several((-6000000, 30000), (6000000, -30000), into=CASES)
def wide_scales(start, code):
    """Outputs of one format with factors far apart, and sums that leave little."""
    net = Network()
    count = 200
    x = wide(net, [1, count], 2.0**-11)
    w = net.tensor([2, count], [0.0878, 0.000050643], 0, axis=0,
                   data=[127] + [0] * (count - 1) + [1] * count)
    w.axis = 0
    b = net.tensor([2], [x.scale * s for s in w.scale], type="INT64", data=[0, start], axis=0)
    y = wide(net, [1, 2], 2.0**-14)
    net.inputs, net.outputs = [x], [y]
    net.operator("FULLY_CONNECTED", [x, w, b], [y], "FullyConnectedOptions")
    factors = reduced(x, w, y, 2)

    def compute(v):
        return [
            [
                factors[o]
                * (sum(p * q for p, q in zip(v, w.data[o * count :])) + x.scale * b.data[o])
                for o in range(2)
            ]
        ]

    return net, compute, 2


@several((1,), (-1,), into=CASES)
def wide_large_bias(sign):
    """A bias that needs another format once the offset of several kernels is added
    to it: weights have one format in all kernels."""
    net = Network()
    rows, scale = 40, 403 / 2**15
    x = wide(net, [rows, 1], 2.0**-11)
    w = net.tensor([2, 1], scale, 0, data=[5, 99])
    large = sign * round((32767 * 2**7 - 300) / scale)
    b = net.tensor([2], x.scale * scale, type="INT64", data=[large, 0])
    y = wide(net, [rows, 2], 2.0**-11)
    net.inputs, net.outputs = [x], [y]
    net.operator("FULLY_CONNECTED", [x, w, b], [y], "FullyConnectedOptions")

    def compute(v):
        return [
            [scale * (n * c + x.scale * s) for n in v for c, s in zip(w.data, b.data)]
        ]

    return net, compute, 2


@several((1,), into=CASES)
def wide_dead_channel(rows):
    """A factor below 2^-32 is 0, whatever the bias."""
    net = Network()
    x = wide(net, [rows, 4], 2.0**-11)
    w = net.tensor([2, 4], [1e-10, 0.01], 0, axis=0, data=[0] * 4 + [1, 2, 3, 4])
    w.axis = 0
    b = net.tensor([2], [x.scale * s for s in w.scale], type="INT64", data=[1 << 44, 5], axis=0)
    y = wide(net, [rows, 2], 2.0**-11)
    net.inputs, net.outputs = [x], [y]
    net.operator("FULLY_CONNECTED", [x, w, b], [y], "FullyConnectedOptions")
    factor = reduced(x, w, y, 2)[1]

    def compute(v):
        products = sum(p * q for p, q in zip(v, w.data[4:]))
        return [[0, factor * (products + 5 * x.scale)]]

    return net, compute, 1


@several(
    ("ADD", 0.0003, 0.0009, False, None), ("SUB", 0.0011, 0.0002, True, None),
    ("ADD", 0.002, 0.0003, False, "RELU"), ("SUB", 0.25, 0.125, False, None), into=CASES)
def wide_sum(name, first, second, is_constant, activation):
    net = Network()
    x = wide(net, [1, 3, 4, 5], first)
    y = wide(
        net, [5] if is_constant else [1, 3, 4, 5], second,
        codes(5, -32767, 32767) if is_constant else None,
    )
    z = wide(net, x.shape, max(first, second) * 1.02)
    net.inputs, net.outputs = [x] if is_constant else [x, y], [z]
    net.operator(
        name, [x, y], [z], name.capitalize() + "Options",
        fused_activation_function=activation or "NONE",
    )
    sign = 1 if name == "ADD" else -1

    def compute(a, b=None):
        b = ref.broadcast(y.shape, ref.real(y, y.data), x.shape) if b is None else b
        return [ref.activate([p + sign * q for p, q in zip(a, b)], activation)]

    return net, compute, 1


@several(("LEAKY_RELU", 0.3), ("LEAKY_RELU", 1.5), ("ABS", -1), ("QUANTIZE", 1), into=CASES)
def wide_unary(name, slope):
    net = Network()
    x = wide(net, [1, 4, 5, 6], 0.0011)
    y = wide(net, x.shape, 0.0009)
    net.inputs, net.outputs = [x], [y]
    fields = {"alpha": slope} if name == "LEAKY_RELU" else {}
    net.operator(name, [x], [y], "LeakyReluOptions" if fields else None, **fields)
    return net, lambda v: [[value if value >= 0 else slope * value for value in v]], 1


@several(
    ([1, 3, 4, 5], [1, 3, 4, 5], 0.0007, 0.0003, 0.0051, None),
    ([2, 3, 4], [4], 0.0007, 0.0011, 0.021, "RELU"),
    ([4], [2, 3, 4], 2.0**-12, 2.0**-11, 2.0**-9, "RELU6"),
    ([2, 3], [1], 0.002, 0.9, 0.0004, None), into=CASES)
def wide_product(first, second, left, right, out, activation):
    """16 bits: products of two tensors, each rounded twice but for powers of two."""
    net = Network()
    x, y = wide(net, first, left), wide(net, second, right)
    z = wide(net, max(first, second, key=math.prod), out)
    net.inputs, net.outputs = [x, y], [z]
    net.operator(
        "MUL", [x, y], [z], "MulOptions", fused_activation_function=activation or "NONE"
    )

    def compute(a, b):
        a, b = (ref.broadcast(t.shape, v, z.shape) for t, v in ((x, a), (y, b)))
        return [ref.activate([p * q for p, q in zip(a, b)], activation)]

    return net, compute, 1 if math.log2(left * right / out).is_integer() else 2


@several(
    ("MAXIMUM", [2, 3, 4], 0.0007), ("MINIMUM", [4], 0.0007), ("MAXIMUM", [2, 3, 4], 0.0014),
    into=CASES)
def wide_order(name, shape, other):
    net = Network()
    x, y = wide(net, [2, 3, 4], 0.0007), wide(net, shape, other)
    z = wide(net, x.shape, 0.0007)
    net.inputs, net.outputs = [x, y], [z]
    net.operator(name, [x, y], [z])
    choose = max if name == "MAXIMUM" else min

    def compute(a, b):
        return [list(map(choose, a, ref.broadcast(y.shape, b, x.shape)))]

    return net, compute, 0


def logistic(row):
    return [1 / (1 + math.exp(-v)) for v in row]


def hyperbolic_tangent(row):
    return [math.tanh(v) for v in row]


def softmax(row):
    powers = [math.exp(v - max(row)) for v in row]
    return [power / sum(powers) for power in powers]


@several(
    ("LOGISTIC", 2.0**-12), ("LOGISTIC", 0.0003), ("LOGISTIC", 0.002), ("TANH", 2.0**-12),
    ("TANH", 0.0002), ("TANH", 0.0013), ("SOFTMAX", 2.0**-12), ("SOFTMAX", 0.00031), into=CASES)
def wide_function(name, scale):
    """16 bits: the kernels have tables, and inputs scales of powers of two."""
    net = Network()
    rows, size = 40, 10
    x, y = wide(net, [rows, size], scale), wide(net, [rows, size], 2.0**-15)
    net.inputs, net.outputs = [x], [y]
    is_softmax = name == "SOFTMAX"
    net.operator(name, [x], [y], "SoftmaxOptions" if is_softmax else None,
                 **({"beta": 1} if is_softmax else {}))
    function = {"LOGISTIC": logistic, "TANH": hyperbolic_tangent, "SOFTMAX": softmax}[name]

    def compute(v):
        return [sum((function(v[i : i + size]) for i in range(0, rows * size, size)), [])]

    return net, compute, 4 if name == "LOGISTIC" else 6


@several(
    ([2, 3], False, False, None, 0.0008), ([3], True, False, None, 0.00031),
    ([1], False, True, None, 2.0**-11), ([], False, False, True, 0.0013), into=CASES)
def wide_matrices(batch, adj_x, adj_y, is_constant, scale):
    """16 bits: the sum is rounded, and its product with the rest of the factor."""
    net = Network()
    rows, inner, columns = 4, 24, 7
    x = wide(net, batch + ([inner, rows] if adj_x else [rows, inner]), scale)
    w = wide(net, batch + ([columns, inner] if adj_y else [inner, columns]), 2.0**-12,
             codes(inner * columns, -32767, 32767) if is_constant else None)
    y = wide(net, batch + [rows, columns], 0.0061)
    net.inputs, net.outputs = [x] if is_constant else [x, w], [y]
    net.operator("BATCH_MATMUL", [x, w], [y], "BatchMatMulOptions", adj_x=adj_x, adj_y=adj_y)

    def left(v, b, r, i):
        return v[(b * inner + i) * rows + r if adj_x else (b * rows + r) * inner + i]

    def right(v, b, i, c):
        return v[(b * columns + c) * inner + i if adj_y else (b * inner + i) * columns + c]

    def compute(v, u=None):
        u = ref.real(w, w.data) if u is None else u
        return [
            [
                sum(left(v, b, r, i) * right(u, b, i, c) for i in range(inner))
                for b in range(math.prod(batch))
                for r in range(rows)
                for c in range(columns)
            ]
        ]

    return net, compute, 2


@several((0.0003, 0.002), (2.0**-9, 2.0**-12), (0.9, 0.00004), (0.0001, 2.0), into=CASES)
def wide_rsqrt(scale, out):
    """16 bits: a sum of tables; of 0 and less it is the greatest number."""
    net = Network()
    x = wide(net, [40, 100], scale)
    y = wide(net, x.shape, out)
    net.inputs, net.outputs = [x], [y]
    net.operator("RSQRT", [x], [y])
    return net, lambda v: [[1 / math.sqrt(n) if n > 0 else 32767 * out for n in v]], 1


@several(
    ("AVERAGE_POOL_2D", 3, 2, "SAME", "RELU", 0.0007), ("AVERAGE_POOL_2D", 1, 7, "SAME", None, 0.0007),
    ("AVERAGE_POOL_2D", 2, 4, "VALID", "RELU_N1_TO_1", 0.00041),
    ("AVERAGE_POOL_2D", 13, 2, "SAME", None, 0.0007),
    ("AVERAGE_POOL_2D", 256, 1, "VALID", None, 0.0007), ("MAX_POOL_2D", 3, 2, "SAME", "RELU6", 0.0007),
    into=CASES)
def wide_pool(name, height, width, padding, activation, out):
    """16 bits: of 7 codes the kernel would be 2 off, and it has no factor. Of 13 it may be
    where products with ones would be 26 kernels. It has no windows of 256 elements a side."""
    net = Network()
    kernel, stride = (height, width), 1 if height == 13 else 2
    x = wide(net, [2, max(5, height + 1), 9, 3], 0.0007)
    function = max if name == "MAX_POOL_2D" else ref.mean
    compute = lambda v: ref.pool(x.shape, v, kernel, (1, stride), padding, function)
    y = wide(net, compute([0] * x.size())[0], out)
    net.inputs, net.outputs = [x], [y]
    net.operator(
        name, [x], [y], "Pool2DOptions", padding=padding, stride_h=1, stride_w=stride,
        filter_height=kernel[0], filter_width=kernel[1],
        fused_activation_function=activation or "NONE",
    )
    tolerance = 0 if name == "MAX_POOL_2D" else 2 if height == 13 else 1
    return net, lambda v: [ref.activate(compute(v)[1], activation)], tolerance


@several(
    ("SUM", [1, 2], 0.003), ("SUM", [3], 0.0002), ("MEAN", [1, 2], 0.0007), ("MEAN", [1, 2], 0.0003),
    ("MEAN", [0, 3], 0.0007), ("REDUCE_MAX", [1, 2], 0.0007), ("REDUCE_MAX", [0, 2], 0.0007),
    into=CASES)
def wide_reduction(name, axes, out):
    net = Network()
    x = wide(net, [2, 4, 5, 6], 0.0007)
    y = wide(net, [e for i, e in enumerate(x.shape) if i not in axes], out)
    net.inputs, net.outputs = [x], [y]
    axis = net.tensor([len(axes)], type="INT32", data=axes)
    net.operator(name, [x, axis], [y], "ReducerOptions", keep_dims=False)
    function = {"REDUCE_MAX": max, "SUM": sum, "MEAN": ref.mean}[name]
    tolerance = 0 if name == "REDUCE_MAX" else 1
    return net, lambda v: [ref.reduce(x.shape, v, axes, function)], tolerance


@several(
    ("RELU", 0.0007), ("RELU6", 0.0007), ("RELU_N1_TO_1", 0.0007), ("RELU_0_TO_1", 0.0007),
    ("RELU", 0.0004), ("RELU6", 0.0011), into=CASES)
def wide_rectifier(name, out):
    net = Network()
    x, y = wide(net, [1, 4, 5, 6], 0.0007), wide(net, [1, 4, 5, 6], out)
    net.inputs, net.outputs = [x], [y]
    net.operator(name, [x], [y])
    low, high = {
        "RELU": (0, math.inf), "RELU6": (0, 6), "RELU_N1_TO_1": (-1, 1), "RELU_0_TO_1": (0, 1),
    }[name]
    return net, lambda v: [[max(low, min(high, n)) for n in v]], 0 if out == x.scale else 1


@several((0.0007, True), (2.0**-11, True), (0.0007, False), into=CASES)
def wide_padv2(scale, is_quantised):
    """A constant without a scale is a code."""
    net = Network()
    amounts = [(0, 0), (1, 2), (0, 1), (0, 0)]
    x = wide(net, [1, 4, 5, 3], scale)
    table = net.tensor([4, 2], type="INT32", data=sum(map(list, amounts), []))
    value = wide(net, [1], scale if is_quantised else None, [-12345])
    y = wide(net, ref.pad(x.shape, [0] * 60, amounts, 0)[0], scale)
    net.inputs, net.outputs = [x], [y]
    net.operator("PADV2", [x, table, value], [y])
    return net, lambda v: [ref.pad(x.shape, v, amounts, -12345 * scale)[1]], 0


@several(
    ([2, 5, 6], [2, 5, 6], 0.0007, 0.0007), ([2, 5, 6], [6], 0.0007, 0.0004),
    ([2, 5, 6], [2, 5, 1], 2.0**-13, 2.0**-12), into=CASES)
def wide_squared_difference(left, right, scale, other):
    """16 bits: TFLite rounds both operands, so that squares are far off themselves."""
    net = Network()
    step = 2 * max(scale, other)
    x, w = wide(net, left, scale), wide(net, right, other)
    y = wide(net, left, step**2 * 2**15)
    net.inputs, net.outputs = [x, w], [y]
    net.operator("SQUARED_DIFFERENCE", [x, w], [y])

    def compute(v, u):
        a, b = ([math.floor(n / step + 0.5) for n in numbers] for numbers in (v, u))
        return [[((p - q) * step) ** 2 for p, q in zip(a, ref.broadcast(right, b, left))]]

    return net, compute, 4
