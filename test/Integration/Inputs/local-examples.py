# SPDX-License-Identifier: Apache-2.0
"""local-examples.py MLI_RUN FOLDER [--target T]... FILE...: examples in local memory.

Of each `mlir` block of the files, such as the pages of operations, every function on
tensors runs on arbitrary codes, in system memory and in the local memory of each
target, and all bytes of the results are compared. Functions that mli-run does not
take are counted.
"""

import argparse
import os
import random
import re
import shutil
import struct
import subprocess
import sys

FENCE = re.compile(r"^ *```mlir *\n(.*?)^ *```", re.M | re.S)
ALIAS = re.compile(r"^(!\w+) = (.*?)(?=^!|^func|^module|^#|\Z)", re.M | re.S)
HEAD = re.compile(r"func\.func @(\w+)\((.*?)\)\s*->", re.S)
TENSOR = re.compile(r"tensor<((?:\d+x)*)(!mli\.\w+|\w+)")
CODES = {"!mli.fx8": "b", "!mli.sa8": "b", "!mli.fx16": "h", "!mli.sa32": "i",
         "i8": "b", "i16": "h", "i32": "i", "f32": "f"}
DTYPES = {"b": "|i1", "h": "<i2", "i": "<i4", "f": "<f4"}
TARGETS = ["vpx", "bm1684", "custom,npus=4,npu-bytes=16384"]


def write_npy(path, shape, code, chance):
    count = 1
    for extent in shape:
        count *= extent
    size = 8 * struct.calcsize(code)
    values = [chance.uniform(-2, 2) if code == "f"
              else chance.getrandbits(size) - (1 << (size - 1))
              for _ in range(count)]
    text = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (
        DTYPES[code], text)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode() + struct.pack("<%d%s" % (count, code), *values))


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)


def functions(text):
    """Names and the shapes and codes of arguments of functions on tensors."""
    for alias, meaning in reversed(ALIAS.findall(text)):
        text = re.sub(re.escape(alias) + r"\b", lambda _: meaning.strip(), text)
    for name, arguments in HEAD.findall(text):
        tensors = TENSOR.findall(arguments)
        if "memref" in arguments or len(tensors) != arguments.count("%"):
            continue
        if all(element in CODES for _, element in tensors):
            yield name, [([int(extent) for extent in shape.split("x")[:-1]], CODES[element])
                         for shape, element in tensors]


def compare(options, path, name, arguments):
    """How many targets give other bytes; nothing if mli-run does not take it."""
    command = [options.tool, path, "--entry", name]
    for i, (shape, code) in enumerate(arguments):
        file = os.path.join(options.folder, "in_%d.npy" % i)
        write_npy(file, shape, code, random.Random("%s %d" % (name, i)))
        command += ["--input", "%d=%s" % (i, file)]
    folder = os.path.join(options.folder, name)
    # Of another function of that name.
    shutil.rmtree(folder, ignore_errors=True)
    if run(command + ["--output-dir", folder]).returncode != 0:
        return None
    for file in sorted(os.listdir(folder)):
        command += ["--compare", os.path.join(folder, file)]
    wrong = 0
    for target in options.target or TARGETS:
        done = run(command + ["--placement", "local", "--target", target, "--stats"])
        moved = "of the least" in done.stdout
        if done.returncode != 0:
            print("%s on %s: %s" % (name, target, done.stdout))
            wrong += 1
        elif not moved:
            return None
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", action="append")
    parser.add_argument("tool")
    parser.add_argument("folder")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    same = differ = left_out = 0
    for file in options.files:
        with open(file, encoding="utf-8") as page:
            blocks = FENCE.findall(page.read())
        for block in blocks:
            path = os.path.join(options.folder, "block.mlir")
            with open(path, "w", encoding="utf-8") as out:
                out.write(block)
            for name, arguments in functions(block):
                wrong = compare(options, path, name, arguments)
                if wrong is None:
                    print("%s: left out" % name)
                    left_out += 1
                    continue
                print("%s: %s" % (name, "differs" if wrong else "same bytes"))
                differ += wrong > 0
                same += wrong == 0
    print("%d functions the same, %d differ, %d without kernels to compare" % (
        same, differ, left_out))
    sys.exit(differ > 0)


main()
