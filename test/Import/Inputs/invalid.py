# SPDX-License-Identifier: Apache-2.0
#
# Networks that are rejected, with the reason: operators with weights, and what
# is wrong with any.

from tflite import Network

CASES = {}


def case(reason, into=CASES):
    def add(function):
        into[function.__name__] = (function, reason)
        return function

    return add


def conv(options="Conv2DOptions", name="CONV_2D", out=(1, 4, 4, 2), x=None, w=None, b=None,
         y=None, **fields):
    """A convolution of 4 x 4 x 2 maps, of which a case spoils one part."""
    net = Network()
    x = net.tensor(**{**dict(shape=[1, 4, 4, 2], scale=0.1), **(x or {})})
    count = 2 * 3 * 3 * 2
    w = net.tensor(**{**dict(shape=[2, 3, 3, 2], scale=0.1, data=[1] * count), **(w or {})})
    if b is not None:
        b = net.tensor(**{**dict(shape=[2], scale=0.01, type="INT32", data=[1, 2]), **b})
    y = net.tensor(**{**dict(shape=list(out), scale=0.1), **(y or {})})
    net.inputs, net.outputs = [x], [y]
    fields = {**dict(stride_w=1, stride_h=1, padding="SAME"), **fields}
    net.operator(name, [x, w, b], [y], options, **fields)
    return net


def unary(name, options=None, x=None, y=None, more=(), **fields):
    net = Network()
    x = net.tensor(**{**dict(shape=[1, 4, 4, 2], scale=0.1), **(x or {})})
    y = net.tensor(**{**dict(shape=[1, 4, 4, 2], scale=0.1), **(y or {})})
    more = [net.tensor([len(m)], type="INT32", data=m) for m in more]
    net.inputs, net.outputs = [x], [y]
    net.operator(name, [x] + more, [y], options, **fields)
    return net


def quantized(net):
    """`net`, whose output is a real number, as part of a quantised network."""
    y = net.tensor(net.outputs[0].shape, 0.1)
    net.operator("QUANTIZE", net.outputs, [y])
    net.outputs = [y]
    return net


@case("no kernel computes it; take FULLY_CONNECTED with a constant triangle of ones")
def no_kernel():
    return unary("CUMSUM")


@case("no kernel computes it")
def unknown_operator():
    return unary(900)


@case("expected options of type 1, but got type 0")
def no_options():
    net = conv()
    net.operators[0].pop("builtin_options")
    net.operators[0].pop("builtin_options_type")
    return net


@case("expected weights tensor 1 't1' at byte N to be int8, but got uint8")
def unsigned_weights():
    return conv(w={"type": "UINT8"})


@case("expected weights tensor 1 't1' at byte N to be of zero points in [0, 255], but got 256")
def unsigned_weights_zero():
    return conv(x={"type": "UINT8"}, w={"type": "UINT8", "zero": 256}, y={"type": "UINT8"})


@case("'mli.group_conv2d' op expected dimension 2 of 'weights' to divide the 5 input channels, but "
      "got 2")
def unsigned_groups():
    return conv(x={"type": "UINT8", "shape": [1, 4, 4, 5]}, w={"type": "UINT8"},
                y={"type": "UINT8"})


@case("expected weights tensor 1 't1' at byte N to be constant, but got computed ones")
def computed_weights():
    net = conv(w={"data": None})
    net.tensors[1]["is_variable"] = True
    return net


@case("expected weights tensor 1 't1' at byte N to be quantised, but got no scale")
def plain_weights():
    return conv(w={"scale": None})


@case("expected weights tensor 1 't1' at byte N to be quantised along dimension 0, but got 3")
def weights_axis():
    return conv(w={"scale": [0.1, 0.2], "axis": 3})


@case("expected weights tensor 1 't1' at byte N to be of zero points 0, but got 4")
def weights_zero():
    return conv(w={"zero": 4})


@case("expected tensor 1 't1' at byte N to have 4 dimensions, but got 2")
def weights_rank():
    return conv(w={"shape": [2, 18]})


@case("expected scale 0 of weights tensor 1 't1' at byte N to give a factor in range, but got "
      "1.000000e+69")
def weights_scale():
    return conv(x={"scale": 1e30}, w={"scale": 1e38})


def saturating(scales, scale=0.1, out=0.1, inputs=9):
    """A product whose first output would saturate in the kernel of 8 bits."""
    net = Network()
    x = net.tensor([1, inputs], scale)
    data = [127, -127] * inputs
    w = net.tensor([2, inputs], [s * out / scale for s in scales], data=data)
    b = net.tensor([2], 0.01, type="INT32", data=[9000000, 0])
    y = net.tensor([1, 2], out)
    net.inputs, net.outputs = [x], [y]
    net.operator("FULLY_CONNECTED", [x, w, b], [y], "FullyConnectedOptions")
    return net


@case("expected factors and biases in the range of 16 bits, but got some that take shifts of -2 and "
      "-2; the kernel of 8 bits would saturate before the result of output 0")
def saturating_range():
    return saturating([2**-17, 1000])


@case("expected factors that 16 bits hold to 8.192000e+03 quantized values of the output, but got an error of "
      "9.183656e+03; the kernel of 8 bits would saturate before the result of output 0")
def saturating_factors():
    return saturating([2**-17, 10.029773])


@case("expected scales whose inverse has a format, but got 17355:-100:0; the kernel of 8 bits would "
      "saturate before the result of output 0")
def saturating_scale():
    return saturating([2**-17, 2**-17], scale=2.2e34, out=1e10)


@case("expected bias tensor 2 't2' at byte N to be constant int32, but got int64")
def wide_bias():
    return conv(b={"type": "INT64"})


@case("expected bias tensor 2 't2' at byte N to have 2 elements, but got 3")
def long_bias():
    return conv(b={"shape": [3], "data": [1, 2, 3]})


@case("expected tensor 2 't2' at byte N to be int16, but got int8")
def short_input():
    return conv(x={"type": "INT16"})


@case("expected tensor 0 't0' at byte N to be quantised, but got no scale of int8")
def plain_input():
    return conv(x={"scale": None})


@case("expected tensor 0 't0' at byte N to be quantised per tensor, but got 2 scales")
def input_axis():
    return conv(x={"scale": [0.1, 0.2], "axis": 3})


@case("expected tensor 0 't0' at byte N to be computed, but got none")
def missing_input():
    net = conv()
    net.tensors[0]["is_variable"] = True
    net.inputs = []
    return net


@case("expected the zero point of tensor 0 't0' at byte N to be in [-128, 127], but got 128")
def input_zero():
    return conv(x={"zero": 128})


@case("expected the zero point of tensor 0 't0' at byte N to be in [0, 255], but got -1")
def unsigned_zero():
    return conv(x={"zero": -1, "type": "UINT8"})


@case("expected the scale of tensor 0 't0' at byte N to be at least 2^-113 and less than 2^143, "
      "but got 9.999999e-39")
def input_scale():
    return conv(x={"scale": 1e-38})


@case("expected dimension 1 of the output to be 4, but got 3")
def output_height():
    return conv(out=(1, 3, 4, 2))


@case("expected an output batch of 1, but got 2")
def output_batch():
    return conv(out=(2, 4, 4, 2))


@case("expected kernel, stride and dilation to be at least 1, but got 3, 0, 1")
def no_stride():
    return conv(stride_h=0)


@case("expected padding SAME or VALID, but got 5")
def unknown_padding():
    return conv(padding=5)


@case("expected the fused activation to be none, relu, relu6 or relu_n1_to_1, but got 4")
def unknown_activation():
    return conv(fused_activation_function="TANH")


@case("'mli.conv2d' op expected 'strides' to be in [1, 255], but got 300")
def long_stride():
    return conv(out=(1, 1, 1, 2), stride_h=300, stride_w=300)


@case("expected tensor 0 't0' at byte N to have elements, but got none")
def empty_input():
    return conv(x={"shape": [1, 0, 4, 2]})


@case("expected dimension 0 of weights tensor 1 't1' at byte N to be 1, but got 2")
def depthwise_weights():
    return conv("DepthwiseConv2DOptions", "DEPTHWISE_CONV_2D")


@case("expected input 1 to be given, but got none")
def no_weights():
    net = conv()
    net.operators[0]["inputs"] = [0]
    return net


@case("expected at least 1 outputs, but got 0")
def no_output():
    net = unary("SOFTMAX", "SoftmaxOptions", beta=1)
    net.operators[0]["outputs"] = []
    net.outputs = net.inputs
    return net


@case("expected weights in the default format, but got format 1")
def shuffled():
    net = conv("FullyConnectedOptions", "FULLY_CONNECTED", w={"shape": [2, 32], "data": [1] * 64})
    net.operators[0]["builtin_options"] = {"weights_format": 1}
    return net


@case("expected weights for 16 to 2 elements to fit input and output, but got 32 to 32")
def connected_size():
    net = conv("FullyConnectedOptions", "FULLY_CONNECTED", w={"shape": [2, 16], "data": [1] * 32})
    net.operators[0]["builtin_options"] = {}
    return net


@case("expected dimension 1 of the output to be at most 9, but got 10")
def transposed_size():
    net = conv(
        "TransposeConvOptions", "TRANSPOSE_CONV", out=(1, 10, 9, 2), stride_h=2, stride_w=2,
        padding="VALID",
    )
    net.operators[0]["inputs"] = [1, 1, 0]
    return net


@case("expected strides of at least 1, but got 0")
def transposed_stride():
    net = conv("TransposeConvOptions", "TRANSPOSE_CONV", stride_h=0)
    net.operators[0]["inputs"] = [1, 1, 0]
    return net


def matmul(**fields):
    net = Network()
    x, y = net.tensor([3, 4], 0.1), net.tensor([3, 2], 0.1)
    computed = fields.pop("computed", False)
    w = net.tensor([4, 2], 0.1, data=None if computed else [1] * 8)
    net.inputs, net.outputs = [x, w] if computed else [x], [y]
    net.operator("BATCH_MATMUL", [x, w], [y], "BatchMatMulOptions", **fields)
    return net


def matrices(left, right, result, name="BATCH_MATMUL", options="BatchMatMulOptions", **fields):
    """A product of two variables."""
    net = Network()
    x, w, y = net.tensor(left, 0.1), net.tensor(right, 0.1), net.tensor(result, 0.1)
    net.inputs, net.outputs = [x, w], [y]
    net.operator(name, [x, w], [y], options, **fields)
    return net


@case("expected matrices of one batch that fit a result of 6 elements, but got 1 times 4 x 3 and 1 times 4 x 2")
def matmul_columns():
    return matmul(adj_x=True)


@case("expected matrices of one batch that fit a result of 12 elements, but got 3 times 2 x 4 and 2 times 4 x 2")
def matmul_batches():
    return matrices([3, 2, 4], [2, 4, 2], [3, 2, 2])


@case("expected tensor 1 't1' at byte N to have at least 2 dimensions, but got 1")
def matmul_of_a_row():
    return matrices([3, 4], [4], [3])


@case("expected sums that the kernel of 8 bits holds, but got sums of 4000 products of two variables")
def matmul_long():
    net = matrices([1, 4000], [4000, 2], [1, 2])
    net.tensors[2]["quantization"]["scale"] = [1000]
    return net


@case("expected tensor 1 't1' at byte N to be int8 or uint8, but got int16")
def matmul_wide():
    net = matrices([3, 4], [4, 2], [3, 2])
    net.tensors[1]["type"] = "INT16"
    return net


@case("expected 2 biases, but got 3")
def computed_weights_bias():
    net = matrices([3, 4], [2, 4], [3, 2], "FULLY_CONNECTED", "FullyConnectedOptions")
    bias = net.tensor([3], 0.01, 0, "INT32", data=[1, 2, 3])
    net.operators[0]["inputs"].append(bias.index)
    return net
