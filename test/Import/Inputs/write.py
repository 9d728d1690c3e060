# SPDX-License-Identifier: Apache-2.0
#
# Writes the network of one case: write.py CASE FILE.tflite

import random
import sys

from networks import CASES

name, path = sys.argv[1:]
random.seed(name)
CASES[name]()[0].write(path)
