# SPDX-License-Identifier: Apache-2.0
#
# Runs every kernel on CHW maps, and on the same maps as HWC, and compares the
# bytes: chw-kernels.py MLI-RUN FOLDER

import itertools
import pathlib
import random
import struct
import subprocess
import sys


def write(path, shape, values):
    header = f"{{'descr': '<i2', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    path.write_bytes(data + struct.pack(f"<{len(values)}h", *values))


def read(path):
    data = path.read_bytes()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    return list(struct.unpack(f"<{(len(data) - start) // 2}h", data[start:]))


def to_chw(shape, values):
    """The values of a map of shape (h, w, c), channels first."""
    h, w, c = shape
    return [
        values[(y * w + x) * c + z]
        for z, y, x in itertools.product(range(c), range(h), range(w))
    ]


def module(kernel, chw):
    name, maps, out, weights, bias, rest = kernel

    def ordered(shape):
        return (shape[2], shape[0], shape[1]) if chw else shape

    def tensor(shape, bits):
        return f"tensor<{'x'.join(map(str, shape))}x!mli.fx16<{bits}>>"

    def constant(name, shape, bits):
        numbers = random.Random(name)
        count = 1
        for size in shape:
            count *= size
        codes = [numbers.randint(-3000, 3000) & 0xFFFF for _ in range(count)]
        text = "".join(struct.pack("<H", code).hex() for code in codes)
        plain = f"tensor<{'x'.join(map(str, shape))}xi16>"
        return (
            f'  %{name} = mli.constant dense<"0x{text}"> : {plain}'
            f" to {tensor(shape, bits)}\n"
        )

    bits = 10 if "pool" in name else 9
    source, result = tensor(ordered(maps), 10), tensor(ordered(out), bits)
    body, inputs, types = "", "%input", source
    if weights:
        body += constant("weights", weights, 14) + constant("bias", bias, 10)
        inputs += ", %weights, %bias"
        types += f", {tensor(weights, 14)}, {tensor(bias, 10)}"
    layout = "layout = #mli.map_layout<chw>" if chw else ""
    rest = rest.replace("@", layout + (", " if layout and "= " in rest else ""))
    return (
        f"func.func @main(%input: {source}) -> {result} {{\n{body}"
        f"  %init = tensor.empty() : {result}\n"
        f"  %0 = mli.{name} ins({inputs} : {types}) outs(%init : {result}) {rest}"
        f" -> {result}\n  return %0 : {result}\n}}\n"
    )


KERNELS = [
    ("conv2d", (8, 9, 3), (6, 5, 2), (3, 5, 3, 2), (2,), "pad [0, 0, 0, 0] {@}"),
    ("depthwise_conv2d", (8, 9, 2), (8, 9, 2), (3, 3, 1, 2), (2,),
     "pad [1, 1, 1, 1] {@}"),
    ("group_conv2d", (8, 9, 4), (6, 7, 6), (3, 3, 2, 6), (6,),
     "pad [0, 0, 0, 0] {@}"),
    ("transpose_conv2d", (8, 9, 3), (17, 19, 2), (3, 3, 3, 2), (2,),
     "pad [0, 0, 0, 0] {@strides = array<i64: 2, 2>}"),
    ("avepool", (8, 9, 3), (4, 3, 3), None, None,
     "kernel [2, 3] pad [0, 0, 0, 0] {@strides = array<i64: 2, 3>}"),
    ("maxpool", (8, 9, 3), (4, 3, 3), None, None,
     "kernel [2, 3] pad [0, 0, 0, 0] {@strides = array<i64: 2, 3>}"),
]


def run(tool, folder, kernel, chw, values):
    maps = kernel[1]
    shape = (maps[2], maps[0], maps[1]) if chw else maps
    (folder / "main.mlir").write_text(module(kernel, chw))
    write(folder / "in.npy", shape, to_chw(maps, values) if chw else values)
    subprocess.run(
        [tool, folder / "main.mlir", "--input", folder / "in.npy",
         "--output-dir", folder / "out"],
        check=True,
    )
    return read(folder / "out" / "output_0.npy")


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for kernel in KERNELS:
        numbers = random.Random(kernel[0])
        h, w, c = kernel[1]
        values = [numbers.randint(-32768, 32767) for _ in range(h * w * c)]
        expected = to_chw(kernel[2], run(tool, folder, kernel, False, values))
        actual = run(tool, folder, kernel, True, values)
        if actual != expected or len(set(actual)) < 8:
            sys.exit(f"{kernel[0]}: expected {expected}, but got {actual}")
        print(kernel[0], len(actual), "equal")


main()
