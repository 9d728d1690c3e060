"""Holds subjects of commits to a form: `[Area] Imperative`, in at most 72 characters and
without `;`. Commits before the one that added this file are free."""

import re
import subprocess

MAX_SUBJECT = 72
SUBJECT = re.compile(r"\[[A-Za-z][\w/-]*\] [A-Z][^;]*")
FILE = ".ci/commits.py"


def git(*command):
    """Returns what git prints, or nothing where it fails."""
    run = subprocess.run(["git", *command], capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else ""


def commits(_):
    """Subjects of a form that the rule does not have."""
    if git("rev-parse", "--is-shallow-repository") != "false":
        return
    added = git("log", "--diff-filter=A", "--format=%H", "--", FILE).split()
    if not added:
        return
    log = git("log", "--no-merges", "--format=%h %s", f"{added[-1]}..HEAD")
    for line in log.splitlines():
        commit, _, subject = line.partition(" ")
        if len(subject) > MAX_SUBJECT:
            yield f"commit {commit}: subject of {len(subject)} characters, over {MAX_SUBJECT}"
        if not SUBJECT.fullmatch(subject):
            yield f"commit {commit}: '{subject}' is not `[Area] Imperative` without ';'"
