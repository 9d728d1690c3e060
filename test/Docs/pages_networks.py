# SPDX-License-Identifier: Apache-2.0
"""Writes the networks and the inputs that pages name: net.tflite, net.tosa.mlir,
net.mlir, in.npy and their like."""

import os
import random
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../Import/Inputs"))

from tflite import Network

MODELS = os.path.join(HERE, "../Models/shapes")


def write_tflite(path):
    """A network of pictures of 32 x 32 with ten classes."""
    values = random.Random(1)
    weights = lambda count: [values.randint(-127, 127) for _ in range(count)]
    net = Network()
    picture = net.tensor([1, 32, 32, 1], 1 / 255, -128, name="picture")
    net.inputs = [picture]
    maps = net.tensor([1, 16, 16, 8], 0.02, -128, name="edges")
    net.operator(
        "CONV_2D",
        [
            picture,
            net.tensor([8, 3, 3, 1], 0.01, data=weights(72), name="edges/weights"),
            net.tensor([8], 0.01 / 255, type="INT32", data=[0] * 8, name="edges/bias"),
        ],
        [maps],
        "Conv2DOptions",
        stride_w=2,
        stride_h=2,
        padding="SAME",
        fused_activation_function="RELU",
    )
    mean = net.tensor([1, 1, 1, 8], 0.02, -128, name="mean")
    net.operator(
        "AVERAGE_POOL_2D",
        [maps],
        [mean],
        "Pool2DOptions",
        filter_width=16,
        filter_height=16,
        stride_w=16,
        stride_h=16,
        padding="VALID",
    )
    scores = net.tensor([1, 10], 0.1, name="scores")
    net.operator(
        "FULLY_CONNECTED",
        [
            mean,
            net.tensor([10, 8], 0.02, data=weights(80), name="scores/weights"),
            net.tensor([10], 0.0004, type="INT32", data=[0] * 10, name="scores/bias"),
        ],
        [scores],
        "FullyConnectedOptions",
    )
    classes = net.tensor([1, 10], 1 / 256, -128, name="classes")
    net.operator("SOFTMAX", [scores], [classes], "SoftmaxOptions", beta=1.0)
    net.outputs = [classes]
    net.write(path)


def write(folder, tools):
    """Writes all into `folder`, by the programs in `tools`."""
    path = lambda name: os.path.join(folder, name)
    write_tflite(path("net.tflite"))
    shutil.copy(path("net.tflite"), path("network.tflite"))
    tosa = os.path.join(MODELS, "shapes.tosa.mlir")
    for name in ("net", "model", "network"):
        shutil.copy(tosa, path(name + ".tosa.mlir"))
    command = [os.path.join(tools, "mli-opt"), tosa, "--convert-tosa-to-mli=full", "-o", path("net.mlir")]
    subprocess.run(command, check=True)
    for name in ("model.mlir", "network.mlir"):
        shutil.copy(path("net.mlir"), path(name))
    picture = os.path.join(MODELS, "inputs/star_1.npy")
    for name in ("in.npy", "input.npy", "picture.npy"):
        shutil.copy(picture, path(name))
    shutil.copy(os.path.join(MODELS, "labels.txt"), path("labels.txt"))
    os.makedirs(path("inputs"))
    shutil.copy(picture, path("inputs/star.npy"))
    command = [os.path.join(tools, "mli-run"), path("net.tflite"), "--input", picture]
    subprocess.run(command + ["--output-dir", path("references")], check=True, capture_output=True)
    os.rename(path("references/output_0.npy"), path("references/star.0.npy"))
    with open(path("labels.csv"), "w") as labels:
        labels.write("star,8\n")
