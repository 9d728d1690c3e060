"""wholes_of_wholes.py FORM: many parts that are inserted into what parts are inserted into
as well: "fork", twice into what two halves are; "slice", into one of what is not complete;
"nested", into one each, which are parts of a whole that a call returns.
"""

import sys

COUNT = 32
WHOLE, HALF = "tensor<%dx!mli.fx8<3>>" % (2 * COUNT), "tensor<%dx!mli.fx8<3>>" % COUNT
PART = "tensor<1x!mli.fx8<3>>"


def insert(part, whole, at, result, size, kind, part_kind=PART):
    return ("  %s = tensor.insert_slice %s into %s[%d] [%d] [1] : %s into %s\n"
            % (result, part, whole, at, size, part_kind, kind))


def chain(begin, name, kind):
    """Parts one after the other; the last value is %NAME<COUNT - 1>."""
    text = ""
    for i in range(COUNT):
        text += insert("%p", begin, i, "%%%s%d" % (name, i), 1, kind)
        begin = "%%%s%d" % (name, i)
    return text


def slice_of(whole, at, result):
    return ("  %s = tensor.extract_slice %s[%d] [%d] [1] : %s to %s\n"
            % (result, whole, at, COUNT, WHOLE, HALF))


def halves(between=""):
    return ("  %%e = tensor.empty() : %s\n" % WHOLE +
            insert("%h", "%e", 0, "%i0", COUNT, WHOLE, HALF) + between +
            insert("%h", "%i0", COUNT, "%i1", COUNT, WHOLE, HALF))


def function(body, *results):
    names = ", ".join(name for name, _ in results)
    kinds = ", ".join(kind for _, kind in results)
    return ("func.func private @begin() -> %s\n"
            "func.func @main(%%h: %s, %%p: %s) -> (%s) {\n%s  return %s : %s\n}"
            % (WHOLE, HALF, PART, kinds, body, names, kinds))


def fork():
    last = COUNT - 1
    return function(halves() + chain("%i1", "x", WHOLE) + chain("%i1", "y", WHOLE),
                    ("%%x%d" % last, WHOLE), ("%%y%d" % last, WHOLE))


def slice():
    return function(halves(slice_of("%i0", 0, "%s")) + chain("%s", "x", HALF),
                    ("%i1", WHOLE), ("%%x%d" % (COUNT - 1), HALF))


def nested():
    body, whole = "  %%w = call @begin() : () -> %s\n" % WHOLE, "%w"
    for i in range(COUNT):
        body += slice_of(whole, i, "%%s%d" % i)
        body += chain("%%s%d" % i, "x%d_" % i, HALF)
        body += insert("%%x%d_%d" % (i, COUNT - 1), whole, i, "%%w%d" % i, COUNT, WHOLE,
                       HALF)
        whole = "%%w%d" % i
    return function(body, (whole, WHOLE))


print({"fork": fork, "slice": slice, "nested": nested}[sys.argv[1]]())
