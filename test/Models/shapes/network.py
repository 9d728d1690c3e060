# SPDX-License-Identifier: Apache-2.0
#
# The network in floating point: layers with forward and backward, and Adam.
# Pictures are [n, y, x, channel]. Needs numpy only.

import numpy as np

from integer import windows

EPSILON = 1e-3

def _fold(taps, shape, kernel, stride, pad):
    """The transpose of windows(): adds every tap back to where it came from."""
    top, bottom, left, right = pad
    n, height, width, channels = shape
    padded = np.zeros((n, height + top + bottom, width + left + right, channels), np.float32)
    rows, columns = taps.shape[1] * stride, taps.shape[2] * stride
    for tap in range(kernel * kernel):
        y, x = divmod(tap, kernel)
        padded[:, y:y + rows:stride, x:x + columns:stride] += taps[:, :, :, tap]
    return padded[:, top:top + height, left:left + width]


class Weighted:
    """Shared by the layers with weights: He initialisation, bias, optional ReLU.

    While training, the sums are normalised per channel over the batch; fold()
    moves the averaged normalisation into the weights.
    """

    def __init__(self, shape, fan_in, channels, relu, rng, normalised=True):
        deviation = np.sqrt(2 / fan_in)
        self.weights = (deviation * rng.standard_normal(shape)).astype(np.float32)
        self.bias = np.zeros(channels, np.float32)
        self.relu, self.normalised = relu, normalised
        self.gain = np.ones(channels, np.float32)
        self.mean, self.variance = np.zeros(channels), np.ones(channels)

    def parameters(self):
        names = ("weights", "bias", "gain") if self.normalised else ("weights", "bias")
        return [(self, name) for name in names]

    def activate(self, sums):
        if self.normalised:
            sums = self._normalise(sums)
        sums += self.bias
        self.output = np.maximum(sums, 0) if self.relu else sums
        return self.output

    def _normalise(self, sums):
        mean, variance = sums.mean(axis=(0, 1, 2)), sums.var(axis=(0, 1, 2))
        self.mean += 0.05 * (mean - self.mean)
        self.variance += 0.05 * (variance - self.variance)
        self.deviation = np.sqrt(variance + EPSILON)
        self.unit = (sums - mean) / self.deviation
        return self.unit * self.gain

    def before_activation(self, gradient):
        """Gradient of the sums from the gradient of the output; fills the bias and the gain."""
        if self.relu:
            gradient = gradient * (self.output > 0)
        self.gradients = {"bias": gradient.sum(axis=(0, 1, 2))}
        if not self.normalised:
            return gradient
        self.gradients["gain"] = (gradient * self.unit).sum(axis=(0, 1, 2))
        count = gradient[..., 0].size
        slope = (gradient - self.gradients["bias"] / count
                 - self.unit * (self.gradients["gain"] / count))
        return slope * (self.gain / self.deviation)

    def fold(self):
        """Ends training: weights and bias take over the normalisation."""
        if not self.normalised:
            return
        factor = (self.gain / np.sqrt(self.variance + EPSILON)).astype(np.float32)
        self.weights = self.weights * factor.reshape(self.channel_shape)
        self.bias = self.bias - self.mean.astype(np.float32) * factor
        self.normalised = False


class Conv(Weighted):
    """kernel x kernel convolution; weights [out, y, x, in]."""

    channel_shape = (-1, 1, 1, 1)

    def __init__(self, inputs, outputs, kernel, rng, stride=1, pad=(0, 0, 0, 0), **options):
        options = {"relu": True, **options}
        super().__init__((outputs, kernel, kernel, inputs), kernel * kernel * inputs, outputs,
                         rng=rng, **options)
        self.kernel, self.stride, self.pad = kernel, stride, pad

    def forward(self, images):
        self.shape = images.shape
        taps = windows(images, self.kernel, self.stride, self.pad, 0)
        self.taps_shape = taps.shape
        self.taps = taps.reshape(-1, self.weights[0].size)
        sums = self.taps @ self.weights.reshape(len(self.weights), -1).T
        return self.activate(sums.reshape(*taps.shape[:3], -1))

    def backward(self, gradient):
        gradient = self.before_activation(gradient).reshape(-1, len(self.weights))
        flat = self.weights.reshape(len(self.weights), -1)
        self.gradients["weights"] = (gradient.T @ self.taps).reshape(self.weights.shape)
        taps = (gradient @ flat).reshape(self.taps_shape)
        return _fold(taps, self.shape, self.kernel, self.stride, self.pad)


class Depthwise(Weighted):
    """3 x 3 depthwise convolution, stride 1, same size; weights [y, x, channel, 1]."""

    channel_shape = (1, 1, -1, 1)
    kernel, stride, pad = 3, 1, (1, 1, 1, 1)

    def __init__(self, channels, rng):
        super().__init__((3, 3, channels, 1), 9, channels, True, rng)

    def forward(self, images):
        self.shape = images.shape
        self.taps = windows(images, self.kernel, self.stride, self.pad, 0)
        flat = self.weights.reshape(9, -1)
        return self.activate((self.taps * flat).sum(axis=3))

    def backward(self, gradient):
        gradient = self.before_activation(gradient)[:, :, :, None]
        weights = (self.taps * gradient).sum(axis=(0, 1, 2))
        self.gradients["weights"] = weights.reshape(self.weights.shape)
        taps = gradient * self.weights.reshape(9, -1)
        return _fold(taps, self.shape, self.kernel, self.stride, self.pad)


class Fixed:
    """Shared by the layers without weights."""

    def parameters(self):
        return []

    def fold(self):
        pass


class MaxPool(Fixed):
    """kernel x kernel maximum, stride = kernel."""

    def __init__(self, kernel):
        self.kernel = kernel

    def forward(self, images):
        self.shape = images.shape
        taps = windows(images, self.kernel, self.kernel, (0, 0, 0, 0), 0)
        self.choice = taps.argmax(axis=3)[:, :, :, None]
        self.taps_shape = taps.shape
        self.output = np.take_along_axis(taps, self.choice, axis=3)[:, :, :, 0]
        return self.output

    def backward(self, gradient):
        taps = np.zeros(self.taps_shape, np.float32)
        np.put_along_axis(taps, self.choice, gradient[:, :, :, None], axis=3)
        return _fold(taps, self.shape, self.kernel, self.kernel, (0, 0, 0, 0))


class Residual:
    """relu(x + body(x))."""

    def __init__(self, *body):
        self.body = body

    def parameters(self):
        return [entry for layer in self.body for entry in layer.parameters()]

    def fold(self):
        for layer in self.body:
            layer.fold()

    def forward(self, images):
        inner = images
        for layer in self.body:
            inner = layer.forward(inner)
        self.output = np.maximum(images + inner, 0)
        return self.output

    def backward(self, gradient):
        gradient = inner = gradient * (self.output > 0)
        for layer in reversed(self.body):
            inner = layer.backward(inner)
        return gradient + inner


class GlobalAverage(Fixed):
    """Mean over y and x."""

    def forward(self, images):
        self.shape = images.shape
        self.output = images.mean(axis=(1, 2), keepdims=True)
        return self.output

    def backward(self, gradient):
        return np.broadcast_to(gradient / (self.shape[1] * self.shape[2]), self.shape)


class Dense(Conv):
    """Fully connected layer on [n, 1, 1, inputs]: a 1 x 1 convolution, nothing after it."""

    def __init__(self, inputs, outputs, rng):
        super().__init__(inputs, outputs, 1, rng, relu=False, normalised=False)


def build(classes, seed):
    """The layers of the network, untrained."""
    rng = np.random.default_rng(seed)
    same = (1, 1, 1, 1)
    return [
        Conv(1, 16, 3, rng, stride=2, pad=(0, 1, 0, 1)),
        Depthwise(16, rng),
        Conv(16, 32, 1, rng),
        MaxPool(2),
        Residual(Conv(32, 32, 3, rng, pad=same), Conv(32, 32, 3, rng, pad=same, relu=False)),
        Depthwise(32, rng),
        Conv(32, 64, 1, rng),
        GlobalAverage(),
        Dense(64, classes, rng),
    ]


def run(layers, pixels):
    """Logits [n, classes] of pictures with values in [0, 1]."""
    for layer in layers:
        pixels = layer.forward(pixels)
    return pixels[:, 0, 0]


class Trainer:
    """Adam on the cross-entropy of batches, with a cosine learning rate."""

    def __init__(self, layers, steps, rate):
        self.layers, self.steps, self.rate, self.step = layers, steps, rate, 0
        self.slots = [entry for layer in layers for entry in layer.parameters()]
        self.means = [np.zeros_like(getattr(*slot)) for slot in self.slots]
        self.squares = [np.zeros_like(getattr(*slot)) for slot in self.slots]

    def train(self, pixels, labels):
        """One step; returns the mean loss of the batch."""
        logits = run(self.layers, pixels)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        rows = np.arange(len(labels))
        loss = -np.log(chances[rows, labels] + 1e-12).mean()
        chances[rows, labels] -= 1
        gradient = (chances / len(labels))[:, None, None]
        for layer in reversed(self.layers):
            gradient = layer.backward(gradient)
        self._update()
        return loss

    def _update(self):
        self.step += 1
        rate = self.rate * 0.5 * (1 + np.cos(np.pi * self.step / self.steps))
        rate *= np.sqrt(1 - 0.99**self.step) / (1 - 0.9**self.step)
        for (layer, name), mean, square in zip(self.slots, self.means, self.squares):
            gradient = layer.gradients[name]
            mean += 0.1 * (gradient - mean)
            square += 0.01 * (gradient * gradient - square)
            values = getattr(layer, name)
            values -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-7))
