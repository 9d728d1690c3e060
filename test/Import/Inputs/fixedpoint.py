# SPDX-License-Identifier: Apache-2.0
#
# The integer arithmetic of TFLite's reference kernels with single rounding:
# multipliers of 31 bits, and numbers of 32 bits with some of them in front of
# the point, as its softmax has them.

import math
import struct


def float32(number):
    return struct.unpack("<f", struct.pack("<f", number))[0]


def clamp(bits, value):
    return max(-(1 << (bits - 1)), min((1 << (bits - 1)) - 1, value))


def multiplier(real):
    """A number as mantissa of 31 bits and exponent."""
    mantissa, exponent = math.frexp(real)
    code = math.floor(mantissa * 2**31 + 0.5)
    return (code // 2, exponent + 1) if code == 2**31 else (code, exponent)


def scaled(value, factor):
    """`value` times a multiplier, halves up."""
    code, exponent = factor
    shift = 31 - exponent
    return (value * code + (1 << (shift - 1))) >> shift


def double_high(a, b):
    """The high half of the doubled product, halves away from 0."""
    product = a * b
    nudge = (1 << 30) if product >= 0 else 1 - (1 << 30)
    total = product + nudge
    return clamp(32, abs(total) // (1 << 31) * (1 if total >= 0 else -1))


def divide_power(value, exponent):
    """`value * 2^-exponent`, halves away from 0."""
    mask = (1 << exponent) - 1
    rest = value & mask
    threshold = (mask >> 1) + (1 if value < 0 else 0)
    return (value >> exponent) + (1 if rest > threshold else 0)


def rescale(value, exponent):
    """`value * 2^exponent`."""
    return clamp(32, value << exponent) if exponent >= 0 else divide_power(value, -exponent)


EXPONENTIALS = [
    (-2, 1672461947), (-1, 1302514674), (0, 790015084), (1, 290630308), (2, 39332535), (3, 720401),
    (4, 242),
]


def exponential(value):
    """e^x of 0 integer bits, for x up to 0 of 5."""
    if value == 0:
        return 2**31 - 1
    quarter = 1 << 24
    low = (value & (quarter - 1)) - quarter
    x = rescale(low, 5) + (1 << 28)
    x2 = double_high(x, x)
    x3, x4 = double_high(x2, x), double_high(x2, x2)
    inner = double_high(divide_power(x4, 2) + x3, 715827883) + x2
    base = 1895147668
    result = clamp(32, base + double_high(base, x + divide_power(inner, 1)))
    rest = low - value
    for exponent, factor in EXPONENTIALS:
        if rest & (1 << (26 + exponent)):
            result = double_high(result, factor)
    return result


def reciprocal(sum_):
    """1 / sum of 12 integer bits: a number of 0, and how far to shift it."""
    leading = 32 - sum_.bit_length()
    fraction = (sum_ << leading) - (1 << 31)
    half = (fraction + 2**31 - 1 + 1) >> 1
    x = 1515870810 + double_high(half, -1010580540)
    for _ in range(3):
        x += rescale(double_high(x, (1 << 29) - double_high(half, x)), 2)
    return rescale(x, 1), 12 - leading


def softmax16(codes, scale, beta):
    """Softmax of codes of 8 bits, in 16 bits."""
    real = min(beta * scale * (1 << 26), 2**31 - 1)
    factor = multiplier(real)
    least = -math.floor((31 * 2**26) / 2 ** factor[1])
    powers = [
        exponential(scaled(code - max(codes), factor)) if code - max(codes) >= least else None
        for code in codes
    ]
    inverse, bits = reciprocal(sum(divide_power(p, 12) for p in powers if p is not None))
    return [
        -32768
        if power is None
        else clamp(16, divide_power(double_high(inverse, power), bits + 31 - 16) - 32768)
        for power in powers
    ]
