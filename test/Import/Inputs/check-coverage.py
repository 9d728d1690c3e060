# SPDX-License-Identifier: Apache-2.0
#
# Compares what the table of operators says with networks of one operator each:
# check-coverage.py MLI_TRANSLATE FOLDER. Their kernels are in its row, and all that
# compute it are met; element types are taken if they are in its row, and else
# refused; results are off by what it says at most; what no kernel computes is
# refused with what to do instead.

import collections
import json
import os
import random
import re
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../../.ci")]
sys.dont_write_bytecode = True
import coverage  # noqa: E402
from cases import SHARES  # noqa: E402
from networks import CASES  # noqa: E402
from tflite import FORMATS, Network  # noqa: E402

TYPES = ["INT8", "UINT8", "INT16", "INT32", "INT64", "FLOAT32"]
# Their constants are weights, which stay.
LAYERS = ["CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV", "FULLY_CONNECTED", "BATCH_MATMUL",
          "SVDF", "UNIDIRECTIONAL_SEQUENCE_LSTM"]


def inspect(tool, folder, net, *options):
    path = os.path.join(folder, "net.tflite")
    net.write(path)
    done = subprocess.run([tool, "--inspect", "--json", path, *options], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout)


def build(name):
    random.seed(name)
    return CASES[name]()[0]


def types_of(found, op):
    """The element types of what an operator reads first and of what it computes."""
    tensors = [found["tensors"][i] for i in op["inputs"][:1] + op["outputs"] if i >= 0]
    return {tensor["type"] for tensor in tensors}


def check_kernels(rows, tool, folder):
    met, wrong = collections.defaultdict(set), []
    for case in CASES:
        found = inspect(tool, folder, build(case))
        for op in found["operators"]:
            name, row = op["operator"], rows[op["operator"]]
            is_wide = "int16" in types_of(found, op)
            known = row.wide if is_wide else row.kernels
            kernels = {kernel.split(".")[1] for kernel in op["kernels"]}
            met[name, is_wide] |= kernels
            if op["state"] != "imported" or kernels - {*known.main, *known.around}:
                wrong.append("%s: %s has kernels %s" % (case, name, sorted(kernels)))
    networks = set(met)
    for name, row in rows.items():
        if row.function and not any((name, is_wide) in networks for is_wide in (False, True)):
            wrong.append("%s: no network has it" % name)
        for is_wide, known in ((False, row.kernels), (True, row.wide)):
            missing = set(known.main) - met[name, False] - met[name, True]
            if (name, is_wide) in networks and missing:
                wrong.append("%s: no network has its kernels %s" % (name, sorted(missing)))
    return wrong


def retype(net, type):
    """Changes the element type of all activations."""
    is_layer = any(name in LAYERS for name in net.names)
    for graph in net.graphs:
        for tensor in graph.tensors:
            is_constant = tensor["buffer"] != 0
            old = tensor["type"]
            if is_layer and is_constant:
                # Sums of products with 16 bits have 64.
                if type == "INT16" and old == "INT32":
                    store(net, tensor, "INT64", 0)
                continue
            if old not in ("INT8", "UINT8") or old == type:
                continue
            form = tensor.get("quantization")
            shift = {"UINT8": 128, "INT8": -128}.get(type, 0)
            if is_constant:
                store(net, tensor, type, shift)
            tensor["type"] = type
            if form and type in ("INT8", "UINT8"):
                form["zero_point"] = [zero + shift for zero in form["zero_point"]]
            elif form and type == "INT16":
                form.update(scale=[2.0**-11], zero_point=[0])
            elif form:
                del tensor["quantization"]
    return net


def store(net, tensor, type, shift):
    """Stores a constant in another type."""
    buffer = net.buffers[tensor["buffer"]]
    size = struct.calcsize(FORMATS[tensor["type"]])
    values = struct.unpack(
        "<%d%s" % (len(buffer["data"]) // size, FORMATS[tensor["type"]]), bytes(buffer["data"])
    )
    packed = struct.pack("<%d%s" % (len(values), FORMATS[type]), *(v + shift for v in values))
    buffer["data"] = list(packed)
    tensor["type"] = type


def check_types(rows, tool, folder):
    """Each operator in the first network that has it."""
    first, wrong = {}, []
    for case in CASES:
        for name in build(case).names:
            first.setdefault(name, case)
    for type in TYPES:
        for case in sorted(set(first.values())):
            net = retype(build(case), type)
            for op in inspect(tool, folder, net, "--float=keep", "--cut=none")["operators"]:
                name = op["operator"]
                taken = op["state"] == "imported"
                if first.get(name) == case and taken != (type.lower() in rows[name].elements):
                    wrong.append("%s of %s: %s %s" % (name, type, op["state"], op.get("reason", "")))
    return wrong


def numbers(row, is_wide):
    """By how many steps a row says that results are off, and of how many elements."""
    parts = [part.strip() for part in row.off.split(";")]
    wide = [part for part in parts if part.startswith("int16")]
    narrow = [part for part in parts if not part.startswith("int16")]
    text = "; ".join(wide if is_wide and wide else narrow).replace("int16", "")
    share = re.search(r"([\d.]+) %", text)
    steps = re.findall(r"\d+", re.sub(r"in [^;]*%", "", text))
    return max(map(int, steps), default=0), share and float(share[1]) / 100


def check_differences(rows, tool, folder):
    """A row allows what the cases of its operator allow, which another test holds to."""
    wrong = []
    for case in CASES:
        random.seed(case)
        net, _, tolerance = CASES[case]()
        if len(net.names) > 1:
            continue
        (name,) = net.names
        is_wide = any(tensor.type == "INT16" for tensor in net.inputs + net.outputs)
        steps, share = numbers(rows[name], is_wide)
        # Of 16 bits any share may be off.
        if tolerance > steps or (not is_wide and share != SHARES.get(name)):
            wrong.append("%s: %s in %s, but '%s'" % (case, tolerance, SHARES.get(name), rows[name].off))
    return wrong


def check_refused(rows, tool, folder):
    """All in one network."""
    names = [name for name, row in rows.items() if not row.function and name != "CUSTOM"]
    net = Network()
    tensors = [net.tensor([1, 8], 0.1) for _ in range(len(names) + 1)]
    net.inputs, net.outputs = tensors[:1], tensors[-1:]
    for name, source, result in zip(names, tensors, tensors[1:]):
        net.operator(name, [source], [result])
    operators = inspect(tool, folder, net, "--cut=none")["operators"]
    return [
        "%s: %s" % (name, op)
        for name, op in zip(names, operators)
        if op.get("reason") != "no kernel computes it; " + rows[name].note
    ]


def main():
    tool, folder = sys.argv[1:]
    rows = {row.name: row for row in coverage.rows(coverage.TFLITE)}
    wrong = 0
    for check in (check_kernels, check_types, check_differences, check_refused):
        found = check(rows, tool, folder)
        wrong += len(found)
        print("\n".join(found + ["%s: %d wrong" % (check.__name__, len(found))]))
    sys.exit(wrong > 0)


main()
