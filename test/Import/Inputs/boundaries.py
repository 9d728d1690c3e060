# SPDX-License-Identifier: Apache-2.0
#
# A network with an argument that nothing holds: boundaries.py FOLDER

import os
import sys

from tflite import Network

folder = sys.argv[1]
net = Network()
x = net.tensor([2, 2], 0.1)
unread = net.tensor([2], type="BOOL", scale=0.5)
y = net.tensor([4], 0.1)
net.inputs, net.outputs = [x, unread], [y]
net.operator("RESHAPE", [x], [y])
net.write(os.path.join(folder, "argument.tflite"))
