# SPDX-License-Identifier: Apache-2.0
#
# help.py BINARIES: reads `--help` of each tool, holds it to what all keep to, and runs its
# examples in this folder, which has some of the files that they read.

import json
import os
import pathlib
import re
import subprocess
import sys

BINARIES = sys.argv[1]
COLUMNS = 100
# The lines that the help of a tool may have.
LINES = {
    "mli-opt": 120, "mli-translate": 80, "mli-run": 170, "mli-plan": 60, "mli-layout": 60,
    "mli-compile": 170, "mli-reduce": 120, "mli-fuzz": 60, "mli-golden": 40, "mli-bench": 50,
    "mli-lsp-server": 50,
}
MESSAGES = [
    {"id": 0, "method": "initialize",
     "params": {"processId": 1, "rootPath": "", "capabilities": {}, "trace": "off"}},
    {"id": 1, "method": "shutdown"},
    {"method": "exit"},
]


def write_samples():
    texts = [json.dumps({"jsonrpc": "2.0", **message}) for message in MESSAGES]
    files = {
        "net.mlir": """!map = tensor<2x2x1x!mli.fx8<4>>
func.func @main(%a: !map, %b: !map) -> !map {
  %init = tensor.empty() : !map
  %sum = mli.eltwise_add ins(%a, %b : !map, !map) outs(%init : !map) -> !map
  return %sum : !map
}
""",
        "buffers.csv": "id,lower,upper,size\ninput,0,2,6\nmid,1,3,4\noutput,2,4,6\n",
        "layers.csv": "name,kind,H,W,Cin,Cout,kh,kw,sh,sw,pt,pb,pl,pr,oh,ow,macs\n"
                      "ten,softmax,1,1,10,10,1,1,1,1,0,0,0,0,1,1,10\n",
        "session.txt": "".join(f"Content-Length: {len(t)}\r\n\r\n{t}" for t in texts),
        "requests.txt": "\n// -----\n".join(texts) + "\n",
        "is-interesting": '#!/bin/sh\n! grep -q mli.eltwise_add "$1"\n',
    }
    for name, text in files.items():
        pathlib.Path(name).write_text(text, newline="")
    os.chmod("is-interesting", 0o755)


def check_text(tool, text):
    lines = text.split("\n")[:-1]
    assert len(lines) <= LINES[tool], f"{tool}: {len(lines)} lines"
    for line in lines:
        assert len(line) <= COLUMNS, f"{tool}: {len(line)} columns: {line}"
    assert re.search(rf"^USAGE: {tool} ", text, re.M), text
    assert re.search(r"^EXIT CODES:\n  0  ", text, re.M), text
    assert "\nFILES:\n" in text, text
    assert "\nothers:\n" not in text, f"{tool}: a pass has no stage in tools/PassHelp.cpp"
    for option in re.findall(r"^  -.*", text.split("\nOPTIONS:\n")[1], re.M):
        assert re.search(r" - \w", option), f"{tool}: no text: {option}"


def check_example(example):
    # Not as many programs as a user would try.
    command = re.sub(r"(mli-fuzz .*--count )\d+", r"\g<1>3", example)
    path = BINARIES + os.pathsep + os.environ["PATH"]
    run = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True,
                         text=True, env={**os.environ, "PATH": path}, check=False)
    assert run.returncode == 0, f"{example}: exit {run.returncode}\n{run.stderr}"


write_samples()
for tool in LINES:
    def ask(option, tool=tool):
        command = [f"{BINARIES}/{tool}", option]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    text = ask("--help")
    assert ask("-h") == text
    check_text(tool, text)
    section = text.split("\nEXAMPLES:\n")[1].split("\n\n")[0]
    examples = [line.strip() for line in section.split("\n")]
    assert all(tool in example for example in examples), section
    for example in examples:
        check_example(example)
    print(f"{tool}: {len(examples)} examples work")
