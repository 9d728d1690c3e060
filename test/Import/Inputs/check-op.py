# SPDX-License-Identifier: Apache-2.0
#
# Builds networks of one operator, runs them and compares with what the operator
# computes in real numbers, rounded once, as reference kernels of single rounding
# do: check-op.py MLI_RUN FOLDER [CASE...]. No element may be farther off than
# its case says, and no more of them at all than the rules for the operator say.

import math
import os
import random
import subprocess
import sys

import reference
from cases import SHARES
from networks import CASES
from tflite import read_npy, write_npy


def run_case(tool, folder, name):
    """How far the worst element is off, and how far it may be; how many are off
    of all, and how many may be."""
    random.seed(name)
    network, compute, tolerance = CASES[name]()
    model = os.path.join(folder, name + ".tflite")
    network.write(model)
    command = [tool, model, "--output-dir", os.path.join(folder, name)]
    inputs = []
    for i, tensor in enumerate(network.inputs):
        low, high = {"INT8": (-128, 127), "UINT8": (0, 255), "INT16": (-32768, 32767)}.get(
            tensor.type, (-8, 8)
        )
        steps = network.steps or 1
        codes = [random.randint(low, high) for _ in range(steps * tensor.size())]
        path = os.path.join(folder, "%s.%d.npy" % (name, i))
        leading = [steps] if network.steps else []
        write_npy(path, tensor.type, leading + tensor.shape, codes)
        command += ["--input", "%d=%s" % (i, path)]
        inputs.append(reference.real(tensor, codes))
    subprocess.run(command, check=True)
    worst = off = count = 0
    expected = compute(*inputs)
    for i, (tensor, numbers) in enumerate(zip(network.outputs, expected)):
        shape, found = read_npy(os.path.join(folder, name, "output_%d.npy" % i))
        wanted = reference.codes_of(tensor, numbers) if tensor.type != "FLOAT32" else numbers
        if shape != leading + tensor.shape or len(found) != len(wanted):
            raise SystemExit("%s: shape %s, expected %s" % (name, shape, tensor.shape))
        worst = max([worst] + [abs(a - b) for a, b in zip(found, wanted)])
        off += sum(a != b for a, b in zip(found, wanted))
        count += len(found)
    # Layers of 16 bits are sums of two kernels, each rounded.
    is_wide = any(t.type == "INT16" for t in network.outputs)
    share = 1 if is_wide else SHARES.get(network.names[-1], 1)
    return worst, tolerance, off, count, max(1, int(share * count))


def main():
    tool, folder, *names = sys.argv[1:]
    outside = 0
    for name in names or CASES:
        worst, tolerance, off, count, most = run_case(tool, folder, name)
        verdict = "within" if worst <= tolerance and off <= most else "outside"
        outside += verdict == "outside"
        print(
            "%s: max |d| %g, at most %g; %d of %d off, at most %d: %s"
            % (name, worst, tolerance, off, count, most, verdict)
        )
    print("%d outside" % outside)
    sys.exit(outside > 0)


main()
