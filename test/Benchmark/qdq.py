# SPDX-License-Identifier: Apache-2.0
"""qdq.py MLI_TRANSLATE NETWORK.tflite OUTPUT.onnx [--unsigned]

Writes an int8 network as an ONNX model with QuantizeLinear and DequantizeLinear
around float operators, as exporters write quantised networks and ONNX Runtime fuses
them. Feature maps are NCHW, the model's input too; scales and zero points are those of the
network. With `--unsigned` all int8 but constants are uint8, 128 higher: which of both
is faster depends on the network.
"""

import json
import struct
import subprocess
import sys

import numpy

TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}
# Of TFLite's ActivationFunctionType.
RELU, RELU6 = 1, 3
INFINITY = float("inf")
LIMITS = {0: (-INFINITY, INFINITY), RELU: (0, INFINITY), RELU6: (0, 6)}


def varint(value):
    text = bytearray()
    while value > 127:
        text.append(value & 127 | 128)
        value >>= 7
    text.append(value)
    return bytes(text)


def number(field, value):
    return varint(field << 3) + varint(value & (1 << 64) - 1)


def text(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def attribute(name, value):
    if isinstance(value, list):
        return text(1, name) + b"".join(number(8, v) for v in value) + number(20, 7)
    return text(1, name) + number(3, value) + number(20, 2)


class Graph:
    """A graph of protobuf messages; names of values are those of its lines."""

    def __init__(self):
        self.nodes, self.constants, self.count = [], [], 0

    def constant(self, values, type):
        values = numpy.asarray(values, type)
        self.count += 1
        name = f"constant{self.count}"
        self.constants.append(
            b"".join(number(1, size) for size in values.shape)
            + number(2, TYPES[type]) + text(8, name) + text(9, values.tobytes()))
        return name

    def add(self, operator, inputs, **attributes):
        self.count += 1
        name = f"value{self.count}"
        self.nodes.append(
            b"".join(text(1, value) for value in inputs) + text(2, name)
            + text(3, name) + text(4, operator)
            + b"".join(text(5, attribute(*pair)) for pair in attributes.items()))
        return name

    def write(self, path, inputs, outputs):
        def value(name, type, shape):
            sizes = b"".join(text(1, number(1, size)) for size in shape)
            tensor = number(1, TYPES[type]) + text(2, sizes)
            return text(1, name) + text(2, text(1, tensor))

        graph = (b"".join(text(1, node) for node in self.nodes) + text(2, "network")
                 + b"".join(text(5, constant) for constant in self.constants)
                 + b"".join(text(11, value(*each)) for each in inputs)
                 + b"".join(text(12, value(*each)) for each in outputs))
        with open(path, "wb") as file:
            file.write(number(1, 8) + text(7, graph) + text(8, text(1, "") + number(2, 13)))


def window(input, output, kernel, stride, is_same):
    """Padding before and after an axis."""
    padding = max((output - 1) * stride + kernel - input, 0) if is_same else 0
    return padding // 2, padding - padding // 2


class FlatBuffer:
    """What JSON is without: the options of operators, and the bytes of constants."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()

    def word(self, place):
        return struct.unpack_from("<I", self.bytes, place)[0]

    def place(self, table, field):
        """Where a table has a field; 0 if it has not."""
        layout = table - struct.unpack_from("<i", self.bytes, table)[0]
        if 4 + 2 * field >= struct.unpack_from("<H", self.bytes, layout)[0]:
            return 0
        offset = struct.unpack_from("<H", self.bytes, layout + 4 + 2 * field)[0]
        return table + offset if offset else 0

    def field(self, table, field, default=0, format="<I"):
        place = self.place(table, field)
        return struct.unpack_from(format, self.bytes, place)[0] if place else default

    def target(self, place):
        return place + self.word(place)

    def options(self, operator):
        """The table of an operator's options; null if it has none."""
        place = self.place(operator, 4)
        return self.target(place) if place else None

    def buffer(self, index):
        """Where the bytes of a buffer of the model begin."""
        buffers = self.target(self.place(self.target(0), 4))
        buffer = self.target(buffers + 4 + 4 * index)
        return self.target(self.place(buffer, 0)) + 4


class Network:
    def __init__(self, translate, path, is_unsigned):
        described = subprocess.run([translate, "--inspect", "--json", path],
                                   capture_output=True, text=True)
        if described.returncode != 0:
            raise ValueError(described.stderr.strip())
        self.network = json.loads(described.stdout)
        for tensor in self.network["tensors"]:
            if is_unsigned and tensor["type"] == "int8" and not tensor["constant"]:
                tensor["type"] = "uint8"
                tensor["zero_points"] = [zero + 128 for zero in tensor["zero_points"]]
        self.file = FlatBuffer(path)
        self.graph, self.names = Graph(), {}

    def tensor(self, index):
        return self.network["tensors"][index]

    def shape(self, index):
        """As ONNX has it: NCHW."""
        shape = self.tensor(index)["shape"]
        return [shape[i] for i in (0, 3, 1, 2)] if len(shape) == 4 else shape

    def values(self, index):
        """The elements of a constant."""
        tensor = self.tensor(index)
        start = self.file.buffer(self.file.field(tensor["offset"], 2))
        count = int(numpy.prod(tensor["shape"]))
        return numpy.frombuffer(self.file.bytes, tensor["type"], count,
                                start).reshape(tensor["shape"])

    def quantization(self, index):
        tensor = self.tensor(index)
        scales, zeros, type = tensor["scales"], tensor["zero_points"], tensor["type"]
        if len(scales) == 1:
            scales, zeros = scales[0], zeros[0]
        return self.graph.constant(scales, "float32"), self.graph.constant(zeros, type)

    def dequantize(self, index):
        if index not in self.names:
            raise ValueError(f"expected tensor {index} not to be a constant")
        return self.graph.add("DequantizeLinear",
                              [self.names[index], *self.quantization(index)])

    def quantize(self, value, index):
        self.names[index] = self.graph.add("QuantizeLinear",
                                           [value, *self.quantization(index)])

    def constant(self, index, values):
        name = self.graph.constant(values, self.tensor(index)["type"])
        return self.graph.add("DequantizeLinear", [name, *self.quantization(index)],
                              axis=0)

    def option(self, operator, field, default=0, format="<i"):
        options = self.file.options(operator["offset"])
        return self.file.field(options, field, default, format) if options else default

    def inputs(self, operator):
        """Those that are there: a bias may be left out."""
        return [index for index in operator["inputs"] if index >= 0]

    def window(self, operator, kernel, dilation):
        """Attributes of a convolution; `dilation` is the field of that of width."""
        input, output = operator["inputs"][0], operator["outputs"][0]
        for field in (dilation, dilation + 1):
            factor = self.option(operator, field, 1)
            if factor != 1:
                raise ValueError(f"expected a convolution without dilation, but got {factor}")
        is_same = self.option(operator, 0, format="<b") == 0
        strides = [self.option(operator, 2), self.option(operator, 1)]
        height, width = (
            window(self.shape(input)[axis + 2], self.shape(output)[axis + 2],
                   kernel[axis], strides[axis], is_same) for axis in (0, 1))
        return {"kernel_shape": list(kernel), "strides": strides,
                "pads": [height[0], width[0], height[1], width[1]]}

    def convolve(self, operator, is_depthwise):
        inputs = self.inputs(operator)
        weights = self.values(inputs[1])
        # Channels of a depthwise convolution are innermost, of others outermost.
        weights = weights.transpose((3, 0, 1, 2) if is_depthwise else (0, 3, 1, 2))
        channels = self.shape(inputs[0])[1]
        operands = [self.dequantize(inputs[0]), self.constant(inputs[1], weights)]
        operands += [self.constant(i, self.values(i)) for i in inputs[2:]]
        value = self.graph.add("Conv", operands, group=channels if is_depthwise else 1,
                               **self.window(operator, weights.shape[2:],
                                             5 if is_depthwise else 4))
        return self.activate(operator, value, 4 if is_depthwise else 3)

    def activate(self, operator, value, field):
        """The activation of that field, if the type of the result is not enough."""
        activation = self.option(operator, field, format="<b")
        if activation not in LIMITS:
            raise ValueError(f"expected ReLU or ReLU6, but got activation {activation}")
        result = self.tensor(operator["outputs"][0])
        scale, zero = result["scales"][0], result["zero_points"][0]
        codes = numpy.iinfo(result["type"])
        least, most = LIMITS[activation]
        if (codes.min - zero + 0.5) * scale >= least and (
                codes.max - zero - 0.5) * scale <= most:
            return value
        if activation == RELU:
            return self.graph.add("Relu", [value])
        return self.graph.add("Clip", [value, self.graph.constant(least, "float32"),
                                       self.graph.constant(most, "float32")])

    def reshape(self, value, output):
        shape = self.graph.constant(self.shape(output), "int64")
        return self.graph.add("Reshape", [value, shape])

    def flatten(self, operator):
        """A reshape that has the same order in NCHW as in NHWC."""
        tensors = operator["inputs"][0], operator["outputs"][0]
        for shape in map(self.shape, tensors):
            if len(shape) == 4 and shape[1] > 1 and shape[2] * shape[3] > 1:
                raise ValueError(f"expected maps of one pixel or channel, but got {shape}")
        return self.reshape(self.dequantize(tensors[0]), tensors[1])

    def average(self, operator):
        """The average of a whole map."""
        input, output = operator["inputs"][0], operator["outputs"][0]
        size = self.shape(input)[2:]
        if operator["operator"] == "MEAN":
            found = sorted(self.values(operator["inputs"][1]).tolist())
            expected = [1, 2]
        else:
            found, expected = [self.option(operator, field) for field in (4, 3)], size
        if len(size) != 2 or found != expected or self.shape(output)[2:] not in ([], [1, 1]):
            raise ValueError(f"expected an average of {expected}, but got one of {found}")
        mean = self.graph.add("GlobalAveragePool", [self.dequantize(input)])
        if operator["operator"] != "MEAN":
            mean = self.activate(operator, mean, 5)
        return mean if len(self.shape(output)) == 4 else self.reshape(mean, output)

    def softmax(self, operator):
        beta = self.option(operator, 0, 0.0, "<f")
        if beta != 1:
            raise ValueError(f"expected a softmax of beta 1, but got {beta}")
        return self.graph.add("Softmax", [self.dequantize(operator["inputs"][0])], axis=-1)

    def connect(self, operator):
        """A fully connected layer, whose input is a list."""
        inputs = self.inputs(operator)
        if len(self.shape(inputs[0])) != 2:
            raise ValueError(f"expected an input of rank 2, but got {self.shape(inputs[0])}")
        constants = [self.constant(i, self.values(i)) for i in inputs[1:]]
        value = self.graph.add("Gemm", [self.dequantize(inputs[0]), *constants], transB=1)
        return self.activate(operator, value, 0)

    def convert(self, operator):
        kind, inputs = operator["operator"], operator["inputs"]
        if kind in ("CONV_2D", "DEPTHWISE_CONV_2D"):
            value = self.convolve(operator, kind == "DEPTHWISE_CONV_2D")
        elif kind == "FULLY_CONNECTED":
            value = self.connect(operator)
        elif kind == "ADD":
            value = self.graph.add("Add", [self.dequantize(i) for i in inputs])
            value = self.activate(operator, value, 0)
        elif kind in ("AVERAGE_POOL_2D", "MEAN"):
            value = self.average(operator)
        elif kind == "RESHAPE":
            value = self.flatten(operator)
        elif kind == "SOFTMAX":
            value = self.softmax(operator)
        elif kind == "QUANTIZE":
            value = self.dequantize(inputs[0])
        else:
            raise ValueError(f"expected an operator that has a counterpart, but got {kind}")
        self.quantize(value, operator["outputs"][0])

    def write(self, path):
        inputs = self.network["inputs"]
        for index in inputs:
            self.names[index] = f"input{index}"
        for operator in self.network["operators"]:
            self.convert(operator)

        def described(indices):
            return [(self.names[i], self.tensor(i)["type"], self.shape(i))
                    for i in indices]
        self.graph.write(path, described(inputs), described(self.network["outputs"]))


def main():
    paths = [argument for argument in sys.argv[1:] if argument != "--unsigned"]
    if len(paths) != 3:
        sys.exit(__doc__)
    try:
        Network(*paths[:2], "--unsigned" in sys.argv).write(paths[2])
    except (ValueError, OSError) as error:
        sys.exit(f"qdq.py: error: {error}")


main()
