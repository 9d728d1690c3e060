#!/usr/bin/env python3
"""Runs a tool on a disk that is full at each 4096 bytes, without permission, with
a standard output that is closed, full or broken, to a pipe and through links, and
kills it at each 4096 bytes and before each file gets its name. Each file is whole
or as it was, and the exit status is 0 only if all are whole.

usage: faults.py FAULTS.so BINARIES FOLDER CASE
"""

import fcntl
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import threading

from fault_cases import CASES

STEP = 4096
OLD = b"what was there before\n"


class Test:
    def __init__(self, faults, binaries, folder, name):
        self.name, self.faults, self.out = name, faults, folder / "out"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "in").mkdir(parents=True)
        self.case = CASES[name](folder / "in")
        self.command = [str(binaries / self.case.command[0])] + self.case.command[1:]
        self.what, self.runs = "a run", 0

    def fail(self, message):
        sys.exit(f"{self.name}: {self.what}: {message}")

    def fill(self):
        """What is there before a run."""
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()
        for name in self.case.files:
            (self.out / name).parent.mkdir(exist_ok=True)
            (self.out / name).write_bytes(OLD)
            (self.out / name).chmod(0o640)

    def run(self, fault=None, **options):
        """The exit status and what is shown."""
        self.runs += 1
        environment = dict(os.environ)
        if fault:
            environment.update(LD_PRELOAD=str(self.faults), MLI_FAULT=fault)
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, **options}
        options["input"] = self.case.given
        done = subprocess.run(self.command, cwd=self.out, env=environment, **options)
        return done.returncode, done.stdout

    def is_whole(self, name):
        content = (self.out / name).read_bytes()
        if name not in self.case.vary:
            return content == self.good[name]
        try:
            return bool(json.loads(content))
        except ValueError:
            return False

    def states(self):
        """For each file whether it is new: it is whole or as it was."""
        states = []
        for name in self.case.files:
            if not (self.out / name).exists():
                self.fail(f"{name} is gone")
            is_old = (self.out / name).read_bytes() == OLD
            if not is_old and not self.is_whole(name):
                self.fail(f"{name} is neither as it was nor whole")
            states.append(not is_old)
        return states

    # J1
    def expect_new(self, status):
        if status != 0 or not all(self.states()):
            self.fail(f"expected new files, but got {self.states()}, status {status}")
        for name in self.case.files:
            if (self.out / name).stat().st_mode & 0o777 != 0o640:
                self.fail(f"{name} has other permissions")
        self.expect_nothing_else()

    def expect_old(self, status):
        if status == 0 or (self.case.together and any(self.states())):
            self.fail(f"expected old files, but got {self.states()}, status {status}")
        if all(self.states()) and self.case.files:
            self.fail("expected old files, but got new ones")

    def expect_nothing_else(self):
        found = {p.relative_to(self.out) for p in self.out.rglob("*") if p.is_file()}
        if found != {pathlib.Path(name) for name in self.case.files}:
            self.fail(f"expected no other files, but got {sorted(map(str, found))}")

    def expect_mended(self):
        """The next run writes all, and leaves nothing of the one before it."""
        self.expect_new(self.run()[0])

    # The tests.

    def good_run(self):
        self.fill()
        status, shown = self.run()
        if status != 0:
            self.fail(f"status {status}")
        self.good = {n: (self.out / n).read_bytes() for n in self.case.files}
        self.total = sum(map(len, self.good.values())) + len(shown)
        if bool(shown) != self.case.shows:
            self.fail(f"shows {shown!r}")
        self.expect_new(status)

    # J1, J5, J6
    def faults_at_steps(self):
        if not self.case.reached:
            return self.limits_at_steps()
        for at in range(0, self.total, STEP):
            for kind in ["full", "kill"]:
                self.what = f"{kind} at {at}"
                self.fill()
                status, _ = self.run(f"{kind} {at}")
                self.expect_old(status)
                if kind == "full":
                    self.expect_nothing_else()
                else:
                    self.expect_mended()

    # J6
    def limits_at_steps(self):
        """The same by a limit of the system, for what the C library writes."""
        for at in range(0, self.total, min(STEP, self.total // 2 + 1)):
            for action in [signal.SIG_IGN, signal.SIG_DFL]:
                self.what = f"limit at {at}, signal {action.name}"
                self.fill()

                def limit():
                    signal.signal(signal.SIGXFSZ, action)
                    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                    resource.setrlimit(resource.RLIMIT_FSIZE, (at, at))

                with (self.out.parent / "shown").open("wb") as shown:
                    status, _ = self.run(stdout=shown, preexec_fn=limit)
                self.expect_old(status)
                self.expect_nothing_else()

    # J2, J5
    def faults_of_names(self):
        for at in range(len(self.case.files)):
            for kind in ["rename", "halt"]:
                self.what = f"{kind} {at}"
                self.fill()
                status, _ = self.run(f"{kind} {at}")
                expected = [i < at for i in range(len(self.case.files))]
                if status == 0 or self.states() != expected:
                    self.fail(f"expected {expected}, but got {self.states()}")
                if kind == "rename":
                    self.expect_nothing_else()
                else:
                    self.expect_mended()

    # J6
    def no_permission(self):
        self.what = "no permission"
        if not self.case.files:
            return
        self.fill()
        status, _ = self.run("refuse")
        self.expect_old(status)
        self.expect_nothing_else()

    # J5
    def stale_temporaries(self):
        """Those that no process holds are removed, and nothing else is."""
        for name in self.case.files:
            self.what = f"temporaries of {name}"
            self.fill()
            held, stale, other = (
                self.out / f"{name}.mli-{what}.tmp"
                for what in ["0123abcd", "4567ef01", "mine0000"]
            )
            for path in [held, stale, other]:
                path.write_bytes(OLD)
            with held.open() as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                status, _ = self.run()
            left = [path.exists() for path in [held, stale, other]]
            if status != 0 or left != [True, False, True]:
                self.fail(f"status {status}, what is left: {left}")
            other.unlink()
            self.expect_mended()

    # J4, J6, J7
    def standard_output(self):
        """Closed, full, and without a reader; a signal kills, or is ignored."""
        expect = self.expect_old if self.case.shows else self.expect_new
        self.what = "closed standard output"
        self.fill()
        expect(self.run(stdout=None, preexec_fn=lambda: os.close(1))[0])
        self.what = "full standard output"
        self.fill()
        with open("/dev/full", "wb") as full:
            expect(self.run(stdout=full)[0])
        for ignored in [False, True]:
            self.what = "broken pipe" + " without a signal" * ignored
            self.fill()
            reader, writer = os.pipe()
            os.close(reader)
            expect(self.run(stdout=writer, restore_signals=not ignored)[0])
            os.close(writer)
            self.expect_nothing_else()

    # J3
    def other_targets(self):
        """A pipe gets what a file gets; links stay, and what they lead to."""
        for name in self.case.files:
            path = self.out / name
            self.what = f"{name} as a pipe"
            self.fill()
            path.unlink()
            os.mkfifo(path)
            got = []
            reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
            reader.start()
            status, _ = self.run()
            reader.join()
            if status != 0 or not path.is_fifo():
                self.fail(f"status {status}, a pipe: {path.is_fifo()}")
            if name not in self.case.vary and got != [self.good[name]]:
                self.fail("the reader gets something else")
            self.what = f"{name} as a link"
            for is_there in [True, False]:
                self.fill()
                target = path.with_name("target")
                path.rename(target) if is_there else path.unlink()
                path.symlink_to("target")
                status, _ = self.run()
                if status != 0 or not path.is_symlink() or not target.is_file():
                    self.fail(f"status {status}, a link: {path.is_symlink()}")
                self.states()
            self.what = f"{name} as a full device"
            self.fill()
            path.unlink()
            path.symlink_to("/dev/full")
            status, _ = self.run()
            if status == 0 or not path.is_symlink():
                self.fail(f"status {status}, a link: {path.is_symlink()}")


def main():
    faults, binaries, folder = (pathlib.Path(a).absolute() for a in sys.argv[1:4])
    test = Test(faults, binaries, folder, sys.argv[4])
    test.good_run()
    test.faults_at_steps()
    test.faults_of_names()
    test.no_permission()
    test.stale_temporaries()
    test.standard_output()
    test.other_targets()
    print(f"{test.name}: {test.runs} runs, {test.total} bytes")


main()
