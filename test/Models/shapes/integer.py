# SPDX-License-Identifier: Apache-2.0
#
# Integer arithmetic of the quantised network: TOSA's operators on numpy
# arrays, bit for bit, with single rounding (half up). Needs numpy only.

import math

import numpy as np

INT8_MIN, INT8_MAX = -128, 127
ONE_Q31 = 2**31 - 1


def quantize_multiplier(scale):
    """(multiplier, shift) with scale = multiplier / 2^shift, multiplier in [2^30, 2^31)."""
    mantissa, exponent = math.frexp(scale)
    multiplier = round(mantissa * 2**31)
    if multiplier == 2**31:
        multiplier, exponent = 2**30, exponent + 1
    shift = 31 - exponent
    if not 2 <= shift <= 62:
        raise ValueError(f"expected a scale between 2^-31 and 2^29, but got {scale}")
    return multiplier, shift


def rounded_shift(values, shift):
    """values / 2^shift, rounded half up; shift >= 0."""
    values = np.asarray(values, np.int64)
    return (values + ((np.int64(1) << shift) >> 1)) >> shift


def rescale(values, multiplier, shift, in_zero=0, out_zero=0, low=INT8_MIN, high=INT8_MAX):
    """tosa.rescale, SINGLE_ROUND; multiplier and shift are numbers or per-channel arrays."""
    product = (values.astype(np.int64) - in_zero) * multiplier
    return np.clip(rounded_shift(product, np.asarray(shift, np.int64)) + out_zero, low, high)


def windows(images, kernel, stride, pad, fill):
    """[n, h, w, kernel * kernel, c] views of images[n, y, x, c] under a sliding window."""
    top, bottom, left, right = pad
    padded = np.pad(images, ((0, 0), (top, bottom), (left, right), (0, 0)), constant_values=fill)
    height = (padded.shape[1] - kernel) // stride + 1
    width = (padded.shape[2] - kernel) // stride + 1
    taps = [padded[:, y:y + height * stride:stride, x:x + width * stride:stride]
            for y in range(kernel) for x in range(kernel)]
    taps = [tap[:, :height, :width] for tap in taps]
    return np.stack(taps, axis=3)


def conv2d(images, weights, bias, zero, stride, pad):
    """tosa.conv2d; weights [out, y, x, in], zero = zero point of the input, int32 result."""
    kernel = weights.shape[1]
    # Sums stay far below 2^53, so a floating-point matrix product is exact.
    taps = windows(images.astype(np.float64), kernel, stride, pad, zero) - zero
    flat = taps.reshape(-1, weights[0].size)
    sums = flat @ weights.reshape(len(weights), -1).T.astype(np.float64)
    return sums.reshape(*taps.shape[:3], -1).astype(np.int64) + bias


def depthwise_conv2d(images, weights, bias, zero, stride, pad):
    """tosa.depthwise_conv2d; weights [y, x, channel, 1]."""
    kernel, channels = weights.shape[0], weights.shape[2]
    taps = windows(images.astype(np.int64), kernel, stride, pad, zero) - zero
    return np.einsum("nhwkc,kc->nhwc", taps, weights.reshape(-1, channels).astype(np.int64)) + bias


def max_pool2d(images, kernel):
    """tosa.max_pool2d, stride = kernel, no padding."""
    return windows(images, kernel, kernel, (0, 0, 0, 0), INT8_MIN).max(axis=3)


def avg_pool2d_global(images, zero):
    """tosa.avg_pool2d over the whole picture, the same zero point before and after."""
    count = images.shape[1] * images.shape[2]
    bits = (count - 1).bit_length()
    reciprocal = (((1 << 30) + 1) << bits) // count
    sums = (images.astype(np.int64) - zero).sum(axis=(1, 2), keepdims=True)
    return np.clip(rounded_shift(sums * reciprocal, 30 + bits) + zero, INT8_MIN, INT8_MAX)


def _high_product(a, b):
    """Product of two Q31 numbers, rounded half up."""
    return (a * b + 2**30) >> 31


def _halve(value, power):
    """value / 2^power, rounded half away from zero."""
    magnitude = (abs(value) + (1 << power >> 1)) >> power
    return magnitude if value >= 0 else -magnitude


def _exp_q31(exponent_q26):
    """exp(x) in Q31 for x = exponent_q26 / 2^26, -32 < x <= 0.

    x = r - 1/4 * k with r in [-1/4, 0): a fourth-order polynomial around -1/8
    for exp(r), then one product per set bit of k.
    """
    if exponent_q26 == 0:
        return ONE_Q31
    quarter = 1 << 24
    remainder = (exponent_q26 & (quarter - 1)) - quarter
    x = (remainder << 5) + (1 << 28)
    x2 = _high_product(x, x)
    x3 = _high_product(x2, x)
    x4 = _high_product(x2, x2)
    third = round(2**31 / 3)
    tail = _halve(_high_product(_halve(x4, 2) + x3, third) + x2, 1)
    centre = round(math.exp(-1 / 8) * 2**31)
    result = min(centre + _high_product(centre, x + tail), ONE_Q31)
    steps = (remainder - exponent_q26) >> 24
    for bit in range(7):
        if steps >> bit & 1:
            result = _high_product(result, round(math.exp(-(2.0**bit) / 4) * 2**31))
    return result


def softmax_exponentials(input_scale):
    """513 numbers: exp(input_scale * d) in Q31 for d = -256 .. 0, zero above.

    Below the point where the exponent leaves the 5 integer bits, also zero.
    """
    mantissa, exponent = math.frexp(min(input_scale * 2.0**26, 2.0**31 - 1))
    multiplier = round(mantissa * 2**31)
    if multiplier == 2**31:
        multiplier, exponent = 2**30, exponent + 1
    if exponent < 0:
        raise ValueError(f"expected a softmax input scale of at least 2^-26, but got {input_scale}")
    lowest = -((31 << 26) >> exponent)
    table = [_exp_q31(_high_product(d << exponent, multiplier)) if d >= lowest else 0
             for d in range(-256, 1)]
    return np.array(table + [0] * 256, np.int64)


def softmax_tables(input_scale):
    """The four byte planes of softmax_exponentials, highest first, as tosa.table wants them."""
    exponentials = softmax_exponentials(input_scale)
    return [(exponentials >> shift & 255).astype(np.int16) for shift in (24, 16, 8, 0)]


def _mul(a, b, shift):
    """tosa.mul on i32."""
    return rounded_shift(a * b, shift)


def softmax(logits, exponentials):
    """int8 probabilities (scale 1/256, zero point -128) of int8 logits [n, classes]."""
    logits = logits.astype(np.int64)
    exps = exponentials[256 + logits - logits.max(axis=1, keepdims=True)]
    total = rounded_shift(exps, 12).sum(axis=1, keepdims=True)
    zeros = np.array([[32 - int(t).bit_length()] for t in total[:, 0]], np.int64)
    half = total << (zeros - 1)
    # Newton's iteration for 1 / half, from the best linear guess 48/17 - 32/17 x.
    guess = _mul(half, np.int64(-1010580540), 31) + 1515870810
    for _ in range(3):
        error = (1 << 29) - _mul(guess, half, 31)
        guess = guess + 4 * _mul(guess, error, 31)
    probabilities = rounded_shift(_mul(exps, guess, 30), 35 - zeros)
    return np.clip(probabilities + INT8_MIN, INT8_MIN, INT8_MAX)
