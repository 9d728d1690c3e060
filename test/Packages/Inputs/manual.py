# SPDX-License-Identifier: Apache-2.0
"""manual.py PREFIX: each program there has a page that man finds and shows without a
warning, and completions; the pages of docs that its help names are installed."""

import os
import pathlib
import re
import subprocess
import sys

PREFIX = pathlib.Path(sys.argv[1])
HEADINGS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "FILES", "EXAMPLES"]
COMPLETIONS = ["bash-completion/completions/%s", "zsh/vendor-completions/_%s",
               "fish/vendor_completions.d/%s.fish"]


def ask(*command, **variables):
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8",
                          env={**os.environ, "LC_ALL": "C.UTF-8", **variables})


for program in sorted((PREFIX / "bin").iterdir()):
    tool, help = program.name, ask(program, "--help").stdout
    man = ask("man", "--warnings", tool, MANPATH=str(PREFIX / "share/man"), MANWIDTH="100")
    page = man.stdout
    assert man.stderr == "", f"{tool}: {man.stderr}"
    for heading in HEADINGS:
        assert f"\n{heading}\n" in page, f"{tool}: no {heading}"
    # The page has each option and pass of the help, and the help each of the page.
    listed, shown = ({*re.findall(pattern, text, re.M)} for pattern, text in
                     ((r"^  (--?[\w-]+)", help), (r"^ {7}(--?[\w-]+)", page)))
    assert listed == shown, f"{tool}: {listed ^ shown}"
    for doc in re.findall(r"docs/([\w./-]+\.md)", help):
        assert (PREFIX / "share/doc/mli-mlir" / doc).exists(), f"{tool}: no docs/{doc}"
    for name in COMPLETIONS:
        text = (PREFIX / "share" / (name % tool)).read_text(encoding="utf-8")
        # One letter follows another sign in each shell.
        missing = [option for option in listed if option[2:] and option[2:] not in text]
        assert not missing, f"{name % tool}: no {missing}"
    print(tool)
