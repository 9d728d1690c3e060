# SPDX-License-Identifier: Apache-2.0
#
# Long short-term memory in the integers of TFLite: gates of 16 bits with 12
# behind the point, functions by a table of the logistic function, a cell of 16
# bits whose scale is a power of two, and a hidden state of 8 bits.

import math

# The logistic function of i / 24, and of what lies between by interpolation.
TABLE = [min(65535, round(65536 / (1 + math.exp(-i / 24)))) for i in range(256)]


def clamp(value, bits):
    limit = 1 << (bits - 1)
    return max(-limit, min(limit - 1, value))


def multiply(value, factor):
    """By a factor of 31 bits, rounded once."""
    mantissa, exponent = math.frexp(factor)
    multiplier = round(mantissa * (1 << 31))
    shift = 31 - exponent
    return (value * multiplier + (1 << (shift - 1))) >> shift


def look_up(distance, bits):
    """The table at `distance` steps of 2^-`bits`, with as many bits more."""
    index, fraction = distance >> bits, distance & ((1 << bits) - 1)
    return (TABLE[index] << bits) + fraction * (TABLE[index + 1] - TABLE[index])


def logistic(gate):
    value = 3 * gate
    result = 0x7FFF << 10 if abs(value) >> 9 >= 255 else look_up(abs(value), 9)
    return (result + (1 << 9) if value >= 0 else (1 << 25) - result + (1 << 9) - 1) >> 10


def tanh(code, power):
    """Of a number of the scale 2^`power`."""
    left = 12 + power
    value = code * (3 << left) if left >= 0 else (3 * code + (1 << (-left - 1))) >> -left
    result = 0xFFFF << 8 if abs(value) >> 8 >= 255 else look_up(abs(value), 8)
    result = result - (1 << 23) if value >= 0 else (1 << 23) - result - 1
    return (result + (1 << 7)) >> 8


class Cell:
    """Of `forward` and `recurrent` there are those of input, forget, cell and
    output gate, each with its scale, as rows of codes."""

    def __init__(self, x, hidden, power, forward, recurrent, biases, limit):
        self.x, self.hidden, self.power, self.limit = x, hidden, power, limit
        self.forward, self.recurrent, self.biases = forward, recurrent, biases
        self.h = [hidden.zero] * len(biases[0])
        self.c = [0] * len(biases[0])

    def gate(self, k, frame):
        def dense(tensor, codes, weights, bias):
            rows, scale = weights
            return [
                clamp(multiply(
                    sum(w * (v - tensor.zero) for w, v in zip(row, codes)) + start,
                    tensor.scale * scale * 4096,
                ), 16)
                for row, start in zip(rows, bias)
            ]

        first = dense(self.x, frame, self.forward[k], self.biases[k])
        second = dense(self.hidden, self.h, self.recurrent[k], [0] * len(self.h))
        return [clamp(a + b, 16) for a, b in zip(first, second)]

    def step(self, frame):
        """The codes of the hidden state after one more frame."""
        i, f, o = (list(map(logistic, self.gate(k, frame))) for k in (0, 1, 3))
        g = [tanh(gate, -12) for gate in self.gate(2, frame)]
        kept = [clamp(multiply(a * b, 2.0**-15), 16) for a, b in zip(f, self.c)]
        new = [clamp(multiply(a * b, 2.0 ** (-30 - self.power)), 16) for a, b in zip(i, g)]
        self.c = [
            max(-self.limit, min(self.limit, clamp(a + b, 16))) for a, b in zip(kept, new)
        ]
        self.h = [
            clamp(multiply(a * tanh(c, self.power), 2.0**-30 / self.hidden.scale) + self.hidden.zero, 8)
            for a, c in zip(o, self.c)
        ]
        return self.h
