# SPDX-License-Identifier: Apache-2.0
#
# Draws the pictures the network learns from: one shape per grey picture, at a
# random place, size, rotation and stretch, on a sloping, noisy, speckled
# ground. Needs numpy only.

import numpy as np

SIZE = 32
OVERSAMPLING = 3


def _polygon(corners):
    """Inside test of a closed polygon, by counting edge crossings."""
    corners = np.array(corners, np.float32)

    def inside(x, y, _):
        odd = np.zeros(x.shape, bool)
        for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0)):
            if y0 == y1:
                continue
            odd ^= ((y0 <= y) != (y1 <= y)) & (x < x0 + (y - y0) * ((x1 - x0) / (y1 - y0)))
        return odd

    return inside


def _star_corners():
    angles = np.arange(10) * np.pi / 5
    radii = np.where(np.arange(10) % 2, 0.45, 1.1)
    return np.stack([radii * np.sin(angles), -radii * np.cos(angles)], axis=1)


def _circle(x, y, _):
    return x * x + y * y < 0.8


def _ring(x, y, thickness):
    radius = x * x + y * y
    return (radius < 1) & (radius > (0.85 - 0.5 * thickness) ** 2)


def _square(x, y, _):
    return np.maximum(abs(x), abs(y)) < 0.8


def _bar(x, y, thickness):
    return (abs(x) < 1.1) & (abs(y) < 0.14 + 0.16 * thickness)


def _cross(x, y, thickness):
    width = 0.16 + 0.16 * thickness
    return (np.minimum(abs(x), abs(y)) < width) & (np.maximum(abs(x), abs(y)) < 1)


def _crescent(x, y, thickness):
    shifted = x - (0.35 + 0.3 * thickness)
    return (x * x + y * y < 1) & (shifted * shifted + y * y > 0.72)


def _heart(x, y, _):
    x, y = 1.2 * x, 0.1 - 1.2 * y
    return (x * x + y * y - 1) ** 3 < x * x * y**3


# Each shape is a test of points (x, y), about one unit around the origin; the
# third argument is a thickness in [0, 1).
SHAPES = {
    "arrow": _polygon([(1.1, 0), (0.1, 0.8), (0.1, 0.28), (-1, 0.28), (-1, -0.28), (0.1, -0.28),
                       (0.1, -0.8)]),
    "bar": _bar,
    "circle": _circle,
    "crescent": _crescent,
    "cross": _cross,
    "heart": _heart,
    "ring": _ring,
    "square": _square,
    "star": _polygon(_star_corners()),
    "triangle": _polygon([(0, -1.1), (0.95, 0.6), (-0.95, 0.6)]),
}
LABELS = list(SHAPES)


def _masks(label, count, rng):
    """[count, SIZE, SIZE] coverage in [0, 1] of random placings of one shape."""
    def column(low, high):
        return rng.uniform(low, high, (count, 1, 1)).astype(np.float32)

    points = SIZE * OVERSAMPLING
    axis = (np.arange(points, dtype=np.float32) + 0.5) / OVERSAMPLING - SIZE / 2
    radius, stretch, angle = column(7, 13), column(0.85, 1.18), column(0, 2 * np.pi)
    room = np.maximum(SIZE / 2 - radius, 0)
    x = axis[None, None, :] - column(-1, 1) * room
    y = axis[None, :, None] - column(-1, 1) * room
    u = (x * np.cos(angle) + y * np.sin(angle)) / (radius * stretch)
    v = (y * np.cos(angle) - x * np.sin(angle)) / (radius / stretch)
    inside = SHAPES[label](u, v, column(0, 1))
    cells = inside.reshape(count, SIZE, OVERSAMPLING, SIZE, OVERSAMPLING)
    return cells.mean(axis=(2, 4), dtype=np.float32)


def draw(count, seed):
    """count pictures, int8 [count, SIZE, SIZE, 1] (grey value - 128), and their label indices."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(len(LABELS), size=count)
    masks = np.empty((count, SIZE, SIZE), np.float32)
    for index, label in enumerate(LABELS):
        places = np.flatnonzero(labels == index)
        for chunk in np.array_split(places, len(places) // 256 + 1):
            masks[chunk] = _masks(label, len(chunk), rng)

    def column(low, high):
        return rng.uniform(low, high, (count, 1, 1)).astype(np.float32)

    slope = np.linspace(-1, 1, SIZE, dtype=np.float32)
    ground = column(40, 110) + column(-30, 30) * slope[None, :, None] + column(-30, 30) * slope
    grey = ground + masks * column(60, 140)
    specks = rng.random(grey.shape, dtype=np.float32) < column(0, 0.02)
    grey = np.where(specks, rng.uniform(0, 255, grey.shape), grey)
    grey += column(2, 16) * rng.standard_normal(grey.shape, dtype=np.float32)
    codes = np.clip(np.rint(grey), 0, 255) - 128
    return codes.astype(np.int8)[..., None], labels
