# SPDX-License-Identifier: Apache-2.0
#
# Networks that are rejected, with the reason: pools, sums, element-wise operators,
# functions and conversions.

from invalid import case, quantized, unary
from tflite import Network


@case("expected an output batch of 1, but got 2")
def pool_batch():
    return unary(
        "MAX_POOL_2D", "Pool2DOptions", y={"shape": [2, 4, 4, 2]}, stride_w=1, stride_h=1,
        filter_width=1, filter_height=1,
    )


def pool(name, x=None, y=None):
    fields = dict(stride_w=1, stride_h=1, filter_width=1, filter_height=1)
    return unary(name, "Pool2DOptions", x, y, **fields)


@case("expected tensor 1 't1' at byte N to be of the format of tensor 0 't0' at byte N, "
      "!mli.sa8<26214:18:0>, but got !mli.sa8<26214:17:0>")
def pool_format():
    return pool("MAX_POOL_2D", y={"scale": 0.2})


@case("expected tensor 0 't0' at byte N to be int8 or uint8, but got int32")
def pool_type():
    return pool("AVERAGE_POOL_2D", x={"type": "INT32"})


@case("expected tensor 1 't1' at byte N to be of the format of tensor 0 't0' at byte N, "
      "!mli.sa8<26214:18:0>, but got !mli.sa8<26214:18:1>")
def maximum_format():
    return unary("REDUCE_MAX", "ReducerOptions", y={"shape": [1, 2], "zero": 1}, more=[[1, 2]])


@case("expected formats with which the average pool is off by at most 1, but from "
      "21129:19:0 to 20972:21:-128 it would be off by up to 1.9")
def average_formats():
    # Products with ones would be 6 x 6 kernels.
    fields = dict(stride_w=1, stride_h=1, filter_width=6, filter_height=6, padding="SAME")
    shape = {"shape": [1, 6, 6, 2]}
    return unary(
        "AVERAGE_POOL_2D", "Pool2DOptions", {**shape, "scale": 0.0403},
        {**shape, "scale": 0.01, "zero": -128}, **fields,
    )


@case("expected windows of at most 255 x 255 elements where the kernel computes them, but got 256 x 1")
def average_side():
    # Products with ones would be 256 kernels.
    fields = dict(stride_w=1, stride_h=1, filter_width=1, filter_height=256, padding="SAME")
    shape = {"shape": [1, 300, 2, 2]}
    return unary("AVERAGE_POOL_2D", "Pool2DOptions", shape, shape, **fields)


@case("expected axes in [-4, 3], but got 4")
def mean_axis():
    return unary("MEAN", "ReducerOptions", more=[[4]])


@case("expected an output of 2 elements, but got 32")
def mean_size():
    return unary("MEAN", "ReducerOptions", more=[[1, 2]])


@case("expected a reduction of a number of elements that has sides of at most 255, but got 257")
def mean_sides():
    return unary("MEAN", more=[[1]], x={"shape": [1, 257, 2]}, y={"shape": [1, 2]})


@case("expected tensor 2 't2' at byte N to be a constant, but got one that is computed")
def computed_axes():
    net = unary("MEAN", more=[[1]])
    net.tensors[2]["buffer"] = 0
    net.tensors[2]["is_variable"] = True
    return net


@case("expected tensor 2 't2' at byte N to be int32 or int64, but got int8")
def typed_axes():
    net = unary("MEAN")
    axes = net.tensor([1], type="INT8", data=[1])
    net.operators[0]["inputs"].append(axes.index)
    return net


def binary(shape, **fields):
    net = unary("ADD", "AddOptions", **fields)
    other = net.tensor(shape, 0.1)
    net.inputs.append(other)
    net.operators[0]["inputs"].append(other.index)
    return net


@case("expected tensor 2 't2' at byte N to have the dimensions of the output or 1, but got others")
def sum_shape():
    return binary([3, 1, 2])


@case("expected tensor 2 't2' at byte N to have at most 4 dimensions, but got 5")
def sum_rank():
    return binary([2, 1, 4, 4, 2])


@case("expected tensor 2 't2' at byte N to have the first 2 dimensions of the output or 1, but got others")
def sum_batches():
    many = {"shape": [2, 3, 2, 2, 2]}
    return binary([1, 3, 2, 2, 2], x=many, y=many)


@case("expected an input of 16 elements, as the output has, but got 32")
def unary_size():
    return unary("LOGISTIC", y={"shape": [1, 16]})


@case("expected beta to be positive, but got 0.000000e+00")
def softmax_beta():
    return unary("SOFTMAX", "SoftmaxOptions", beta=0)


@case("expected a factor in range of a scale, but got 9.999999e-39")
def softmax_scale():
    return unary("SOFTMAX", "SoftmaxOptions", beta=1e-38)


@case("expected alpha to be in range of a scale, but got 9.999999e-39")
def leaky_slope():
    return unary("LEAKY_RELU", "LeakyReluOptions", alpha=1e-38)


@case("expected tensor 1 't1' at byte N to be int8 or uint8, as the input, but got int16, whose zero "
      "point fx16 does not have; quantise the result to int8, or take the input as output")
def softmax_short():
    return unary("SOFTMAX", "SoftmaxOptions", y={"type": "INT16", "zero": -32768}, beta=1)


@case("expected 1 slope or one for each of 2 channels, but got 3")
def prelu_slopes():
    net = unary("PRELU")
    slope = net.tensor([1, 1, 3], 0.1, data=[1, 2, 3])
    net.operators[0]["inputs"].append(slope.index)
    return net


@case("expected an output of 32 elements, but got 16")
def convert_size():
    return unary("QUANTIZE", y={"shape": [16]})


@case("expected a conversion from tensor 0 't0' at byte N to tensor 1 't1' at byte N that is exact "
      "to 1, but got an error of up to 93")
def wide_convert():
    return unary("QUANTIZE", x={"type": "INT16", "scale": 0.1}, y={"type": "INT32", "scale": 0.0011})


@case("'mli.convert' op expected elements that are numbers of 32 bits in the scale of the result, "
      "but got '!mli.sa8<1:-14:0>' for '!mli.sa8<1:10:0>'")
def convert_beyond_32_bits():
    return unary("QUANTIZE", x={"scale": 16384.0}, y={"scale": 2.0**-10})


@case("'mli.eltwise_add' op expected elements that are numbers of 32 bits in the scale of the "
      "result, but got '!mli.sa8<1:-14:0>' for '!mli.sa8<1:10:0>'")
def sum_beyond_32_bits():
    return binary([1, 4, 4, 2], x={"scale": 16384.0}, y={"scale": 2.0**-10})


@case("expected tensor 1 't1' at byte N to be quantised, but got no scale of int32")
def quantize_to_numbers():
    return unary("QUANTIZE", y={"type": "INT32", "scale": None})


@case("expected tensor 0 't0' at byte N to be quantised, but got no scale of int32")
def dequantize_numbers():
    x = {"type": "INT32", "scale": None}
    return quantized(unary("DEQUANTIZE", x=x, y={"type": "FLOAT32", "scale": None}))


@case("expected the scale of tensor 0 't0' at byte N, of int16, and those connected with it to be "
      "powers of two beside float32, but got 1.000000e-01")
def short_scale():
    return unary("DEQUANTIZE", x={"type": "INT16"}, y={"type": "FLOAT32", "scale": None})


@case("expected the scale of tensor 1 't1' at byte N, of int16, and those connected with it to be "
      "powers of two beside float32, but got 1.000000e-01")
def short_scale_of_reals():
    return unary("QUANTIZE", x={"type": "FLOAT32", "scale": None}, y={"type": "INT16"})


@case("expected the zero point of tensor 0 't0' at byte N, of int16, to be 0, but got 5")
def short_zero():
    return unary("RESHAPE", x={"type": "INT16", "zero": 5, "scale": 0.5}, y={"type": "INT16"})


@case("expected tensor 0 't0' at byte N to be int8, uint8, int16, int32 or float32, but got bool")
def other_type():
    return unary("RESHAPE", x={"type": "BOOL"})


@case("expected tensor 2 't2' at byte N to be quantised, but got no scale of int8")
def sum_plain():
    net = binary([4, 4, 2])
    net.tensors[2].pop("quantization")
    return net


@case("expected tensor 2 't2' at byte N to be quantised, but got no scale of int8")
def sum_plain_constant():
    net = unary("ADD", "AddOptions")
    constant = net.tensor([2], data=[3, 4])
    net.operators[0]["inputs"].append(constant.index)
    return net


@case("expected tensor 0 't0' at byte N to be quantised, but got no scale of int16")
def maximum_plain():
    plain = {"type": "INT16", "scale": None}
    net = unary("MAXIMUM", x=plain, y=plain)
    net.operators[0]["inputs"] = [0, 0]
    return net


def variables(name, type="INT8"):
    net = Network()
    x, w, y = (net.tensor([2, 3], 0.1, 0, type) for _ in range(3))
    net.inputs, net.outputs = [x, w], [y]
    net.operator(name, [x, w], [y])
    return net


@case("expected an operand to be a constant of one element of 8 bits, but got none")
def quotient_of_variables():
    return variables("DIV")


@case("expected rows of at most 256 elements, but got 257")
def long_log_softmax():
    return unary("LOG_SOFTMAX", x={"shape": [1, 257]}, y={"shape": [1, 257]})


@case("expected options of type 116, but got type 0")
def gelu_options():
    return unary("GELU")
