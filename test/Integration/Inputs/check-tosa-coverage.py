# SPDX-License-Identifier: Apache-2.0
#
# Compares what the table of operations says with forms of TOSA that are raised:
# check-tosa-coverage.py MLI_OPT FOLDER NETWORK... The kernels of a form are in the
# rows of its operations, and all that compute an operation are met: with sums and
# averages as they are by default, and by the kernels that are made for them.

import collections
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../../.ci")]
sys.dont_write_bytecode = True
import coverage  # noqa: E402
from tosa import Graph  # noqa: E402
from tosa_form import FORMS, Random  # noqa: E402
import tosa_weighted, tosa_elements, tosa_dimensions, tosa_extents, tosa_zeros  # noqa: E402, E401, F401
import tosa_averages, tosa_moves, tosa_saturating, tosa_sums, tosa_takes  # noqa: E402, E401, F401
import tosa_unary, tosa_matrices, tosa_rescales, tosa_words, tosa_wide, tosa_layers  # noqa: E402, E401, F401
import tosa_widening  # noqa: E402, F401

# These compute nothing.
OTHERS = {"constant", "reshape"}


def networks(folder, paths):
    """Names of forms and of networks, and their files."""
    for number, (name, _, _, double_round, build) in enumerate(FORMS):
        graph = Graph(double_round)
        results = build(graph, Random(number))
        results = results if isinstance(results, tuple) else (results,)
        path = os.path.join(folder, "form.mlir")
        with open(path, "w") as file:
            file.write(graph.module(*results))
        yield name, path
    for path in paths:
        yield os.path.basename(path), path


def main():
    tool, folder, *paths = sys.argv[1:]
    rows = {row.name: row for row in coverage.rows(coverage.TOSA)}
    met, wrong = collections.defaultdict(set), []
    forms = "full", "full sums=kernel average=kernel"
    for name, path, form in ((*each, form) for each in networks(folder, paths) for form in forms):
        done = subprocess.run(
            [tool, "--convert-tosa-to-mli=" + form, path], check=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True,
        )
        with open(path) as file:
            text = re.sub(r"!tosa.shape|//.*", "", file.read())
        operations = set(re.findall(r"\btosa\.(\w+)", text))
        kernels = set(re.findall(r"\bmli\.(\w+) ins\(", done.stdout)) - OTHERS
        known = set()
        for operation in operations:
            met[operation] |= kernels
            known.update(rows[operation].kernels.main, rows[operation].kernels.around)
        if not kernels <= known:
            wrong.append("%s: kernels %s" % (name, sorted(kernels - known)))
    for name, row in rows.items():
        if not set(row.kernels.main) <= met[name]:
            wrong.append("%s: no form has its kernels %s" % (name, row.kernels.main))
    print("\n".join(wrong + ["%d operations, %d wrong" % (len(rows), len(wrong))]))
    sys.exit(len(wrong) > 0)


main()
