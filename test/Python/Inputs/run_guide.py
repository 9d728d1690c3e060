# SPDX-License-Identifier: Apache-2.0
"""Does what docs/guides/python.md says, in a folder elsewhere:
  run_guide.py BUILD TEMP shell|python

TEMP gets links to the build folder and the tests, and is the home folder. `shell` runs
the commands, and looks for what is said behind four spaces and a number sign in what
they print; `python` runs the sessions, of which every line has to be right.
"""

import doctest
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
GUIDE = ROOT / "docs" / "guides" / "python.md"


def link(build, temp):
    temp.mkdir(parents=True, exist_ok=True)
    for name, path in (("build", build), ("test", ROOT / "test")):
        if not (temp / name).exists():
            (temp / name).symlink_to(path)


def run_commands(temp):
    """Runs all of them in one shell; how many there are."""
    lines = re.findall(r"^ {4}(\S.*)\n", GUIDE.read_text(), re.M)
    environment = dict(os.environ, HOME=str(temp), PYTHONDONTWRITEBYTECODE="1")
    # Debian's Python, which has numpy, may not be the first of PATH.
    environment["PATH"] = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]
    script, wanted = "set -e\n", []
    for line in lines:
        command, _, printed = line.partition("    # ")
        script += command + "\n"
        wanted += [printed] if printed else []
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=temp,
        env=environment,
        capture_output=True,
        text=True,
    )
    printed = [line for line in done.stdout.splitlines() if line in wanted]
    if done.returncode != 0 or printed != wanted:
        sys.exit(f"{done.stdout}{done.stderr}exit code {done.returncode}")
    return len(lines)


def run_sessions(temp):
    """Runs them one after the other; how many examples there are."""
    os.chdir(temp)
    text = "".join(re.findall(r"^```pycon\n(.*?)^```$", GUIDE.read_text(), re.M | re.S))
    test = doctest.DocTestParser().get_doctest(text, {}, GUIDE.name, GUIDE.name, 0)
    found = doctest.DocTestRunner().run(test)
    if found.failed:
        sys.exit(f"{found.failed} of {found.attempted} are wrong")
    return found.attempted


def main():
    build, temp, part = sys.argv[1:]
    link(pathlib.Path(build), pathlib.Path(temp))
    run = {"shell": run_commands, "python": run_sessions}[part]
    print(run(pathlib.Path(temp)), part)


main()
