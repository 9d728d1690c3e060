# SPDX-License-Identifier: Apache-2.0
#
# Writes small .tflite files: tensors and operators in Python, JSON for flatc.

import json
import os
import struct
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMA = os.path.join(HERE, "../../../lib/Import/Model/TFLite.fbs")
FORMATS = {"INT8": "b", "UINT8": "B", "INT16": "h", "INT32": "i", "INT64": "q", "FLOAT32": "f"}
CODES = {
    line.split("(")[1].split(",")[0]: number
    for number, line in enumerate(
        line
        for line in open(os.path.join(HERE, "../../../lib/Import/Model/TFLiteOperators.def"))
        if line.startswith("MLI_TFLITE_")
    )
}


class Tensor:
    """A tensor of a network: its place in it, and what a reference needs."""

    def __init__(self, index, shape, type, scale, zero, data):
        self.index, self.shape, self.type = index, list(shape), type
        self.scale, self.zero, self.data = scale, zero, data

    def size(self):
        count = 1
        for extent in self.shape:
            count *= extent
        return count


class Network:
    """Inputs and outputs are tensors; operators run in the order given. One with
    a `parent` is a further graph of its file."""

    def __init__(self, parent=None):
        self.tensors, self.operators, self.graphs = [], [], [self]
        self.buffers, self.codes = (parent.buffers, parent.codes) if parent else ([{}], [])
        if parent:
            parent.graphs.append(self)
        # As they were asked for.
        self.names = []
        self.inputs, self.outputs = [], []
        # How many runs inputs are for, where state goes from one to the next.
        self.steps = None

    def tensor(
        self, shape, scale=None, zero=0, type="INT8", data=None, axis=0, variable=False, name=None
    ):
        index = len(self.tensors)
        buffer = 0
        if data is not None:
            packed = struct.pack("<%d%s" % (len(data), FORMATS[type]), *data)
            buffer = len(self.buffers)
            self.buffers.append({"data": list(packed)})
        entry = {
            "shape": list(shape),
            "type": type,
            "buffer": buffer,
            "name": name or "t%d" % index,
            "is_variable": variable,
        }
        if scale is not None:
            scales = scale if isinstance(scale, list) else [scale]
            zeros = zero if isinstance(zero, list) else [zero] * len(scales)
            entry["quantization"] = {
                "scale": scales,
                "zero_point": zeros,
                "quantized_dimension": axis,
            }
        self.tensors.append(entry)
        return Tensor(index, shape, type, scale, zero, data)

    def operator(self, name, inputs, outputs, options=None, **fields):
        """One that TFLite does not have is a custom operator."""
        self.names.append(name)
        code = CODES.get(name, name)
        if code not in self.codes:
            self.codes.append(code)
        entry = {
            "opcode_index": self.codes.index(code),
            "inputs": [-1 if t is None else t.index for t in inputs],
            "outputs": [t.index for t in outputs],
        }
        if options:
            entry["builtin_options_type"] = options
            entry["builtin_options"] = fields
        self.operators.append(entry)

    def describe(self):
        return {
            "version": 3,
            "operator_codes": [
                {"deprecated_builtin_code": min(code, 127), "builtin_code": code}
                if isinstance(code, int)
                else {
                    "deprecated_builtin_code": CODES["CUSTOM"],
                    "builtin_code": CODES["CUSTOM"],
                    "custom_code": code,
                }
                for code in self.codes
            ],
            "subgraphs": [
                {
                    "tensors": graph.tensors,
                    "inputs": [t.index for t in graph.inputs],
                    "outputs": [t.index for t in graph.outputs],
                    "operators": graph.operators,
                    "name": "graph_%d" % i if i else "main",
                }
                for i, graph in enumerate(self.graphs)
            ],
            "buffers": self.buffers,
        }

    def write(self, path):
        write_model(self.describe(), path)


def write_model(model, path):
    stem = os.path.splitext(path)[0]
    with open(stem + ".json", "w") as file:
        json.dump(model, file)
    folder = os.path.dirname(path) or "."
    subprocess.run(
        ["flatc", "--binary", "--strict-json", "-o", folder, SCHEMA, stem + ".json"], check=True
    )


def unpack(type, data):
    """Elements, little endian."""
    count = len(data) // struct.calcsize(FORMATS[type])
    return list(struct.unpack("<%d%s" % (count, FORMATS[type]), data))


def write_npy(path, type, shape, values):
    code = {"INT8": "|i1", "UINT8": "|u1", "INT16": "<i2", "INT32": "<i4", "FLOAT32": "<f4"}[type]
    text = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (
        code,
        "".join("%d, " % extent for extent in shape),
    )
    text += " " * ((64 - (len(text) + 11) % 64) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode())
        file.write(struct.pack("<%d%s" % (len(values), FORMATS[type]), *values))


def read_npy(path):
    """The shape and the elements of a file of version 1.0."""
    with open(path, "rb") as file:
        content = file.read()
    (length,) = struct.unpack_from("<H", content, 8)
    header = eval(content[10 : 10 + length].decode(), {"__builtins__": {}})
    format = {"i1": "b", "u1": "B", "i2": "h", "i4": "i", "f4": "f", "i8": "q"}[header["descr"][1:]]
    data = content[10 + length :]
    count = len(data) // struct.calcsize(format)
    return list(header["shape"]), list(struct.unpack("<%d%s" % (count, format), data))
