"""Checks a picture of memory from its text: `svg_boxes.py FILE.svg`.

No text may lie over another, rectangles of buffers must lie inside of their axes,
all must lie inside of the picture, and nothing may be fetched or run. Prints how
many there are.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree

ROOM = "{http://www.w3.org/2000/svg}"
# Letters of a monospaced font are .6 of its size wide; .8 of it are above the line.
WIDTH, ASCENT = 0.6, 0.8


def text_box(text, size):
    """The corners (left, top, right, bottom) of a text element."""
    x, y = float(text.get("x")), float(text.get("y"))
    width = len(text.text) * size * WIDTH
    start = {"start": 0, "middle": -width / 2, "end": -width}
    along = start[text.get("text-anchor", "start")]
    up, down = -size * ASCENT, size * (1 - ASCENT)
    turn = text.get("transform")
    if turn is None:
        return (x + along, y + up, x + along + width, y + down)
    assert turn == f"rotate(-90 {text.get('x')} {text.get('y')})", turn
    return (x + up, y - along - width, x + down, y - along)


def rect_box(rect):
    x, y, width, height = (float(rect.get(k, 0)) for k in ("x", "y", "width", "height"))
    return (x, y, x + width, y + height)


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def inside(a, b, slack=0):
    return (
        a[0] >= b[0] - slack
        and a[1] >= b[1] - slack
        and a[2] <= b[2] + slack
        and a[3] <= b[3] + slack
    )


def main(path):
    source = open(path, encoding="utf-8").read()
    root = ElementTree.fromstring(source)
    assert not re.search(r"<script|<image|href|@import|@font-face|url\(", source)
    page = tuple(float(n) for n in root.get("viewBox").split())
    size = float(root.get("font-size"))
    texts = [
        (text.text, text_box(text, float(text.get("font-size", size))))
        for text in root.iter(ROOM + "text")
    ]
    for i, (name, box) in enumerate(texts):
        assert inside(box, page), f"{name!r} is outside of the picture"
        for other, place in texts[:i]:
            assert not overlap(box, place), f"{name!r} lies over {other!r}"
    axes, buffers = None, []
    for element in root:
        if element.get("class") == "axes":
            axes = rect_box(element)
            assert inside(axes, page)
        if element.get("class") == "buffers":
            for rect in element:
                # One pixel is the least that is drawn.
                assert inside(rect_box(rect), axes, slack=1), rect.attrib
                assert rect.find(ROOM + "title").text
                buffers.append(rect)
    panels = len([e for e in root if e.get("class") == "axes"])
    print(f"{panels} panels, {len(buffers)} buffers, {len(texts)} texts")


if __name__ == "__main__":
    main(sys.argv[1])
