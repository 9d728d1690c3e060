# SPDX-License-Identifier: Apache-2.0
#
# Runs each form of TOSA that is raised against its own integer arithmetic:
# tosa-forms.py MLI_RUN FOLDER [kernel|near|exact]. Exits with 1 if a result is
# further off than its kernel may be. With a third argument only sums and averages
# run, in that form.

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../Import/Inputs")]
from tflite import read_npy, write_npy  # noqa: E402
from tosa import Graph  # noqa: E402
from tosa_form import CHOSEN, EXACT, FORMS, NEAR, Random  # noqa: E402
import tosa_weighted, tosa_elements, tosa_dimensions, tosa_extents, tosa_zeros  # noqa: E402, E401, F401
import tosa_saturating, tosa_takes, tosa_averages  # noqa: E402, E401, F401
import tosa_moves, tosa_chains, tosa_many, tosa_sums  # noqa: E402, E401, F401
import tosa_unary, tosa_matrices, tosa_rescales, tosa_words, tosa_wide, tosa_layers  # noqa: E402, E401, F401
import tosa_widening  # noqa: E402, F401


def run(tool, folder, number, entry, *options):
    name, share, distance, double_round, build = entry
    graph = Graph(double_round)
    results = build(graph, Random(number))
    results = results if isinstance(results, tuple) else (results,)
    model = os.path.join(folder, "%d.mlir" % number)
    with open(model, "w") as file:
        file.write(graph.module(*results))
    command = [tool, model, "--output-dir", folder, *options]
    for i, tensor in enumerate(graph.inputs):
        path = os.path.join(folder, "%d.%d.npy" % (number, i))
        type = {"i8": "INT8", "ui8": "UINT8", "i16": "INT16", "i32": "INT32"}[tensor.element]
        write_npy(path, type, tensor.shape, tensor.values)
        command += ["--input", "%d=%s" % (i, path)]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True
    )
    if done.returncode != 0:
        print("%s: %s" % (name, done.stdout))
        return False
    wanted, got = [], []
    for i, result in enumerate(results):
        wanted += result.values
        got += read_npy(os.path.join(folder, "output_%d.npy" % i))[1]
    distances = [abs(a - b) for a, b in zip(wanted, got)]
    off = sum(d > 0 for d in distances)
    is_right = len(got) == len(wanted) and max(distances) <= distance
    # Of few elements one may be off.
    is_right = is_right and off <= max(share * len(got), share > 0)
    wrong = "" if is_right else ", more than allowed"
    print("%s: %d of %d off by up to %d%s" % (name, off, len(got), max(distances), wrong))
    return is_right


if __name__ == "__main__":
    tool, folder, *kind = sys.argv[1:]
    # What may be off in the form that is asked for.
    most = {"kernel": 1, "near": NEAR, "exact": EXACT}[kind[0] if kind else "near"]
    options = ["--sums=" + kind[0], "--average=" + kind[0]] if kind else []
    forms = [
        (i, (name, min(share, most) if share in CHOSEN else share, *rest))
        for i, (name, share, *rest) in enumerate(FORMS)
        if share in CHOSEN or not kind
    ]
    wrong = sum(not run(tool, folder, i, entry, *options) for i, entry in forms)
    print("%d forms, %d wrong" % (len(forms), wrong))
    sys.exit(wrong > 0)
