# SPDX-License-Identifier: Apache-2.0
#
# tflite-differences.py FOUND.npy WANTED.npy DISTANCE PERCENT: fails if codes are
# farther apart, or more of them differ.

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../Import/Inputs"))
from tflite import read_npy  # noqa: E402

_, found = read_npy(sys.argv[1])
_, wanted = read_npy(sys.argv[2])
distances = [abs(a - b) for a, b in zip(found, wanted)]
share = 100 * sum(d > 0 for d in distances) / len(wanted)
print("%.3f %% of %d elements differ, max |d| %d" % (share, len(wanted), max(distances)))
sys.exit(max(distances) > int(sys.argv[3]) or share > float(sys.argv[4]))
