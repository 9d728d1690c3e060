"""Checks that the guide of reports has all of their keys: `report-keys.py GUIDE FILE.json`.

Memory maps have a guide of their own. Prints how many keys the file has.
"""

import json
import re
import sys


def find_keys(value):
    if isinstance(value, list):
        return set().union(*map(find_keys, value))
    if isinstance(value, dict):
        below = (find_keys(v) for k, v in value.items() if k != "memories")
        return set(value).union(*below)
    return set()


def main(guide, path):
    described = set(re.findall(r"`(\w+)`", open(guide, encoding="utf-8").read()))
    keys = find_keys(json.load(open(path, encoding="utf-8")))
    if keys - described:
        sys.exit(f"error: expected keys that '{guide}' has, but got {sorted(keys - described)}")
    print(f"{len(keys)} keys")


main(*sys.argv[1:])
