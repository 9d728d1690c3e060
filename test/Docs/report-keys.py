# SPDX-License-Identifier: Apache-2.0
"""Checks that tables of the guides have all keys: `report-keys.py GUIDES FILE.json`.

FILE.json is a report, or memory maps. Prints how many keys it has of each guide.
"""

import json
import pathlib
import re
import sys

# Of keys in memory maps, whose fields are in a guide of their own.
OTHER_GUIDES = {"parts": "tiling", "moved": "tiling", "streams": "streams", "rings": "streams"}


def find_keys(value, guide, found):
    """Adds the keys below `value` to those of their guides."""
    if isinstance(value, list):
        for each in value:
            find_keys(each, guide, found)
    if isinstance(value, dict):
        found.setdefault(guide, set()).update(value)
        for key, below in value.items():
            if key == "memories":
                find_keys(below, "memory", found)
            else:
                find_keys(below, guide if guide == "report" else OTHER_GUIDES.get(key, guide), found)
    return found


def main(guides, path):
    content = json.load(open(path, encoding="utf-8"))
    found = find_keys(content, "memory" if isinstance(content, list) else "report", {})
    for guide, keys in sorted(found.items()):
        page = pathlib.Path(guides, guide + ".md")
        rows = re.findall(r"^\|.*", page.read_text(encoding="utf-8"), re.M)
        described = set(re.findall(r"`(\w+)`", "\n".join(rows)))
        # The first keys of a report are in the text around the tables.
        keys -= {"format", "functions", "memories"}
        if keys - described:
            sys.exit(f"error: expected keys that '{page}' has, but got {sorted(keys - described)}")
        print(f"{guide}: {len(keys)} keys")


main(*sys.argv[1:])
