# SPDX-License-Identifier: Apache-2.0
#
# The sa8 cell of long short-term memory to the bit, by the formulas of
# docs/spec/kernels.md: integers only. Formats are (scale, frac bits, zero).

import math


def saturate(bits, value):
    return max(-(1 << (bits - 1)), min((1 << (bits - 1)) - 1, value))


def shift_right(bits, value, count):
    if count < 0:
        return saturate(bits, value << min(-count, 128))
    if count == 0:
        return value
    return 0 if count >= bits else saturate(bits, value + (1 << (count - 1))) >> count


def norm(value, bits=32):
    return bits - 1 - (value if value >= 0 else ~value).bit_length()


def divide(a, b):
    return int(abs(a) // b) * (1 if a >= 0 else -1)


def nearest(scale, zero=0, full=False):
    """The format nearest to `scale`; a power of two has the mantissa 1."""
    mantissa, exponent = math.frexp(scale)
    mantissa = math.floor(mantissa * 32768 + 0.5)
    if mantissa == 32768:
        mantissa, exponent = 16384, exponent + 1
    if mantissa == 16384 and not full:
        return (1, 1 - exponent, zero)
    return (mantissa, 15 - exponent, zero)


def product_scale(first, weights, out):
    """What brings sums of products to `out`: a multiplier of 32 bits."""
    n0 = norm(first[0])
    quotient = divide(first[0] << n0, out[0])
    n1 = norm(quotient)
    ratio = saturate(16, shift_right(32, quotient, 16 - n1))
    base = first[1] + n0 - out[1] - (16 - n1)
    multiplier = ratio * weights[0]
    n2 = norm(multiplier)
    return multiplier << n2, base + weights[1] + n2


def bias_term(code):
    dropped = max(16 - norm(code), 0)
    return code >> dropped << dropped


def dense(inputs, formats, weights, weight_formats, bias, out):
    """One gate: each product is rounded by itself."""
    result = []
    for o in range(len(bias)):
        total = 0
        for n, (x, f, w, wf) in enumerate(zip(inputs, formats, weights, weight_formats)):
            sum_ = sum((x[i] - f[2]) * w[o][i] for i in range(len(x)))
            sum_ += bias_term(bias[o]) if n == 0 else 0
            multiplier, shift = product_scale(f, wf, out)
            part = saturate(32, shift_right(64, sum_ * multiplier, min(shift, 63)))
            total = saturate(32, total + part)
        result.append(saturate(8, saturate(16, saturate(16, total) + out[2])))
    return result


def table(function, length, in_bits, offset):
    return [
        saturate(16, int(math.copysign(math.floor(abs(v) + 0.5), v)))
        for v in (function((i - offset) / 2**in_bits) * 32768 for i in range(length))
    ]


SIGM = (table(lambda x: 1 / (1 + math.exp(-x)), 320, 4, 160), 4, 160)
TANH = (table(math.tanh, 344, 5, 172), 5, 172)


def look_up(code, format, tables, out_bits, zero):
    values, in_bits, offset = tables
    x = shift_right(32, (code - format[2]) * format[0], format[1] - (in_bits + 8))
    i = max(0, min((x >> 8) + offset, len(values) - 2))
    step = values[i] - values[i + 1]
    r = values[i] - saturate(16, shift_right(32, step * (x & 255), 8))
    return saturate(8, shift_right(32, r, 15 - out_bits) + zero)


def sigm(codes, format):
    return [look_up(code, format, SIGM, 8, -128) for code in codes]


def tanh(codes, format):
    return [look_up(code, format, TANH, 7, 0) for code in codes]


def multiply(a, fa, b, fb, out):
    product = fa[0] * fb[0]
    n = norm(product)
    quotient = divide(product << n, out[0])
    n1 = norm(quotient)
    scale = saturate(16, shift_right(32, quotient, 16 - n1))
    shift = fa[1] + fb[1] - out[1] + n - (16 - n1)
    t = max(shift - 31, 0) + min(shift + 31, 0)
    scale, shift = shift_right(16, scale, t), shift - t
    pre = max(0, min(shift - 21, 3))
    result = []
    for x, y in zip(a, b):
        sum_ = saturate(16, x - fa[2]) * saturate(16, y - fb[2])
        narrow = saturate(16, shift_right(32, sum_, pre))
        value = saturate(16, shift_right(32, narrow * scale, shift - pre))
        result.append(saturate(8, saturate(16, value + out[2])))
    return result


def add(a, fa, b, fb, out):
    def term(code, f):
        n = norm(f[0])
        quotient = divide(f[0] << n, out[0])
        n1 = norm(quotient)
        scale = saturate(16, shift_right(32, quotient, 16 - n1))
        shift = n + f[1] - out[1] - (16 - n1)
        t = max(shift - 23, 0) + min(shift + 31, 0)
        scale, shift = shift_right(16, scale, t), shift - t
        return shift_right(32, saturate(16, code - f[2]) * scale, shift)

    return [
        saturate(8, saturate(16, saturate(16, saturate(32, term(x, fa) + term(y, fb))) + out[2]))
        for x, y in zip(a, b)
    ]


GATE, SIGM_FORMAT, TANH_FORMAT = (1, 4, 0), (1, 8, -128), (1, 7, 0)


def lstm(rows, fx, hidden, fh, cell, fc, weights, weight_formats, bias, out):
    """All outputs and the cell; gates in the order input, cell, forget, output,
    each with the weights of the input and of the hidden state."""
    outputs = []
    for x in rows:
        i, g, f, o = (
            dense([x, hidden], [fx, fh], weights[k], weight_formats[k], bias[k], GATE)
            for k in range(4)
        )
        i, f, o = sigm(i, GATE), sigm(f, GATE), sigm(o, GATE)
        g = tanh(g, GATE)
        cell = multiply(cell, fc, f, SIGM_FORMAT, fc)
        gated = multiply(g, TANH_FORMAT, i, SIGM_FORMAT, TANH_FORMAT)
        cell = add(cell, fc, gated, TANH_FORMAT, fc)
        seen = tanh(cell, fc)
        hidden = multiply(seen, TANH_FORMAT, o, SIGM_FORMAT, out)
        fh = out
        outputs.append(hidden)
    return outputs, cell
