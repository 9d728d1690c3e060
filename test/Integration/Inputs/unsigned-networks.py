# SPDX-License-Identifier: Apache-2.0
"""Networks of TensorFlow 1 against the integers of TFLite:
unsigned-networks.py MLI_RUN FOLDER COUNT

Makes COUNT networks of each shape, and of each with factors that kernels apply exactly
and with any. Each layer with weights is computed from what the network gave before it,
by a sum of products in integers and a multiplier of 31 bits, rounded once. Codes are
the same ones; with any factors another is next to it, and the exact number within 3/64
of the middle between the two. Writes FOLDER/manifest.json with the networks."""

import collections
import itertools
import json
import os
import re
import subprocess
import sys

import mobilenets
from fixedpoint import float32, multiplier, scaled
from reference import windows
from tflite import read_npy, write_npy

FORM = re.compile(r"weights of 9 bits, whose channels (.*?): \d")


def sums(layer, codes):
    """The sum of each output: code less zero point times the same of the weight."""
    x, w = layer.x, layer.w
    numbers = [code - x.zero for code in codes]
    factors = [code - w.zero for code in w.data]
    bias = layer.b.data
    if layer.name == "FULLY_CONNECTED":
        inputs = w.shape[1]
        return [
            b + sum(map(int.__mul__, numbers, factors[o * inputs : (o + 1) * inputs]))
            for o, b in enumerate(bias)
        ]
    channels, outputs = x.shape[3], len(bias)
    is_depthwise = layer.name == "DEPTHWISE_CONV_2D"
    kernel = w.shape[1]
    result = []
    for y0, x0 in itertools.product(
        *(windows(x.shape[i], kernel, layer.stride, 1, "SAME") for i in (1, 2))
    ):
        totals = list(bias)
        for ky, kx in itertools.product(range(kernel), repeat=2):
            y, z = y0 + ky, x0 + kx
            if not (0 <= y < x.shape[1] and 0 <= z < x.shape[2]):
                continue
            at = (y * x.shape[2] + z) * channels
            pixel = numbers[at : at + channels]
            tap = ky * kernel + kx
            if is_depthwise:
                row = factors[tap * channels : (tap + 1) * channels]
                totals = [t + p * f for t, p, f in zip(totals, pixel, row)]
                continue
            for o in range(outputs):
                first = (o * kernel * kernel + tap) * channels
                totals[o] += sum(map(int.__mul__, pixel, factors[first : first + channels]))
        result += totals
    return result


def compare(layer, codes, found):
    """How many codes differ from the integers, and how many by more than rounding."""
    factor = multiplier(float32(float32(layer.x.scale) * float32(layer.w.scale))
                        / float32(layer.y.scale))
    zero = layer.y.zero
    low, high = 0, 255
    if layer.activation == "RELU6":
        low, high = zero, min(255, zero + round(6 / layer.y.scale))
    differing = wrong = 0
    for total, code in zip(sums(layer, codes), found):
        exact = max(low, min(high, zero + scaled(total, factor)))
        if code == exact:
            continue
        differing += 1
        number = total * factor[0] * 2.0 ** (factor[1] - 31)
        middle = min(code, exact) + 0.5 - zero
        wrong += abs(code - exact) != 1 or abs(number - middle) > 3 / 64
    return differing, wrong


def run(tool, path, picture, out, tensors):
    command = [tool, path, "--input", picture, "--output-dir", out]
    command += ["--tflite-output=%d" % tensor.index for tensor in tensors]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)
    if done.returncode != 0:
        raise SystemExit("%s: %s" % (path, done.stderr))
    values = [read_npy(os.path.join(out, "output_%d.npy" % i))[1] for i in range(len(tensors))]
    return values, FORM.findall(done.stderr)


def check(tool, folder, name, made, totals, forms):
    """Adds the layers of a network to `totals`, by operators, and its forms."""
    path = os.path.join(folder, name + ".tflite")
    picture = os.path.join(folder, name + ".npy")
    made.net.write(path)
    codes = [made.random.randint(0, 255) for _ in range(made.input.size())]
    write_npy(picture, "UINT8", made.input.shape, codes)
    tensors = {}
    for layer in made.layers:
        for tensor in (layer.x, layer.y):
            tensors[tensor.index] = tensor
    del tensors[made.input.index]
    order = [tensors[index] for index in sorted(tensors)]
    values, found = run(tool, path, picture, os.path.join(folder, name), order)
    known = {tensor.index: value for tensor, value in zip(order, values)}
    known[made.input.index] = codes
    forms.update(found)
    forms["none of 9 bits"] += len(made.layers) - len(found)
    for layer in made.layers:
        result = known[layer.y.index]
        counts = compare(layer, known[layer.x.index], result)
        # Layers that give one code say little.
        spread = len(set(result)) > 8 or len(result) < 64
        totals[layer.name].update(layers=1, elements=len(result), differing=counts[0],
                                  wrong=counts[1] + (not spread))
    return {"name": name, "model": name + ".tflite",
            "cases": [{"inputs": [name + ".npy"]}]}


def main():
    tool, folder, count = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    models, wrong, forms = [], 0, collections.Counter()
    for shape, is_even in itertools.product(["v1", "v2"], [True, False]):
        totals = collections.defaultdict(collections.Counter)
        kind = "exact" if is_even else "any"
        for i in range(int(count)):
            name = "mobilenet_%s_%s_%d" % (shape, kind, i)
            made = getattr(mobilenets, "mobilenet_" + shape)(name, is_even)
            models.append(check(tool, folder, name, made, totals, forms))
        for operator, total in totals.items():
            bad = total["differing" if is_even else "wrong"] + total["wrong"]
            wrong += bad
            print("mobilenet_%s, %s factors: %s: %d layers, %d elements, %d differ, %d wrong"
                  % (shape, kind, operator, total["layers"], total["elements"],
                     total["differing"], total["wrong"]))
    for form, times in sorted(forms.items()):
        print("weights: %s: %d layers" % (form, times))
    with open(os.path.join(folder, "manifest.json"), "w") as file:
        json.dump({"models": models}, file)
    print("%d outside" % wrong)
    sys.exit(wrong > 0)


main()
