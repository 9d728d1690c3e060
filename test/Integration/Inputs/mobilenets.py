# SPDX-License-Identifier: Apache-2.0
"""Networks of the shape of MobileNet v1 and v2 as TensorFlow 1 trains them for 8 bits:
uint8 tensors, weights with a zero point whose codes reach from 1 to 255, and fused
activations. Weights, zero points and scales are random."""

import math
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../Import/Inputs"))
from tflite import Network  # noqa: E402

OPTIONS = {
    "CONV_2D": "Conv2DOptions",
    "DEPTHWISE_CONV_2D": "DepthwiseConv2DOptions",
    "FULLY_CONNECTED": "FullyConnectedOptions",
}


class Layer:
    """An operator with weights, for a reference."""

    def __init__(self, name, x, w, b, y, stride, activation):
        self.name, self.x, self.w, self.b, self.y = name, x, w, b, y
        self.stride, self.activation = stride, activation


class MobileNet:
    """With `is_even`, factors have 15 bits and are at least 2^-7, and activations have
    scales of powers of two: so the kernel rounds but once, as TFLite does."""

    def __init__(self, seed, is_even):
        self.random, self.is_even = random.Random(seed), is_even
        self.net, self.layers = Network(), []
        scale = 2**-7 if is_even else 0.0078125 * self.random.uniform(0.9, 1.1)
        self.input = self.value([1, 24, 24, 3], scale, self.random.randint(120, 136))
        self.net.inputs = [self.input]

    def value(self, shape, scale, zero):
        return self.net.tensor(shape, scale, zero, type="UINT8")

    def factor(self, size, spread):
        """One that takes sums of `size` products to most codes."""
        wanted = 255 / (4 * math.sqrt(size) * 80 * spread) * self.random.uniform(0.7, 1.4)
        if not self.is_even:
            return wanted
        exponent = math.frexp(max(wanted, 2**-7))[1]
        return self.random.randint(2**14, 2**15 - 1) * 2.0 ** (exponent - 15)

    def weights(self, shape, scale, zero, spread):
        """A bell of weights from the least to the greatest code."""
        count = math.prod(shape)
        codes = [
            max(1, min(255, round(zero + self.random.gauss(0, spread)))) for _ in range(count)
        ]
        ends = self.random.sample(range(count), 2)
        codes[ends[0]], codes[ends[1]] = 1, 255
        return self.net.tensor(shape, scale, zero, type="UINT8", data=codes)

    def layer(self, name, x, out_shape, w_shape, stride=1, activation="NONE", zero=None,
              spread=18):
        outputs = out_shape[-1]
        size = math.prod(w_shape) // outputs
        is_linear = activation == "NONE"
        scale = 2.0 ** (-4 if is_linear else -5)
        if not self.is_even:
            scale = self.random.uniform(0.05, 0.5) if is_linear else 6 / 255
        y = self.value(out_shape, scale, self.random.randint(100, 150) if is_linear else 0)
        w_scale = self.factor(size, spread) * scale / x.scale
        if zero is None:
            zero = self.random.choice(
                [128, self.random.randint(100, 156), self.random.randint(20, 235)])
        w = self.weights(w_shape, w_scale, zero, spread)
        reach = math.sqrt(size) * 80 * spread / 2
        b = self.net.tensor(
            [outputs], x.scale * w_scale, type="INT32",
            data=[
                max(-(2**15), min(2**15 - 1, round(self.random.gauss(0, reach))))
                for _ in range(outputs)
            ],
        )
        fields = {"fused_activation_function": activation}
        if name != "FULLY_CONNECTED":
            fields.update(stride_w=stride, stride_h=stride, padding="SAME")
        if name == "DEPTHWISE_CONV_2D":
            fields["depth_multiplier"] = 1
        self.net.operator(name, [x, w, b], [y], OPTIONS[name], **fields)
        self.layers.append(Layer(name, x, w, b, y, stride, activation))
        return y

    def conv(self, x, outputs, kernel=1, stride=1, **more):
        side = -(-x.shape[1] // stride)
        return self.layer(
            "CONV_2D", x, [1, side, side, outputs], [outputs, kernel, kernel, x.shape[3]],
            stride, **more)

    def depthwise(self, x, stride, **more):
        side = -(-x.shape[1] // stride)
        return self.layer(
            "DEPTHWISE_CONV_2D", x, [1, side, side, x.shape[3]], [1, 3, 3, x.shape[3]],
            stride, activation="RELU6", **more)

    def pool(self, x):
        y = self.value([1, 1, 1, x.shape[3]], x.scale, x.zero)
        self.net.operator(
            "AVERAGE_POOL_2D", [x], [y], "Pool2DOptions", padding="VALID", stride_w=1,
            stride_h=1, filter_width=x.shape[2], filter_height=x.shape[1])
        return y

    def add(self, a, b):
        y = self.value(a.shape, 2**-3 if self.is_even else a.scale * 1.3, 128)
        self.net.operator("ADD", [a, b], [y], "AddOptions")
        return y

    def finish(self, logits):
        rows = self.value([1, logits.shape[-1]], logits.scale, logits.zero)
        self.net.operator("RESHAPE", [logits], [rows], "ReshapeOptions", new_shape=rows.shape)
        y = self.value(rows.shape, 1 / 256, 0)
        self.net.operator("SOFTMAX", [rows], [y], "SoftmaxOptions", beta=1)
        self.net.outputs = [y]
        return self


def mobilenet_v1(seed, is_even):
    made = MobileNet(seed, is_even)
    x = made.conv(made.input, 8, kernel=3, stride=2, activation="RELU6")
    # Most channels of one depthwise layer have weights of 9 bits, of another one none.
    more = {1: {"zero": 200, "spread": 150}, 2: {"zero": 128}}
    for i, (stride, outputs) in enumerate(
        [(1, 16), (2, 32), (1, 32), (2, 48), (1, 48), (2, 64), (1, 64)]
    ):
        x = made.depthwise(x, stride, **more.get(i, {}))
        x = made.conv(x, outputs, activation="RELU6")
    return made.finish(made.conv(made.pool(x), 20))


def mobilenet_v2(seed, is_even):
    made = MobileNet(seed, is_even)
    x = made.conv(made.input, 8, kernel=3, stride=2, activation="RELU6")
    for expansion, stride, outputs in [(1, 1, 8), (4, 2, 12), (4, 1, 12), (4, 2, 16), (4, 1, 16)]:
        y = x
        if expansion > 1:
            y = made.conv(y, expansion * x.shape[3], activation="RELU6")
        y = made.conv(made.depthwise(y, stride), outputs)
        x = made.add(x, y) if stride == 1 and x.shape == y.shape else y
    x = made.pool(made.conv(x, 48, activation="RELU6"))
    return made.finish(made.layer("FULLY_CONNECTED", x, [1, 20], [20, 48]))
