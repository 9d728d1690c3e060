# SPDX-License-Identifier: Apache-2.0
#
# Runs each form of TOSA that is raised against its own integer arithmetic:
# tosa-forms.py MLI_RUN FOLDER. Exits with 1 if a result is further off than
# its kernel may be. With MLI_OPT as third argument sums are raised by it, so
# that they are exact.

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../Import/Inputs")]
from tflite import read_npy, write_npy  # noqa: E402
from tosa import Graph  # noqa: E402
from tosa_form import EXACT, FORMS, SUM, Random  # noqa: E402
import tosa_weighted, tosa_elements, tosa_dimensions, tosa_extents, tosa_zeros  # noqa: E402, E401, F401
import tosa_saturating, tosa_takes, tosa_moves, tosa_chains  # noqa: E402, E401, F401


def run(tool, folder, number, entry, raiser=None):
    name, share, distance, double_round, build = entry
    graph = Graph(double_round)
    results = build(graph, Random(number))
    results = results if isinstance(results, tuple) else (results,)
    model = os.path.join(folder, "%d.mlir" % number)
    with open(model, "w") as file:
        file.write(graph.module(*results))
    if raiser:
        options = ["--convert-tosa-to-mli=exact-sums full", "-o", model]
        subprocess.run([raiser, model] + options, check=True)
    command = [tool, model, "--output-dir", folder]
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
    tool, folder, *raiser = sys.argv[1:]
    forms = FORMS
    if raiser:
        forms = [(name, EXACT, 1, *rest) for name, share, _, *rest in FORMS if share == SUM]
    wrong = sum(not run(tool, folder, i, entry, *raiser) for i, entry in enumerate(forms))
    print("%d forms, %d wrong" % (len(forms), wrong))
    sys.exit(wrong > 0)
