# SPDX-License-Identifier: Apache-2.0
#
# Prints a RELU that is wrong, with COUNT other names before its own:
# long-name.py COUNT

import sys

names = [f"part{number}/Add" for number in range(int(sys.argv[1]))] + ["net/Relu"]
print(
    f"""!in = tensor<8x!mli.sa8<1:4:0>>
!out = tensor<4x!mli.sa8<1:4:0>>
func.func @main(%in: !in) -> !out {{
  %init = tensor.empty() : !out
  %out = mli.relu ins(%in : !in) outs(%init : !out) {{relu = #mli.relu<gen>}} -> !out
    loc(fused<"operator 7 (RELU)">["{";".join(names)}"])
  return %out : !out
}}"""
)
