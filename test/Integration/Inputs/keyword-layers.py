# SPDX-License-Identifier: Apache-2.0
#
# A network with state, layer by layer:
# keyword-layers.py MLI_RUN MLI_TRANSLATE MODELS FOLDER
#
# Computes the network in the integers of TFLite's reference kernels, which give
# the recorded outputs to the bit, and the recorded layers of a network of fully
# connected ones. Each layer of 8 bits then runs as a network of its own on the
# exact inputs, of all runs where it has state, and all of them together up to the
# softmax. Its publisher shuffled the weights: behind the first layer all
# saturates.

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../Import/Inputs"))
import fixedpoint as fp  # noqa: E402
from tflite import CODES, SCHEMA, read_npy, unpack, write_model, write_npy  # noqa: E402

NAME = "keyword_scrambled_8bit"


class Layer:
    """An operator with its tensors; what it computes keeps its state."""

    def __init__(self, model, op):
        graph = model["subgraphs"][0]
        self.model, self.op = model, op
        code = model["operator_codes"][op.get("opcode_index", 0)]
        number = max(code.get("deprecated_builtin_code", 0), code.get("builtin_code", 0))
        self.name = next(name for name, value in CODES.items() if value == number)
        self.inputs = [graph["tensors"][i] if i >= 0 else None for i in op["inputs"]]
        self.output = graph["tensors"][op["outputs"][0]]
        self.compute = getattr(self, self.name.lower())
        self.state = None

    def scale(self, tensor):
        return fp.float32(tensor["quantization"]["scale"][0])

    def zero(self, tensor):
        return tensor["quantization"].get("zero_point", [0])[0]

    def data(self, tensor):
        return unpack(tensor["type"], bytes(self.model["buffers"][tensor["buffer"]]["data"]))

    def give(self, values, factor, bits=8):
        return [fp.clamp(bits, fp.scaled(v, factor) + self.zero(self.output)) for v in values]

    def quantize(self, x):
        source = self.inputs[0]
        factor = fp.multiplier(self.scale(source) / self.scale(self.output))
        bits = {"INT8": 8, "INT32": 32}[self.output["type"]]
        return self.give([code - self.zero(source) for code in x], factor, bits)

    def fully_connected(self, x):
        source, weights, bias = self.inputs
        outputs, inputs = weights["shape"]
        w, b = self.data(weights), self.data(bias) if bias else [0] * outputs
        sums = [
            b[o] + sum((x[i] - self.zero(source)) * w[o * inputs + i] for i in range(inputs))
            for o in range(outputs)
        ]
        product = fp.float32(self.scale(source) * self.scale(weights))
        return self.give(sums, fp.multiplier(product / self.scale(self.output)))

    def svdf(self, x):
        source, features, time, bias, state = self.inputs
        filters, inputs = features["shape"]
        steps = time["shape"][1]
        w, t = self.data(features), self.data(time)
        b = self.data(bias) if bias else [0] * filters
        zero = self.zero(state)
        self.state = self.state or [[zero] * steps for _ in range(filters)]
        first = fp.multiplier(self.scale(source) * self.scale(features) / self.scale(state))
        second = fp.multiplier(self.scale(state) * self.scale(time) / self.scale(self.output))
        sums = []
        for f in range(filters):
            total = sum((x[i] - self.zero(source)) * w[f * inputs + i] for i in range(inputs))
            newest = fp.clamp(8, fp.scaled(total, first) + zero)
            self.state[f] = self.state[f][1:] + [newest]
            past = sum((self.state[f][k] - zero) * t[f * steps + k] for k in range(steps))
            sums.append(past + b[f])
        return self.give(sums, second)

    def softmax(self, x):
        return fp.softmax16(x, self.scale(self.inputs[0]), 1.0)

    def alone(self):
        """A network of this operator only."""
        graph = self.model["subgraphs"][0]
        return {
            **self.model,
            "subgraphs": [
                {**graph, "operators": [self.op], "inputs": self.op["inputs"][:1],
                 "outputs": self.op["outputs"]}
            ],
        }


def read_model(translate, path, folder):
    """What flatc prints, with scales to the last bit, which it rounds."""
    subprocess.run(
        ["flatc", "--json", "--strict-json", "--raw-binary", "-o", folder, SCHEMA, "--", path],
        check=True,
    )
    with open(os.path.join(folder, "model.json")) as file:
        model = json.load(file)
    done = subprocess.run([translate, "--inspect", "--json", path], check=True, stdout=subprocess.PIPE)
    tensors = json.loads(done.stdout)["tensors"]
    for tensor, exact in zip(model["subgraphs"][0]["tensors"], tensors):
        if "scales" in exact:
            tensor["quantization"]["scale"] = exact["scales"]
    return model


def run(tool, path, folder, tensor, values, is_stateful, *options):
    """The output for each run; only a network with state has a dimension for
    runs."""
    given = os.path.join(folder, "in.npy")
    command = [tool, path, "--output-dir", folder, "--input", given] + list(options)
    found = []
    for rows in [values] if is_stateful else [[row] for row in values]:
        leading = [len(rows)] if is_stateful else []
        write_npy(given, tensor["type"], leading + tensor["shape"], sum(rows, []))
        subprocess.run(command, check=True)
        found += read_npy(os.path.join(folder, "output_0.npy"))[1]
    return found


def inside(values):
    """The share of elements that no limit holds."""
    flat = sum(values, [])
    return sum(-128 < v < 127 for v in flat) / len(flat)


def check(tool, folder, index, layer, inputs, wanted):
    path = os.path.join(folder, "layer%d.tflite" % index)
    write_model(layer.alone(), path)
    is_stateful = layer.name == "SVDF"
    if not is_stateful:
        inputs, wanted = inputs[::5], wanted[::5]
    found = run(tool, path, folder, layer.inputs[0], inputs, is_stateful)
    distances = [abs(a - b) for a, b in zip(found, sum(wanted, []))]
    off = sum(d > 0 for d in distances)
    is_outside = max(distances) > 1 or off > max(1, 0.005 * len(found))
    print(
        "| %d | %s | %d | %.0f | %d | %.3f | %d |%s"
        % (
            index, layer.name, len(found), 100 * inside(wanted), off, 100 * off / len(found),
            max(distances), " outside" if is_outside else "",
        )
    )
    return is_outside


def check_integers(translate, models, folder):
    """How many recorded elements these integers do not give."""
    name = "hello_world_int8"
    model = read_model(translate, os.path.join(models, name, "model.tflite"), folder)
    records = os.path.join(models, name, "intermediate_single")
    (case,) = os.listdir(records)
    _, values = read_npy(os.path.join(models, name, "inputs", case + ".0.npy"))
    differing = 0
    files = sorted(os.listdir(os.path.join(records, case)))
    for record, op in zip(files, model["subgraphs"][0]["operators"]):
        values = Layer(model, op).compute(values)
        _, wanted = read_npy(os.path.join(records, case, record))
        differing += sum(a != b for a, b in zip(values, wanted))
    return differing


def main():
    tool, translate, models, folder = sys.argv[1:]
    wrong = check_integers(translate, models, folder)
    file = os.path.join(models, NAME, "model.tflite")
    model = read_model(translate, file, folder)
    operators = model["subgraphs"][0]["operators"]
    with open(os.path.join(models, "manifest.json")) as manifest:
        (network,) = [n for n in json.load(manifest)["models"] if n["name"] == NAME]
    print("| layer | operator | elements | % in range | differ | % | max |")
    print("|---|---|---|---|---|---|---|")
    ends = []
    for case in network["cases"]:
        layers = [Layer(model, op) for op in operators]
        (steps, _, width), x = read_npy(os.path.join(models, case["inputs"][0]))
        _, wanted = read_npy(os.path.join(models, case["expected_single_rounding"][0]))
        values = [[x[s * width : s * width + width] for s in range(steps)]]
        for layer in layers:
            values.append([layer.compute(row) for row in values[-1]])
        if case == network["cases"][0]:
            for i, layer in enumerate(layers):
                if layer.output["type"] == "INT8":
                    wrong += check(tool, folder, i, layer, values[i], values[i + 1])
        scores = run(
            tool, file, folder, layers[0].inputs[0], values[0], True,
            "--tflite-output=%d" % operators[-2]["inputs"][0],
        )
        exact = sum(values[-3], [])
        pairs = list(zip(scores[::2], scores[1::2], exact[::2], exact[1::2]))
        same = sum((a > b) == (p > q) for a, b, p, q in pairs)
        differing = sum(a != b for a, b in zip(sum(values[-1], []), wanted))
        wrong += differing + len(pairs) - same
        ends.append(
            "%s: %d of %d recorded outputs differ from the integers; scores differ by %d at "
            "most; %d of %d decisions are the reference's"
            % (
                case["name"], differing, len(wanted),
                max(abs(a - b) for a, b in zip(scores, exact)), same, len(pairs),
            )
        )
    print("\n" + "\n".join(ends))
    print("%d outside" % wrong)
    sys.exit(wrong > 0)


main()
