# SPDX-License-Identifier: Apache-2.0
#
# What networks of one operator are made of, and the list of those whose codes
# have 8 bits: each comes with what it computes and how far a kernel may be off,
# 1 step where it rounds, nothing where it moves.

import random

import reference as ref

CASES = {}

# The share of elements that may be off, or one at least; all for others.
SHARES = {
    "CONV_2D": 0.005,
    "DEPTHWISE_CONV_2D": 0.005,
    "TRANSPOSE_CONV": 0.005,
    "FULLY_CONNECTED": 0.005,
    "BATCH_MATMUL": 0.005,
    "SVDF": 0.01,
    "UNIDIRECTIONAL_SEQUENCE_LSTM": 0.15,
    "SUM": 0.005,
    "ADD": 0.15,
    "SUB": 0.15,
}


def case(function):
    CASES[function.__name__] = function
    return function


def several(*parameters, into=CASES):
    """One case for each set of parameters."""

    def add(function):
        for values in parameters:
            name = "_".join([function.__name__] + [str(v).lower() for v in values])
            into[name.replace(" ", "")] = lambda values=values: function(*values)
        return function

    return add


def codes(count, low=-127, high=127):
    return [random.randint(low, high) for _ in range(count)]


def weights(net, shape, axis, per_axis, count):
    """A constant, quantised along `axis` or per tensor."""
    scale = [0.004 + 0.001 * i for i in range(count)] if per_axis else 0.006
    tensor = net.tensor(shape, scale, 0, data=codes(ref.size(shape)), axis=axis)
    tensor.axis = axis
    return tensor


def bias(net, x, w, count, type="INT32"):
    scales = w.scale if isinstance(w.scale, list) else [w.scale] * count
    data = [random.randint(-2000, 2000) for _ in range(count)]
    tensor = net.tensor(
        [count], [x.scale * s for s in scales] if isinstance(w.scale, list) else x.scale * w.scale,
        type=type, data=data, axis=3,
    )
    return tensor, [code * x.scale * s for code, s in zip(data, scales)]
