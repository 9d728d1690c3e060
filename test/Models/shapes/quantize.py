# SPDX-License-Identifier: Apache-2.0
#
# Post-training quantisation: int8 activations per tensor, int8 weights
# symmetric per output channel (per tensor in the fully connected layer), int32
# bias; ReLU is the clamp at the zero point -128. Needs numpy only.

from dataclasses import dataclass, field

import numpy as np

import integer
import network


@dataclass
class Affine:
    """value = scale * (code - zero)."""

    scale: float
    zero: int


# The network's input: code = grey value - 128, which stands for -1 .. 1.
INPUT = Affine(1 / 128, 0)
PROBABILITY = Affine(1 / 256, integer.INT8_MIN)
ADD_HEADROOM = 20


def _affine(values):
    """Parameters that cover the calibration values and represent 0 exactly."""
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    scale = (high - low) / 255
    return Affine(scale, int(round(integer.INT8_MIN - low / scale)))


@dataclass
class WeightedLayer:
    """Conv, Depthwise or Dense: int32 sums, then one rescale to int8."""

    kind: str
    weights: np.ndarray
    bias: np.ndarray
    multiplier: np.ndarray
    shift: np.ndarray
    before: Affine
    after: Affine
    stride: int
    pad: tuple

    def run(self, codes):
        operator = integer.depthwise_conv2d if self.kind == "Depthwise" else integer.conv2d
        sums = operator(codes, self.weights, self.bias, self.before.zero, self.stride, self.pad)
        return integer.rescale(sums, self.multiplier, self.shift, out_zero=self.after.zero)


@dataclass
class MaxPoolLayer:
    kernel: int

    def run(self, codes):
        return integer.max_pool2d(codes, self.kernel)


@dataclass
class AverageLayer:
    zero: int

    def run(self, codes):
        return integer.avg_pool2d_global(codes, self.zero)


@dataclass
class ResidualLayer:
    """x + body(x), added as i32 with ADD_HEADROOM extra bits.

    The operand with the larger scale becomes code * 2^(ADD_HEADROOM - 1), so
    the sum's unit is larger scale / 2^(ADD_HEADROOM - 1).
    """

    body: list
    scales: tuple  # the Affine of x and of body(x)
    after: Affine
    ratios: list = field(init=False)  # (multiplier, shift), None for the larger scale
    result: tuple = field(init=False)

    def __post_init__(self):
        unit = 2 * max(operand.scale for operand in self.scales)
        larger = self.scales[1].scale >= self.scales[0].scale
        ratios = [integer.quantize_multiplier(operand.scale / unit) for operand in self.scales]
        ratios[larger] = None
        self.ratios = ratios
        self.result = integer.quantize_multiplier(unit / (self.after.scale * 2.0**ADD_HEADROOM))

    def run(self, codes):
        inner = codes
        for layer in self.body:
            inner = layer.run(inner)
        total = self._raise(0, codes) + self._raise(1, inner)
        return integer.rescale(total, *self.result, out_zero=self.after.zero)

    def _raise(self, index, codes):
        wide = codes.astype(np.int64) - self.scales[index].zero
        if self.ratios[index] is None:
            return wide << (ADD_HEADROOM - 1)
        limits = {"low": -2**31, "high": 2**31 - 1}
        return integer.rescale(wide << ADD_HEADROOM, *self.ratios[index], **limits)


@dataclass
class SoftmaxLayer:
    before: Affine

    def run(self, codes):
        table = integer.softmax_exponentials(self.before.scale)
        return integer.softmax(codes[:, 0, 0], table)


def _weighted(layer, before):
    axis = {"Conv": (1, 2, 3), "Depthwise": (0, 1, 3), "Dense": None}[type(layer).__name__]
    scales = np.abs(layer.weights).max(axis=axis, keepdims=True).astype(np.float64) / 127
    weights = np.clip(np.rint(layer.weights / scales), -127, 127).astype(np.int8)
    after = _affine(layer.output)
    steps = before.scale * scales.ravel()
    bias = np.rint(layer.bias.astype(np.float64) / steps).astype(np.int64)
    pairs = [integer.quantize_multiplier(step / after.scale) for step in steps]
    multiplier, shift = np.array(pairs, np.int64).T
    return WeightedLayer(type(layer).__name__, weights, bias, multiplier, shift, before, after,
                         layer.stride, layer.pad)


def _convert(layers, before):
    """Quantised layers and the parameters of their result."""
    result = []
    for layer in layers:
        if isinstance(layer, network.Weighted):
            result.append(_weighted(layer, before))
            before = result[-1].after
        elif isinstance(layer, network.MaxPool):
            result.append(MaxPoolLayer(layer.kernel))
        elif isinstance(layer, network.GlobalAverage):
            result.append(AverageLayer(before.zero))
        elif isinstance(layer, network.Residual):
            body, inner = _convert(layer.body, before)
            after = _affine(layer.output)
            result.append(ResidualLayer(body, (before, inner), after))
            before = after
        else:
            raise TypeError(f"expected a layer that can be quantised, but got {layer}")
    return result, before


def quantize(layers, pixels):
    """The int8 network, its scales taken from a run on the calibration pictures."""
    network.run(layers, pixels)
    result, logits = _convert(layers, INPUT)
    return result + [SoftmaxLayer(logits)]


def predict(quantized, codes):
    """int8 probabilities [n, classes] of int8 pictures."""
    for layer in quantized:
        codes = layer.run(codes)
    return codes.astype(np.int8)
