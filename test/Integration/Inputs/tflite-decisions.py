# SPDX-License-Identifier: Apache-2.0
#
# Compares 8-bit scores with a softmax of 32 bits that a reference computed of
# them, over all runs: tflite-decisions.py SCORES.npy SCALE REFERENCE.npy.
# Where the softmax saturates, so do the scores; elsewhere its logarithm gives
# the difference of two scores back.

import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../Import/Inputs"))
from tflite import read_npy  # noqa: E402

scores_file, scale, reference_file = sys.argv[1:]
(runs, _, classes), scores = read_npy(scores_file)
_, reference = read_npy(reference_file)
assert classes == 2 and len(scores) == len(reference) == runs * classes
equal = within = compared = 0
for run in range(runs):
    a, b = scores[2 * run : 2 * run + 2]
    p, q = reference[2 * run : 2 * run + 2]
    equal += (a > b) == (p > q)
    if 0 < p < 32767 and 0 < q < 32767:
        compared += 1
        wanted = math.log(p / q) / float(scale)
        # Half a step of 32768 of the smaller one.
        slack = 0.6 / min(p, q) / float(scale)
        within += abs((a - b) - wanted) <= 2 + slack
print(
    "%d of %d decisions as the reference's, %d of %d differences within 2"
    % (equal, runs, within, compared)
)
sys.exit(equal != runs or within != compared)
