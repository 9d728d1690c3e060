# SPDX-License-Identifier: Apache-2.0
#
# A network with two operators that have no kernel, one that reads what the first
# should give: invalid-network.py FILE.tflite

import sys

from tflite import Network

net = Network()
x = net.tensor([1, 8], 0.1)
middle = net.tensor([1, 8], 0.1, name="middle")
y = net.tensor([8, 1], 0.1)
z = net.tensor([8, 1], 0.1)
net.inputs, net.outputs = [x], [z]
net.operator("CUMSUM", [x], [middle])
net.operator("RESHAPE", [middle], [y])
net.operator("FAKE_QUANT", [y], [z])
net.write(sys.argv[1])
