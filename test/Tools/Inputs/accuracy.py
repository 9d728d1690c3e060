# SPDX-License-Identifier: Apache-2.0
#
# Makes a network, inputs, and references that differ from its results by what is
# planted here; and an interpreter of TFLite that gives numbers of its own.

import json
import math
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Import/Inputs"))

import numpy as np
from tflite import Network

SCORES = 6


def make_network(path):
    random = np.random.RandomState(1)
    net = Network()
    picture = net.tensor([1, 4, 4, 3], 1 / 255, -128, name="picture")
    weights = net.tensor(
        [3, 1, 1, 3], 0.01, data=random.randint(-127, 127, 9).tolist(), name="weights"
    )
    bias = net.tensor([3], 0.01 / 255, type="INT32", data=[5, -3, 0], name="bias")
    maps = net.tensor([1, 4, 4, 3], 0.02, -10, name="maps")
    net.operator(
        "CONV_2D",
        [picture, weights, bias],
        [maps],
        "Conv2DOptions",
        stride_w=1,
        stride_h=1,
        padding="VALID",
    )
    matrix = net.tensor(
        [SCORES, 48], 0.01, data=random.randint(-127, 127, SCORES * 48).tolist(), name="matrix"
    )
    offsets = net.tensor([SCORES], 0.01 * 0.02, type="INT32", data=[0] * SCORES, name="offsets")
    scores = net.tensor([1, SCORES], 0.05, 3, name="scores")
    net.operator(
        "FULLY_CONNECTED", [maps, matrix, offsets], [scores], "FullyConnectedOptions"
    )
    net.inputs, net.outputs = [picture], [scores]
    net.write(path)


def make(folder, tool):
    """Two cases, `a` of a tensor and `b` of a picture if Pillow is there."""
    network = os.path.join(folder, "net.tflite")
    make_network(network)
    inputs = os.path.join(folder, "inputs")
    wanted = os.path.join(folder, "wanted")
    os.makedirs(inputs)
    pixels = np.random.RandomState(2).randint(0, 256, (2, 4, 4, 3)).astype(np.uint8)
    for name, picture in zip("ab", pixels):
        codes = (picture.astype(np.int16) - 128).astype(np.int8)
        np.save(os.path.join(inputs, name + ".npy"), codes[None])
        out, layers = (os.path.join(folder, name, kind) for kind in ("out", "layers"))
        command = [tool, network, "--input", os.path.join(inputs, name + ".npy")]
        subprocess.run(command + ["--output-dir", out, "--record", layers], check=True)
        os.makedirs(os.path.join(wanted, name))
        shutil.copy(os.path.join(out, "output_0.npy"), os.path.join(wanted, name + ".0.npy"))
    try:
        from PIL import Image

        os.remove(os.path.join(inputs, "b.npy"))
        Image.fromarray(pixels[1]).save(os.path.join(inputs, "b.png"))
    except ImportError:
        pass


def plant(folder):
    """The score 2 of `a` is 3 less, five elements of its maps 1 more."""
    path = os.path.join(folder, "wanted/a.0.npy")
    scores = np.load(path)
    scores.flat[2] -= 3
    np.save(path, scores)
    maps = np.load(os.path.join(folder, "a/layers/op00_conv2d_t0.npy"))
    maps.flat[:5] += 1
    # In another shape, and as values.
    values = (maps.reshape(1, 48).astype(np.float64) + 10) * 0.02
    np.save(os.path.join(folder, "wanted/a/op00_conv_t3.npy"), values.astype(np.float32))


def check(folder, report):
    """The figures of `report` are those of the arrays."""
    wanted = [np.load(os.path.join(folder, "wanted", n + ".0.npy")).astype(float) for n in "ab"]
    signal = sum(((scores - 3) ** 2).sum() for scores in wanted)
    output = json.load(open(report))["outputs"][0]
    assert abs(output["sqnr"] - 10 * math.log10(signal / 9)) < 1e-9, output
    layer = json.load(open(report))["layers"][0]
    maps = np.load(os.path.join(folder, "a/layers/op00_conv2d_t0.npy")).astype(float)
    maps.flat[:5] += 1
    assert abs(layer["sqnr"] - 10 * math.log10(((maps + 10) ** 2).sum() / 5)) < 0.1, layer
    print("figures right")


if __name__ == "__main__":
    {"make": make, "plant": plant, "check": check}[sys.argv[1]](*sys.argv[2:])
