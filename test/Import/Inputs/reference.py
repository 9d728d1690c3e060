# SPDX-License-Identifier: Apache-2.0
#
# What operators of TFLite compute, in real numbers: slow, and with nothing of
# the kernels in it. Tensors are (shape, flat list of real numbers).

import itertools
import math


def size(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def flat(shape, index):
    position = 0
    for extent, i in zip(shape, index):
        position = position * extent + i
    return position


def indices(shape):
    return itertools.product(*(range(extent) for extent in shape))


def real(tensor, codes):
    """Codes of `tensor` as real numbers."""
    if tensor.scale is None:
        return list(codes)
    if not isinstance(tensor.scale, list):
        return [(code - tensor.zero) * tensor.scale for code in codes]
    axis = tensor.axis
    inner = size(tensor.shape[axis + 1 :])
    return [
        code * tensor.scale[i // inner % tensor.shape[axis]] for i, code in enumerate(codes)
    ]


def codes_of(tensor, numbers):
    """The nearest codes, halves up."""
    low, high = {
        "INT8": (-128, 127),
        "UINT8": (0, 255),
        "INT16": (-32768, 32767),
        "INT32": (-(2**31), 2**31 - 1),
        "INT64": (-(2**63), 2**63 - 1),
    }[tensor.type]
    scale = tensor.scale or 1
    return [
        max(low, min(high, math.floor(number / scale + 0.5) + tensor.zero)) for number in numbers
    ]


def windows(extent, kernel, stride, dilation, padding):
    """The first input index of each window, and how many there are."""
    reach = (kernel - 1) * dilation + 1
    if padding == "SAME":
        count = -(-extent // stride)
        before = max((count - 1) * stride + reach - extent, 0) // 2
    else:
        count = (extent - reach) // stride + 1
        before = 0
    return [i * stride - before for i in range(count)]


def activate(numbers, activation):
    low, high = {
        None: (-math.inf, math.inf),
        "RELU": (0, math.inf),
        "RELU6": (0, 6),
        "RELU_N1_TO_1": (-1, 1),
    }[activation]
    return [max(low, min(high, number)) for number in numbers]


def conv(shape, x, wshape, w, bias, stride, dilation, padding, groups=1):
    """OHWI weights; `groups` of channels do not meet."""
    batch, height, width, channels = shape
    outputs, kh, kw, inner = wshape
    rows = windows(height, kh, stride[0], dilation[0], padding)
    columns = windows(width, kw, stride[1], dilation[1], padding)
    result = []
    for b, y0, x0, o in itertools.product(range(batch), rows, columns, range(outputs)):
        first = o // (outputs // groups) * inner
        total = bias[o] if bias else 0
        for ky, kx in itertools.product(range(kh), range(kw)):
            y, z = y0 + ky * dilation[0], x0 + kx * dilation[1]
            if 0 <= y < height and 0 <= z < width:
                for c in range(inner):
                    total += (
                        x[flat(shape, (b, y, z, first + c))] * w[flat(wshape, (o, ky, kx, c))]
                    )
        result.append(total)
    return [batch, len(rows), len(columns), outputs], result


def depthwise(shape, x, wshape, w, bias, stride, dilation, padding):
    """1HWC weights, whose channel c * M + m is filter m of channel c."""
    _, kh, kw, outputs = wshape
    swapped = [w[flat(wshape, (0, ky, kx, o))] for o, ky, kx in indices([outputs, kh, kw])]
    return conv(
        shape, x, [outputs, kh, kw, 1], swapped, bias, stride, dilation, padding, shape[3]
    )


def transpose_conv(shape, x, wshape, w, bias, stride, before, out):
    """Each input spreads over a window of the output."""
    outputs, kh, kw, channels = wshape
    result = [bias[i % outputs] if bias else 0 for i in range(size(out))]
    for b, y, z, ky, kx in indices([shape[0], shape[1], shape[2], kh, kw]):
        oy, oz = y * stride[0] + ky - before[0], z * stride[1] + kx - before[1]
        if not (0 <= oy < out[1] and 0 <= oz < out[2]):
            continue
        for o, c in indices([outputs, channels]):
            result[flat(out, (b, oy, oz, o))] += (
                x[flat(shape, (b, y, z, c))] * w[flat(wshape, (o, ky, kx, c))]
            )
    return result


def pool(shape, x, kernel, stride, padding, function):
    batch, height, width, channels = shape
    rows = windows(height, kernel[0], stride[0], 1, padding)
    columns = windows(width, kernel[1], stride[1], 1, padding)
    result = []
    for b, y0, x0, c in itertools.product(range(batch), rows, columns, range(channels)):
        values = [
            x[flat(shape, (b, y, z, c))]
            for y in range(max(y0, 0), min(y0 + kernel[0], height))
            for z in range(max(x0, 0), min(x0 + kernel[1], width))
        ]
        result.append(function(values))
    return [batch, len(rows), len(columns), channels], result


def mean(values):
    return sum(values) / len(values)


def reduce(shape, x, axes, function):
    kept = [i for i in range(len(shape)) if i not in axes]
    result = []
    for outer in indices([shape[i] for i in kept]):
        values = []
        for inner in indices([shape[i] for i in axes]):
            index = [0] * len(shape)
            for i, value in zip(list(kept) + list(axes), list(outer) + list(inner)):
                index[i] = value
            values.append(x[flat(shape, index)])
        result.append(function(values))
    return result


def broadcast(shape, x, to):
    """x repeated to the shape `to`."""
    padded = [1] * (len(to) - len(shape)) + list(shape)
    return [
        x[flat(padded, [i if extent > 1 else 0 for extent, i in zip(padded, index)])]
        for index in indices(to)
    ]


def transpose(shape, x, order):
    to = [shape[i] for i in order]
    result = []
    for index in indices(to):
        source = [0] * len(shape)
        for i, value in zip(order, index):
            source[i] = value
        result.append(x[flat(shape, source)])
    return to, result


def part(shape, x, begins, ends, steps):
    ranges = [range(b, e, s) for b, e, s in zip(begins, ends, steps)]
    return [len(r) for r in ranges], [x[flat(shape, i)] for i in itertools.product(*ranges)]


def pad(shape, x, amounts, value):
    to = [e + low + high for e, (low, high) in zip(shape, amounts)]
    result = []
    for index in indices(to):
        source = [i - low for i, (low, _) in zip(index, amounts)]
        inside = all(0 <= i < e for i, e in zip(source, shape))
        result.append(x[flat(shape, source)] if inside else value)
    return to, result


def rows(shape, x, function):
    """`function` of each row along the last dimension."""
    width = shape[-1]
    result = []
    for i in range(0, len(x), width):
        result += function(x[i : i + width])
    return result


def softmax(row):
    powers = [math.exp(value - max(row)) for value in row]
    return [power / sum(powers) for power in powers]


def normalize(row):
    length = math.sqrt(sum(value * value for value in row))
    return [value / length if length else 0 for value in row]


def sigmoid(value):
    return 1 / (1 + math.exp(-value))
