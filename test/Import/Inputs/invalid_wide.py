# SPDX-License-Identifier: Apache-2.0
#
# Networks of 16 bits that are rejected, and of operators that are several
# kernels, with the reason.

from invalid import case, conv, unary
from tflite import Network

CASES = {}


def wide_conv(bias=None, weights=0.1, out="INT16", **parts):
    wide = {"type": "INT16", "scale": 0.1}
    bias = bias and {**{"type": "INT64", "scale": 0.01}, **bias}
    return conv(x=wide, w={"scale": weights, **parts}, b=bias, y={**wide, "type": out})


@case("expected tensor 2 't2' at byte N to be int16, but got int8", CASES)
def wide_output():
    return wide_conv(out="INT8")


@case("expected bias tensor 2 't2' at byte N to have 2 elements, but got 3", CASES)
def wide_long_bias():
    return wide_conv({"shape": [3], "data": [1, 2, 3]})


@case("expected tensor 2 't2' at byte N to be int32 or int64, but got int8", CASES)
def wide_short_bias():
    return wide_conv({"type": "INT8"})


@case("expected factors and biases in the range of 16 bits, but got some that take shifts of "
      "-1 and -17", CASES)
def wide_great_bias():
    return wide_conv({"data": [1, 400000 << 16]})


@case("expected factors and biases in the range of 16 bits, but got some that take shifts of "
      "-7 and -7", CASES)
def wide_great_weights():
    return wide_conv(weights=3e6)


@case("expected factors that 16 bits hold to 8.192000e+03 quantized values of the output, but got an error "
      "of 1.769490e+05", CASES)
def wide_weights():
    return wide_conv(weights=[3e4, 0.3], axis=0)


def wide_sum(left, right, **parts):
    net = Network()
    x, y = (net.tensor(**{**dict(scale=0.1, type="INT16"), **p}) for p in (left, right))
    z = net.tensor([1, 4, 2], 0.1, type="INT16")
    net.inputs, net.outputs = [x, y], [z]
    net.operator("ADD", [x, y], [z], "AddOptions", **parts)
    return net


@case("expected tensor 1 't1' at byte N to have the dimensions of the output or 1, but got others",
      CASES)
def wide_broadcast():
    return wide_sum({"shape": [1, 4, 2]}, {"shape": [3, 1]})


@case("expected tensor 1 't1' at byte N to have 8 elements, as the output, but got 1", CASES)
def wide_one():
    return wide_sum({"shape": [1, 4, 2]}, {"shape": [1]})


@case("expected tensor 1 't1' at byte N to be int16, but got int8", CASES)
def wide_mixed():
    return wide_sum({"shape": [1, 4, 2]}, {"shape": [1, 4, 2], "type": "INT8"})


@case("expected the fused activation to be none, relu, relu6 or relu_n1_to_1, but got 4", CASES)
def wide_activation():
    return wide_sum(
        {"shape": [1, 4, 2]}, {"shape": [1, 4, 2]}, fused_activation_function="TANH"
    )


def wide_unary(name, scale, shape=(1, 4, 4, 2)):
    return unary(
        name, x={"type": "INT16", "scale": scale}, y={"type": "INT16", "shape": list(shape)}
    )


@case("expected a factor in the range of 16 bits, but got 5.000000e+05", CASES)
def wide_factor():
    return wide_unary("QUANTIZE", 5e4)


@case("expected an input of 16 elements, as the output has, but got 32", CASES)
def wide_elements():
    return wide_unary("ABS", 0.1, [1, 16])


@case("expected at most 16382 elements along the axis, but got 16383", CASES)
def far_positions():
    net = Network()
    x = net.tensor([1, 16383], 0.1)
    axis = net.tensor([1], type="INT32", data=[1])
    y = net.tensor([1], type="INT32")
    net.inputs, net.outputs = [x], [y]
    net.operator("ARG_MAX", [x, axis], [y])
    return net


@case("expected the scales of input and output to give a factor in range, but got 5.714286e-01",
      CASES)
def sum_factor():
    net = unary("SUM", x={"scale": 9.6298e-35}, y={"scale": 1.685215e-34, "shape": [1, 4, 4]})
    axis = net.tensor([1], type="INT32", data=[3])
    net.operators[0]["inputs"].append(axis.index)
    return net


def wide_product(left, right, out):
    net = Network()
    x, y, z = (net.tensor([1, 4], scale, type="INT16") for scale in (left, right, out))
    net.inputs, net.outputs = [x, y], [z]
    net.operator("MUL", [x, y], [z], "MulOptions")
    return net


@case("expected the product of both scales to be at least 2^-127 and at most 2^128, but got 2^-169",
      CASES)
def wide_small_scales():
    return wide_product(2.0**-100, 2.0**-100, 2.0**-100)


@case("expected a factor in the range of 16 bits, but got 1.393797e+42", CASES)
def wide_large_factor():
    return wide_product(2.0**20, 2.0**20, 2.0**-100)


@case("expected the scale of tensor 0 't0' at byte N to be at least 2^-127 and at most 2^128, but got "
      "7.174648e-43", CASES)
def wide_small_beta():
    net = unary(
        "SOFTMAX", "SoftmaxOptions", x={"type": "INT16", "scale": 2.0**-100},
        y={"type": "INT16", "scale": 2.0**-15}, beta=2.0**-40,
    )
    return net


def wide_matrices(left, right, out, **parts):
    net = Network()
    x = net.tensor([1, 2, 4], left, type="INT16")
    w = net.tensor([4, 2], right, type="INT16")
    y = net.tensor([1, 2, 2], out, type=parts.pop("type", "INT16"))
    net.inputs, net.outputs = [x, w], [y]
    is_dense = "fused_activation_function" in parts
    net.operator(
        "FULLY_CONNECTED" if is_dense else "BATCH_MATMUL", [x, w], [y],
        "FullyConnectedOptions" if is_dense else "BatchMatMulOptions", **parts,
    )
    return net


@case("expected tensor 2 't2' at byte N to be int16, but got int8", CASES)
def wide_matrices_to_int8():
    return wide_matrices(0.1, 0.1, 0.1, type="INT8")


@case("expected the product of both scales to be at least 2^-127 and at most 2^128, but got 2^-169",
      CASES)
def wide_matrices_of_small_scales():
    return wide_matrices(2.0**-100, 2.0**-100, 2.0**-100)


@case("expected a factor in the range of 16 bits, but got 1.393797e+42", CASES)
def wide_matrices_of_large_factor():
    return wide_matrices(2.0**20, 2.0**20, 2.0**-100)


@case("expected a product of matrices of 16 bits without bias and activation, but got activation 1", CASES)
def wide_matrices_that_are_clipped():
    net = wide_matrices(0.1, 0.1, 0.1, fused_activation_function="RELU")
    net.graphs[0].tensors[1]["shape"] = [2, 4]
    return net


def wide_pool(name, x=None, y=None, **parts):
    fields = dict(stride_w=1, stride_h=1, filter_width=1, filter_height=1)
    x, y = ({**dict(type="INT16", scale=0.1), **(part or {})} for part in (x, y))
    return unary(name, "Pool2DOptions", x, y, **{**fields, **parts})


@case("expected tensor 1 't1' at byte N to be int16, but got int8", CASES)
def wide_pool_to_int8():
    return wide_pool("AVERAGE_POOL_2D", y={"type": "INT8"})


@case("expected tensor 1 't1' at byte N to be of the scale of tensor 0 't0' at byte N, 1.000000e-01, "
      "but got 1.700000e-01", CASES)
def wide_maximum_scale():
    return wide_pool("MAX_POOL_2D", y={"scale": 0.17})


@case("expected the scales of input and output to give a factor in range, but got 5.000000e+05", CASES)
def wide_average_factor():
    return wide_pool("AVERAGE_POOL_2D", {"scale": 5e4})


@case("expected input and output of one scale, since products with ones would take 36 kernels, but got "
      "scales of a ratio of 5.000000e-01", CASES)
def wide_average_windows():
    shape = {"shape": [1, 6, 6, 2]}
    return wide_pool(
        "AVERAGE_POOL_2D", shape, {**shape, "scale": 0.2}, filter_width=6, filter_height=6,
        padding="SAME",
    )


@case("expected windows of at most 255 x 255 elements, since products with ones would take 256 kernels, "
      "but got 256 x 1", CASES)
def wide_average_side():
    shape = {"shape": [1, 300, 2, 1]}
    return wide_pool("AVERAGE_POOL_2D", shape, shape, filter_height=256, padding="SAME")


@case("expected the scales of input and output to give a factor in range, but got 5.000000e+05", CASES)
def wide_sum_factor():
    scales = {"type": "INT16", "scale": 5e4}, {"type": "INT16", "scale": 0.1, "shape": [1, 4, 4]}
    return unary("SUM", "ReducerOptions", *scales, more=[[3]])


@case("expected a factor in the range of 16 bits, but got 5.000000e+05", CASES)
def wide_clip_factor():
    return wide_unary("RELU_0_TO_1", 5e4)


@case("expected an input of 16 elements, as the output has, but got 32", CASES)
def wide_clip_elements():
    return wide_unary("RELU6", 0.1, [1, 16])


@case("expected tensor 1 't1' at byte N to be int16, but got int8", CASES)
def wide_clip_to_int8():
    return unary("RELU", x={"type": "INT16"})


def wide_squares(left, right, out, **parts):
    net = wide_product(left, right, out)
    net.operators = []
    net.names.clear()
    net.codes.clear()
    x, y, z = net.inputs + net.outputs
    net.operator("SQUARED_DIFFERENCE", [x, y], [z])
    net.tensors[1].update(parts)
    return net


@case("expected a factor in the range of 16 bits, but got 4.000000e+10", CASES)
def wide_squares_of_large_factor():
    return wide_squares(1e5, 1e5, 1.0)


@case("expected tensor 1 't1' at byte N to be int16, but got int8", CASES)
def wide_squares_to_int8():
    return wide_squares(0.25, 0.25, 0.25, type="INT8")
