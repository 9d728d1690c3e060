# SPDX-License-Identifier: Apache-2.0
#
# Networks that are rejected, each with the whole reason:
# check-invalid.py MLI_TRANSLATE FOLDER

import os
import re
import subprocess
import sys

import invalid
import invalid_wide

# Their cases are in the list of `invalid`.
import invalid_elementwise
import invalid_moves
import invalid_state

CASES = {**invalid.CASES, **invalid_wide.CASES}


def main():
    tool, folder = sys.argv[1:]
    wrong = 0
    for name, (create, reason) in CASES.items():
        path = os.path.join(folder, name + ".tflite")
        create().write(path)
        done = subprocess.run(
            [tool, "--import-tflite", path, "-o", os.devnull], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, universal_newlines=True,
        )
        text = re.sub(r"at byte 0x[0-9a-f]+", "at byte N", done.stdout)
        notes = [line.split(": note: ", 1)[1] for line in text.splitlines() if ": note: " in line]
        found = [re.sub(r"^operator .*? at byte N, which computes .*? at byte N: ", "", n) for n in notes]
        found = [re.sub(r"^operator .*? at byte N: ", "", n) for n in found]
        if done.returncode == 0 or found != [reason]:
            wrong += 1
            print("%s: expected\n  %s\nbut got\n  %s" % (name, reason, "\n  ".join(found) or text))
    print("%d of %d rejected as expected" % (len(CASES) - wrong, len(CASES)))
    sys.exit(wrong > 0)


main()
