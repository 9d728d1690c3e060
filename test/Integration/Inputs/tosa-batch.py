# SPDX-License-Identifier: Apache-2.0
#
# Runs a network of TOSA that leaves its batch open, with a batch that an option
# gives, against TOSA's own integer arithmetic: tosa-batch.py MLI_RUN FOLDER.

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../Import/Inputs")]
from tflite import read_npy, write_npy  # noqa: E402
from tosa import Graph  # noqa: E402
from tosa_form import WEIGHTED, Random, bias, factors, weights  # noqa: E402

# No other dimension has it.
BATCH = 11


def build(batch):
    """A layer, a pool, and rows of its elements."""
    random, graph = Random(5), Graph()
    x = graph.input((batch, 9, 8, 3), random.codes((batch, 9, 8, 3)))
    w = weights(graph, random, (5, 3, 2, 3))
    sums = graph.conv2d(x, w, bias(graph, random, 5), -7, (1, 1), (1, 1), (1, 1, 1, 0))
    layer = graph.clamp(graph.rescale(sums, factors(18, 5), 0, 3), 3, 127)
    pooled = graph.max_pool2d(layer, (3, 2), (3, 2), (0, 0, 0, 0))
    return graph, (layer, graph.reshape(pooled, (batch, 60)))


def main():
    tool, folder = sys.argv[1:]
    graph, results = build(BATCH)
    text = graph.module(*results).replace("tensor<%dx" % BATCH, "tensor<?x")
    text = text.replace("dense<[%d, 60]>" % BATCH, "dense<[-1, 60]>")
    assert text.count("?") > 10 and "[-1, 60]" in text
    model, path = os.path.join(folder, "open.mlir"), os.path.join(folder, "in.npy")
    with open(model, "w") as file:
        file.write(text)
    (tensor,) = graph.inputs
    write_npy(path, "INT8", tensor.shape, tensor.values)
    options = ["--batch=%d" % BATCH, "--input", path, "--output-dir", folder]
    subprocess.run([tool, model] + options, check=True)
    wrong = 0
    for i, result in enumerate(results):
        shape, got = read_npy(os.path.join(folder, "output_%d.npy" % i))
        distances = [abs(a - b) for a, b in zip(result.values, got)]
        off = sum(d > 0 for d in distances)
        wrong += tuple(shape) != result.shape or max(distances) > 1 or off > WEIGHTED * len(got)
        print("output %d: %s, %d of %d off by up to %d" % (i, shape, off, len(got), max(distances)))
    print("%d wrong" % wrong)
    sys.exit(wrong > 0)


main()
