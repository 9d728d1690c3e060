# SPDX-License-Identifier: Apache-2.0
#
# What forms of TOSA are written with: a list of them, how far off they may be,
# and the same random numbers everywhere.

import math

from tosa import size_of

FORMS = []


class Random:
    """The same numbers everywhere."""

    def __init__(self, seed):
        self.state = seed

    def between(self, low, high):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return low + (self.state >> 33) % (high - low + 1)

    def codes(self, shape, low=-128, high=127):
        return [self.between(low, high) for _ in range(size_of(shape))]


def form(name, share=0.0, distance=1, double_round=False):
    """Of the elements `share` may be `distance` off."""

    def add(build):
        FORMS.append((name, share, distance, double_round, build))
        return build

    return add


# Kernels of sums round each operand by itself: where both are scaled, that gives
# another code for a quarter of all numbers. That of averages has 8 bits of the
# factor. Front ends take them for up to NEAR of all numbers by themselves. The rest
# is what few codes deviate.
WEIGHTED, SUM, NEAR, EXACT = 0.005, 0.33, 0.15, 0.02
AVERAGE, MEAN = 0.35, 0.9
# The shares of forms that several kernels compute.
CHOSEN = SUM, AVERAGE, MEAN


def weights(graph, random, shape):
    return graph.constant(shape, random.codes(shape, -127, 127))


def bias(graph, random, count):
    return graph.constant([count], random.codes([count], -9000, 9000), "i32")


def factors(taps, count):
    """Factors that leave sums of `taps` products most of the range of i8."""
    return [0.009 / math.sqrt(taps) * (1 + 0.37 * i / count) for i in range(count)]
