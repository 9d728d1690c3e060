# SPDX-License-Identifier: Apache-2.0
#
# onnx_networks.py write|tanh|dilation|pool|flat FILE.tflite
# onnx_networks.py check MODEL.onnx INPUT.npy OUTPUT.npy
#
# Writes a network of all operators that test/Benchmark/qdq.py takes, with an input beside
# it, or one that it does not take; or computes a model by what ONNX defines its operators
# to be, in double precision, and compares the result with that of the network.

import os
import random
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "Import", "Inputs"))
from tflite import Network

TYPES = {1: "float32", 2: "uint8", 3: "int8", 6: "int32", 7: "int64"}


def write(path):
    random.seed(1)
    network = Network()

    def constant(shape, scale):
        size = int(numpy.prod(shape))
        data = [random.randint(-90, 90) for _ in range(size)]
        channels = shape[-1 if shape[0] == 1 else 0]
        scales = [scale * (1 + i / 8) for i in range(channels)]
        return network.tensor(shape, scales, 0, "INT8", data,
                              axis=len(shape) - 1 if shape[0] == 1 else 0)

    def bias(weights, scale):
        size = len(weights.scale)
        return network.tensor([size], [scale * each for each in weights.scale], 0, "INT32",
                              [random.randint(-500, 500) for _ in range(size)])

    image = network.tensor([1, 9, 7, 3], 0.02, 128, "UINT8")
    x = network.tensor([1, 9, 7, 3], 0.02, 0)
    network.operator("QUANTIZE", [image], [x])
    for name, shape, out, stride, padding, options in (
        ("CONV_2D", [8, 3, 3, 3], [1, 5, 4, 8], 2, "SAME",
         {"type": "Conv2DOptions", "fused_activation_function": "RELU"}),
        ("CONV_2D", [6, 1, 1, 8], [1, 5, 4, 6], 1, "VALID",
         {"type": "Conv2DOptions", "fused_activation_function": "RELU6"}),
        ("DEPTHWISE_CONV_2D", [1, 3, 3, 6], [1, 5, 4, 6], 1, "SAME", {"type": "DepthwiseConv2DOptions", "depth_multiplier": 1}),
        ("DEPTHWISE_CONV_2D", [1, 2, 2, 6], [1, 2, 2, 6], 2, "VALID", {"type": "DepthwiseConv2DOptions", "depth_multiplier": 1}),
    ):
        weights = constant(shape, 0.01)
        y = network.tensor(out, 0.05, -3)
        network.operator(name, [x, weights, bias(weights, x.scale)], [y],
                         options.pop("type"),
                         padding=padding, stride_w=stride, stride_h=stride, **options)
        x = y
    total = network.tensor([1, 2, 2, 6], 0.09, 5)
    network.operator("ADD", [x, x], [total], "AddOptions")
    mean = network.tensor([1, 1, 1, 6], 0.09, 5)
    network.operator("AVERAGE_POOL_2D", [total], [mean], "Pool2DOptions", padding="VALID",
                     stride_w=1, stride_h=1, filter_width=2, filter_height=2)
    flat = network.tensor([1, 6], 0.09, 5)
    network.operator("RESHAPE", [mean], [flat], "ReshapeOptions", new_shape=[1, 6])
    weights = network.tensor([4, 6], 0.02, 0, "INT8", [random.randint(-90, 90) for _ in range(24)])
    sums = network.tensor([4], 0.02 * flat.scale, 0, "INT32", [300, -200, 0, 100])
    dense = network.tensor([1, 4], 0.05, -10)
    network.operator("FULLY_CONNECTED", [flat, weights, sums], [dense], "FullyConnectedOptions")
    result = network.tensor([1, 4], 1 / 256, -128)
    network.operator("SOFTMAX", [dense], [result], "SoftmaxOptions", beta=1.0)
    network.inputs, network.outputs = [image], [result]
    network.write(path)
    pixels = [random.randint(0, 255) for _ in range(image.size())]
    numpy.save(os.path.splitext(path)[0] + ".npy",
               numpy.array(pixels, "uint8").reshape(image.shape))


def write_tanh(path):
    network = Network()
    x, y = (network.tensor([1, 4], 1 / 128, 0) for _ in range(2))
    network.operator("TANH", [x], [y])
    network.inputs, network.outputs = [x], [y]
    network.write(path)


def write_dilation(path):
    network = Network()
    x, y = (network.tensor([1, 4, 4, 1], 1 / 128, 0) for _ in range(2))
    weights = network.tensor([1, 2, 2, 1], 1 / 128, 0, "INT8", [1, 2, 3, 4])
    bias = network.tensor([1], 1 / 16384, 0, "INT32", [0])
    network.operator("CONV_2D", [x, weights, bias], [y], "Conv2DOptions", padding="SAME",
                     stride_w=1, stride_h=1, dilation_w_factor=2, dilation_h_factor=2)
    network.inputs, network.outputs = [x], [y]
    network.write(path)


def write_pool(path):
    network = Network()
    x, y = network.tensor([1, 7, 7, 2], 1 / 128, 0), network.tensor([1, 1, 1, 2], 1 / 128, 0)
    network.operator("AVERAGE_POOL_2D", [x], [y], "Pool2DOptions", padding="VALID", stride_w=2,
                     stride_h=2, filter_width=6, filter_height=6)
    network.inputs, network.outputs = [x], [y]
    network.write(path)


def write_flat(path):
    network = Network()
    x, y = network.tensor([1, 2, 2, 6], 1 / 128, 0), network.tensor([1, 24], 1 / 128, 0)
    network.operator("RESHAPE", [x], [y], "ReshapeOptions", new_shape=[1, 24])
    network.inputs, network.outputs = [x], [y]
    network.write(path)


def fields(message):
    """Numbers and values of the fields of a protobuf message, in their order."""
    place = 0

    def varint():
        nonlocal place
        value = shift = 0
        while True:
            byte = message[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(message):
        key = varint()
        if key & 7 == 2:
            size = varint()
            yield key >> 3, message[place:place + size]
            place += size
        else:
            value = varint()
            yield key >> 3, value - (1 << 64) if value >> 63 else value


def convolve(x, weights, bias, group, kernel_shape, strides, pads):
    assert list(weights.shape[2:]) == kernel_shape
    x = numpy.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    height, width = (
        (x.shape[axis] - kernel_shape[axis - 2]) // strides[axis - 2] + 1 for axis in (2, 3))
    out = numpy.zeros((1, len(weights), height, width))
    inputs, outputs = x.shape[1] // group, len(weights) // group
    for channel in range(len(weights)):
        first = channel // outputs * inputs
        for i, j in numpy.ndindex(height, width):
            part = x[0, first:first + inputs, i * strides[0]:, j * strides[1]:]
            part = part[:, :kernel_shape[0], :kernel_shape[1]]
            out[0, channel, i, j] = (part * weights[channel]).sum() + bias[channel]
    return out


def quantize(x, scale, zero):
    range_ = numpy.iinfo(zero.dtype)
    return numpy.clip(numpy.round(x / scale) + zero, range_.min, range_.max).astype(zero.dtype)


def dequantize(x, scale, zero, axis=1):
    shape = [1] * x.ndim
    if scale.ndim:
        shape[axis] = len(scale)
    return (x - zero.astype(float).reshape(shape if scale.ndim else ())) * scale.reshape(
        shape if scale.ndim else ())


def softmax(x, axis):
    powers = numpy.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


OPERATORS = {
    "QuantizeLinear": quantize,
    "DequantizeLinear": dequantize,
    "Conv": convolve,
    "Gemm": lambda a, b, c, transB: a @ b.T + c,
    "Add": lambda a, b: a + b,
    "Relu": lambda x: numpy.maximum(x, 0),
    "Clip": numpy.clip,
    "GlobalAveragePool": lambda x: x.mean(axis=(2, 3), keepdims=True),
    "Reshape": lambda x, shape: x.reshape(shape),
    "Softmax": softmax,
}


def evaluate(model, image):
    graph = dict(fields(model))[7]
    values, output = {}, None
    for number, message in fields(graph):
        if number == 5:
            parts = list(fields(message))
            shape = [value for field, value in parts if field == 1]
            parts = dict(parts)
            values[parts[8]] = numpy.frombuffer(parts[9], TYPES[parts[2]]).reshape(shape)
        elif number == 11:
            values[dict(fields(message))[1]] = image
        elif number == 12:
            output = dict(fields(message))[1]
    for number, message in fields(graph):
        if number != 1:
            continue
        inputs, attributes = [], {}
        for field, value in fields(message):
            if field == 1:
                inputs.append(values[value])
            elif field == 5:
                parts = list(fields(value))
                name = dict(parts)[1].decode()
                single = [v for f, v in parts if f == 3]
                attributes[name] = single[0] if single else [v for f, v in parts if f == 8]
        node = dict(fields(message))
        values[node[2]] = OPERATORS[node[4].decode()](*inputs, **attributes)
    return values[output]


def check(model, image, expected):
    with open(model, "rb") as file:
        model = file.read()
    found = evaluate(model, numpy.load(image).transpose(0, 3, 1, 2))
    expected = numpy.load(expected)
    if found.dtype == "uint8":
        expected = (expected.astype(int) + 128).astype("uint8")
    assert found.shape == expected.shape and found.dtype == expected.dtype
    print("differs by", abs(found.astype(int) - expected.astype(int)).max(), "of",
          expected.astype(int).max() - expected.astype(int).min())


{"write": write, "tanh": write_tanh, "dilation": write_dilation, "pool": write_pool, "flat": write_flat,
 "check": check}[sys.argv[1]](*sys.argv[2:])
