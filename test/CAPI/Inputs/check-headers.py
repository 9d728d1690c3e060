# SPDX-License-Identifier: Apache-2.0
#
# Compiles each header of the C API alone, as C and as C++: check-headers.py BUILD

import pathlib
import subprocess
import sys

LANGUAGES = {"c": ["c99", "c11"], "c++": ["c++11", "c++20"]}

rooms = pathlib.Path(sys.argv[1], "rooms", "CAPI")
upstream = subprocess.run(
    ["llvm-config", "--includedir"], capture_output=True, text=True, check=True
).stdout.strip()
headers = sorted((rooms / "include" / "mli-c").glob("*.h"))
for header in headers:
    for language, standards in LANGUAGES.items():
        for standard in standards:
            subprocess.run(
                [
                    "clang", "-x", language, f"-std={standard}", "-fsyntax-only",
                    "-Wall", "-Wextra", "-pedantic", "-Werror",
                    f"-I{rooms}/include", f"-I{rooms}/generated", "-isystem", upstream,
                    "-",
                ],
                input=f'#include "mli-c/{header.name}"\n',
                text=True,
                check=True,
            )
print(len(headers), "headers")
