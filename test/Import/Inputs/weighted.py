# SPDX-License-Identifier: Apache-2.0
#
# Networks of one operator with weights.

import math
import random

import reference as ref
from cases import bias, case, several, weights
from tflite import Network


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


@several(("constant", 0, 1.67e-7), ("rounded", -86, 0.011), ("fx16", 127, 3e-6))
def conv_2d_saturating(kind, code, factor):
    """Outputs that the kernel of 8 bits does not give with the constants of the file: as they are
    it clips the first two, and drops bits of the third."""
    net = Network()
    x = net.tensor([1, 3, 3, 2], 0.05, -128)
    scales = [factor, 1.67e-7, 0.004]
    codes = [code] * 18 + [0] * 18 + [random.randint(-127, 127) for _ in range(18)]
    w = net.tensor([3, 3, 3, 2], scales, data=codes)
    w.axis = 0
    codes = [{"constant": 526435520, "rounded": 131071 + 65536, "fx16": 27000000}[kind], -3e8, 99]
    b = net.tensor([3], [0.05 * s for s in scales], type="INT32", data=[int(c) for c in codes])
    numbers = [0.05 * s * int(c) for s, c in zip(scales, codes)]
    y = net.tensor([1, 1, 1, 3], 0.05, -20)
    net.inputs, net.outputs = [x], [y]
    net.operator(
        "CONV_2D", [x, w, b], [y], "Conv2DOptions", padding="VALID", stride_w=1, stride_h=1,
    )
    return net, lambda v: [
        ref.conv(x.shape, v, w.shape, ref.real(w, w.data), numbers, (1, 1), (1, 1), "VALID")[1]
    ], 0


@case
def fully_connected_saturating():
    """Two kernels of fx16 would leave too much of the second output."""
    net = Network()
    x = net.tensor([1, 200], 0.1)
    scales = [2**-17, 0.3001]
    w = net.tensor([2, 200], scales, data=[127, -127] * 200)
    w.axis = 0
    codes = [9000000, 0]
    b = net.tensor([2], [0.1 * s for s in scales], type="INT32", data=codes)
    y = net.tensor([1, 2], 0.1)
    net.inputs, net.outputs = [x], [y]
    net.operator("FULLY_CONNECTED", [x, w, b], [y], "FullyConnectedOptions")

    def compute(v):
        rows = zip(scales, codes)
        return [[s * (sum(p * q for p, q in zip(v, w.data[i * 200 :])) + 0.1 * c)
                 for i, (s, c) in enumerate(rows)]]

    return net, compute, 1


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


@several((False, 1), (True, 1), (False, 4))
def batch_matmul(transposed, rows):
    """Products with a constant matrix, whose last dimension is the outputs'."""
    net = Network()
    x = net.tensor([2, rows, 12], 0.05, 5)
    w = weights(net, [5, 12] if transposed else [12, 5], 0, False, 5)
    y = net.tensor([2, rows, 5], 0.5, -3)
    net.inputs, net.outputs = [x], [y]
    net.operator("BATCH_MATMUL", [x, w], [y], "BatchMatMulOptions", adj_y=transposed)
    real = ref.real(w, w.data)
    at = lambda i, o: real[o * 12 + i if transposed else i * 5 + o]
    return net, lambda v: [
        [sum(v[r * 12 + i] * at(i, o) for i in range(12)) for r in range(2 * rows) for o in range(5)]
    ], 1


@several(
    ([2, 3], 4, 12, 5, False, False, 0), ([2], 4, 12, 5, False, True, 7),
    ([1], 3, 30, 8, True, False, -128), ([3], 5, 17, 6, True, True, 127), ([], 1, 8, 3, False, False, -9),
)
def product_of_variables(batch, rows, inner, columns, adj_x, adj_y, zero):
    """Both matrices are computed, one of each for each of the batch."""
    net = Network()
    x = net.tensor(batch + ([inner, rows] if adj_x else [rows, inner]), 0.05, 5)
    w = net.tensor(batch + ([columns, inner] if adj_y else [inner, columns]), 0.02, zero)
    y = net.tensor(batch + [rows, columns], 0.3, -3)
    net.inputs, net.outputs = [x, w], [y]
    net.operator("BATCH_MATMUL", [x, w], [y], "BatchMatMulOptions", adj_x=adj_x, adj_y=adj_y)

    def left(v, b, r, i):
        return v[(b * inner + i) * rows + r if adj_x else (b * rows + r) * inner + i]

    def right(v, b, i, c):
        return v[(b * columns + c) * inner + i if adj_y else (b * inner + i) * columns + c]

    return net, lambda v, u: [
        [
            sum(left(v, b, r, i) * right(u, b, i, c) for i in range(inner))
            for b in range(math.prod(batch))
            for r in range(rows)
            for c in range(columns)
        ]
    ], 1


@case
def fully_connected_computed():
    """Weights that another operator computes."""
    net = Network()
    x = net.tensor([3, 12], 0.05, 5)
    w = net.tensor([5, 12], 0.02, 0)
    numbers = [random.randint(-3000, 3000) for _ in range(5)]
    bias = net.tensor([5], 0.05 * 0.02, 0, "INT32", data=numbers)
    y = net.tensor([3, 5], 0.05, -3)
    net.inputs, net.outputs = [x, w], [y]
    net.operator(
        "FULLY_CONNECTED", [x, w, bias], [y], "FullyConnectedOptions", fused_activation_function="RELU"
    )
    return net, lambda v, u: [
        [
            max(0, sum(v[r * 12 + i] * u[o * 12 + i] for i in range(12)) + numbers[o] * 0.001)
            for r in range(3)
            for o in range(5)
        ]
    ], 1
