# SPDX-License-Identifier: Apache-2.0
#
# Networks of one operator with uint8 weights, of which some, less the zero point,
# take 9 bits.

import random

import reference as ref
from cases import bias, case, several
from tflite import Network

ZERO = 100


def weights(net, shape, wide, zero):
    """A constant that takes 9 bits at the places `wide` alone, where it is the greatest one
    if the zero point is 0."""
    data = [random.randint(0, zero + 127) for _ in range(ref.size(shape))]
    for place in wide:
        data[place] = random.randint(zero + 128 if zero else 255, 255)
    return net.tensor(shape, 0.006, zero, type="UINT8", data=data)


def layer(name, options, x_shape, w_shape, wide, compute, zero=ZERO, **fields):
    """`compute` gives the numbers of the result for those of the input."""
    net = Network()
    x = net.tensor(x_shape, 0.04, 131, type="UINT8")
    w = weights(net, w_shape, wide, zero)
    outputs = w_shape[3] if name.startswith("DEPTHWISE") else w_shape[0]
    b, numbers = bias(net, x, w, outputs)
    real = ref.real(w, w.data)
    run = lambda values: compute(x_shape, values, w_shape, real, numbers)
    shape, _ = run([0] * x.size())
    y = net.tensor(shape, 0.0617, 124, type="UINT8")
    net.inputs, net.outputs = [x], [y]
    operands = [x, w, b]
    if name == "TRANSPOSE_CONV":
        operands = [net.tensor([4], type="INT32", data=shape), w, x, b]
    net.operator(name, operands, [y], options, **fields)
    return net, lambda v: [run(v)[1]], 1


@several(("none",), ("one",), ("some",), ("most",))
def unsigned_conv_2d(which):
    wide = {"none": [], "one": [50], "some": [3, 4, 8, 50, 51], "most": range(0, 100, 2)}
    return layer(
        "CONV_2D", "Conv2DOptions", [2, 5, 4, 6], [2, 3, 3, 6], wide[which],
        lambda *a: ref.conv(*a, (1, 1), (1, 1), "SAME"), padding="SAME", stride_w=1, stride_h=1,
    )


@several(("one", 6, 1), ("two", 6, 1), ("most", 6, 1), ("two", 4, 2), ("one", 1, 4))
def unsigned_depthwise_conv_2d(which, channels, multiplier):
    wide = {"one": [8], "two": [8, 9, 13], "most": range(30)}
    return layer(
        "DEPTHWISE_CONV_2D", "DepthwiseConv2DOptions", [2, 6, 5, channels],
        [1, 3, 2, channels * multiplier], wide[which],
        lambda *a: ref.depthwise(*a, (2, 1), (1, 1), "SAME"), padding="SAME", stride_w=1,
        stride_h=2, depth_multiplier=multiplier,
    )


@several(("one",), ("most",))
def unsigned_grouped_conv_2d(which):
    wide = {"one": [70], "most": range(100)}
    return layer(
        "CONV_2D", "Conv2DOptions", [1, 4, 4, 6], [6, 3, 3, 2], wide[which],
        lambda *a: ref.conv(*a, (1, 1), (1, 1), "VALID", 3), padding="VALID", stride_w=1,
        stride_h=1,
    )


@case
def unsigned_transpose_conv():
    out = [1, 7, 9, 3]
    return layer(
        "TRANSPOSE_CONV", "TransposeConvOptions", [1, 3, 4, 2], [3, 3, 3, 2], [20],
        lambda *a: (out, ref.transpose_conv(*a, (2, 2), (0, 0), out)), padding="VALID",
        stride_w=2, stride_h=2,
    )


@several(("none",), ("some",), ("greatest",))
def unsigned_fully_connected(which):
    wide = {"none": [], "some": [3, 4, 20], "greatest": [3, 20]}

    def compute(shape, v, w_shape, real, numbers):
        (rows, inputs), outputs = shape, w_shape[0]
        return [rows, outputs], [
            numbers[o] + sum(v[r * inputs + i] * real[o * inputs + i] for i in range(inputs))
            for r in range(rows)
            for o in range(outputs)
        ]

    return layer(
        "FULLY_CONNECTED", "FullyConnectedOptions", [2, 12], [4, 12], wide[which], compute,
        zero=0 if which == "greatest" else ZERO,
    )
