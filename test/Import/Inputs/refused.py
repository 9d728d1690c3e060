# SPDX-License-Identifier: Apache-2.0
#
# Networks that are refused, with the reason.

from tflite import Network

CASES = {}


def case(reason):
    def add(function):
        CASES[function.__name__] = (function, reason)
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


@case("no kernel computes it")
def no_kernel():
    return unary("EXP")


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


@case("expected bias tensor 2 't2' at byte N to be constant int32, but got int64")
def wide_bias():
    return conv(b={"type": "INT64"})


@case("expected bias tensor 2 't2' at byte N to have 2 elements, but got 3")
def long_bias():
    return conv(b={"shape": [3], "data": [1, 2, 3]})


@case("expected tensor 0 't0' at byte N to be int8 or uint8, but got int16")
def short_input():
    return conv(x={"type": "INT16"})


@case("expected tensor 0 't0' at byte N to be quantised, but got no scale of int8")
def plain_input():
    return conv(x={"scale": None})


@case("expected tensor 0 't0' at byte N to be quantised per tensor, but got 2 scales")
def input_axis():
    return conv(x={"scale": [0.1, 0.2], "axis": 3})


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


@case("expected an output of 1 maps, but got 2")
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


@case("expected an output of 1 maps, but got 2")
def pool_batch():
    return unary(
        "MAX_POOL_2D", "Pool2DOptions", y={"shape": [2, 4, 4, 2]}, stride_w=1, stride_h=1,
        filter_width=1, filter_height=1,
    )


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


@case("expected tensor 2 't2' at byte N to have the shape of the output, its last dimensions or "
      "one element, but got others")
def sum_shape():
    return binary([4, 1, 2])


@case("expected tensor 2 't2' at byte N to have at most 4 dimensions, but got 5")
def sum_rank():
    return binary([2, 1, 4, 4, 2])


@case("expected an input of 16 elements, as the output has, but got 32")
def unary_size():
    return unary("LOGISTIC", y={"shape": [1, 16]})


@case("expected beta to be positive, but got 0.000000e+00")
def softmax_beta():
    return unary("SOFTMAX", "SoftmaxOptions", beta=0)


@case("expected tensor 1 't1' at byte N to be int8 or uint8, but got int16")
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


@case("expected the scale of tensor 0 't0' at byte N, of int16, to be a power of two, but got "
      "1.000000e-01")
def short_scale():
    return unary("DEQUANTIZE", x={"type": "INT16"}, y={"type": "FLOAT32", "scale": None})


@case("expected the zero point of tensor 0 't0' at byte N, of int16, to be 0, but got 5")
def short_zero():
    return unary("RESHAPE", x={"type": "INT16", "zero": 5, "scale": 0.5}, y={"type": "INT16"})


@case("expected tensor 0 't0' at byte N to be int8, uint8, int16, int32 or float32, but got bool")
def other_type():
    return unary("RESHAPE", x={"type": "BOOL"})


@case("expected an output of 32 elements, but got 16")
def reshape_size():
    return unary("RESHAPE", y={"shape": [16]})


@case("expected 4 dimensions to permute, but got 3")
def transpose_count():
    return unary("TRANSPOSE", more=[[2, 1, 0]])


@case("expected each of 4 dimensions once, but got 1")
def transpose_twice():
    return unary("TRANSPOSE", more=[[0, 1, 1, 2]])


@case("expected tensor 1 't1' at byte N to have the permuted shape, but got another")
def transpose_shape():
    return unary("TRANSPOSE", more=[[0, 1, 3, 2]])


@case("expected a permutation of at most 4 dimensions, but got 5")
def transpose_rank():
    return unary(
        "TRANSPOSE", x={"shape": [2, 2, 2, 2, 2]}, y={"shape": [2, 2, 2, 2, 2]},
        more=[[4, 3, 2, 1, 0]],
    )


@case("expected 2 amounts for each of 4 dimensions, but got 2")
def pad_count():
    return unary("PAD", more=[[0, 0]])


@case("expected dimension 1 of the output to be 4 + 1 + 0, but got 4")
def pad_size():
    return unary("PAD", more=[[0, 0, 1, 0, 0, 0, 0, 0]])


@case("expected a slice of dimension 1, 4, but got 4 from 1")
def slice_end():
    return unary("SLICE", more=[[0, 1, 0, 0], [1, 4, 4, 2]])


@case("expected tensor 2 't2' at byte N to have 4 numbers, but got 3")
def slice_count():
    return unary("SLICE", more=[[0, 1, 0], [1, 3, 4]])


@case("expected an output of 24 elements, but got 32")
def slice_size():
    return unary("SLICE", more=[[0, 1, 0, 0], [1, 3, 4, 2]])


@case("expected steps of at least 1, but got -1")
def slice_step():
    return unary(
        "STRIDED_SLICE", "StridedSliceOptions", more=[[0] * 4, [1, 4, 4, 2], [1, -1, 1, 1]]
    )


@case("expected a slice of dimension 1, 4, but got [2, 2)")
def slice_empty():
    return unary(
        "STRIDED_SLICE", "StridedSliceOptions", more=[[0, 2, 0, 0], [1, 2, 4, 2], [1] * 4]
    )


@case("expected no ellipsis, new axis or offset, but got masks 1, 0")
def slice_ellipsis():
    return unary(
        "STRIDED_SLICE", "StridedSliceOptions", more=[[0] * 4, [1, 4, 4, 2], [1] * 4],
        ellipsis_mask=1,
    )


@case("expected an axis of 4 dimensions, but got 4")
def joined_axis():
    return unary("CONCATENATION", "ConcatenationOptions", axis=4)


@case("expected no fused activation, but got 1")
def joined_activation():
    return unary("CONCATENATION", "ConcatenationOptions", fused_activation_function="RELU")


@case("expected inputs of 8 together, but got 4")
def joined_size():
    return unary("CONCATENATION", "ConcatenationOptions", y={"shape": [1, 8, 4, 2]}, axis=1)


@case("expected tensor 0 't0' at byte N to fit the output, but got 32 elements")
def packed_size():
    return unary("PACK", "PackOptions", axis=1, values_count=1, y={"shape": [1, 2, 4, 4]})


@case("expected outputs of 4 together, but got more")
def split_size():
    net = unary("SPLIT", "SplitOptions", y={"shape": [1, 5, 4, 2]}, more=[[1]])
    net.operators[0]["inputs"] = [2, 0]
    return net


@case("expected input and output that differ by blocks of size 2, but got others")
def blocks_size():
    return unary("SPACE_TO_DEPTH", "SpaceToDepthOptions", block_size=2)


@case("expected an output of 16 elements, but got 32")
def arg_max_size():
    return unary("ARG_MAX", more=[[3]], y={"type": "INT32", "scale": None})


def svdf(rank=1, variable=True, **parts):
    net = Network()
    x = net.tensor([1, 3], 0.1)
    w = net.tensor([4, 3], 0.1, data=[1] * 12)
    t = net.tensor(**{**dict(shape=[4, 2], scale=0.1, data=[1] * 8), **parts})
    state = net.tensor([1, 8], 0.1, variable=variable)
    y = net.tensor([1, 4], 0.1)
    net.inputs, net.outputs = [x] if variable else [x, state], [y]
    net.operator("SVDF", [x, w, t, None, state], [y], "SVDFOptions", rank=rank)
    return net


@case("expected a rank that divides 4 filters, but got 3")
def svdf_rank():
    return svdf(rank=3)


@case("expected tensor 4 't4' at byte N to have 2 elements for one batch, but got 4")
def svdf_units():
    return svdf(rank=2)


@case("expected the state tensor 3 't3' at byte N to be a variable, but got another tensor")
def svdf_state():
    return svdf(variable=False)


@case("expected weights over time for 4 filters, but got 2")
def svdf_time():
    return svdf(shape=[2, 4])


@case("expected weights tensor 2 't2' at byte N to be int8, but got int16")
def svdf_short():
    return svdf(type="INT16")


@case("expected tensor 0 't0' at byte N to stand for a variable, but got another tensor")
def variable_handle():
    return unary("READ_VARIABLE")


def lstm(present=None, activation="TANH", cell="INT16", units=2, batch=1):
    net = Network()
    x = net.tensor([batch, 3, 2], 0.1)
    weights = [net.tensor([2, 2], 0.1, data=[1] * 4) for _ in range(8)]
    hidden = net.tensor([batch, 2], 0.1, variable=True)
    state = net.tensor([batch, 2], 2**-10, type=cell, variable=True)
    y = net.tensor([batch, 3, units], 0.1)
    inputs = [x] + weights + [None] * 9 + [hidden, state] + [None] * 4
    if present is not None:
        inputs[present] = weights[0]
    net.inputs, net.outputs = [x], [y]
    net.operator(
        "UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, [y], "UnidirectionalSequenceLSTMOptions",
        fused_activation_function=activation,
    )
    return net


@case("expected a cell without peepholes, but got input 10")
def lstm_peephole():
    return lstm(10)


@case("expected a cell without a projection, but got input 16")
def lstm_projection():
    return lstm(16)


@case("expected a cell without a normalisation, but got input 21")
def lstm_normalization():
    return lstm(21)


@case("expected the activation to be tanh, but got 1")
def lstm_activation():
    return lstm(activation="RELU")


@case("expected the cell tensor 10 't10' at byte N to be int16 of zero point 0, but got int8")
def lstm_cell():
    return lstm(cell="INT8")


@case("expected one batch of 2 cells, but got a state of 4")
def lstm_batch():
    return lstm(batch=2)


@case("expected bias tensor 1 't1' at byte N to be a constant of 2 int32, but got int8")
def lstm_bias():
    return lstm(12)
