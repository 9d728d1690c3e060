"""Compiles a file as another one of the tree is compiled, without output.

  compile.py BUILD SOURCE FILE
"""

import json
import os
import shlex
import subprocess
import sys

build, source, file = sys.argv[1:]
with open(os.path.join(build, "compile_commands.json")) as commands:
    entry = next(e for e in json.load(commands) if e["file"].endswith(f"/{source}"))
command = shlex.split(entry["command"])
output = command.index("-o")
command[output : output + 2] = ["-fsyntax-only", "-fdiagnostics-color=never"]
source_at = command.index("-c")
command[source_at : source_at + 2] = [os.path.abspath(file)]
sys.exit(subprocess.run(command, cwd=entry["directory"]).returncode)
