#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The examples of the manual pages that are about bank.c work as they stand, with examples/bank.c.

arguments: the folder with plait and plait-cc, that of the manual pages, and that of the examples.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

BIN, MANUAL, EXAMPLES = (os.path.abspath(a) for a in sys.argv[1:])
PAGES = ["plait.1", "plait-show.1", "plait-replay.1", "plait-minimize.1", "plait-coverage.1", "plait-pairs.1"]
ANALYSER = os.path.join(BIN, "../lib/plait/plait-static")
problems = []


def main():
    shutil.copy(os.path.join(EXAMPLES, "bank.c"), "bank.c")
    count = 0
    for page in PAGES:
        with open(os.path.join(MANUAL, page), encoding="utf-8") as f:
            commands = re.findall(r"^(?:\.Dl )?\$ (.*bank.*)$", f.read(), re.M)
        if not commands:
            problems.append(f"{page} has no example")
        if page == "plait-pairs.1" and not os.path.exists(ANALYSER):
            continue
        for command in commands:
            done = subprocess.run(command, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, timeout=300, check=False, env={**os.environ, "PATH": BIN + ":" + os.environ["PATH"]})
            finds = re.match(r"plait (test|replay) ", command) is not None
            if done.returncode != finds:
                problems.append(f"{page}: {command}: {done.returncode}: {done.stdout}")
            count += 1
    for problem in problems:
        print("FAILED", problem)
    print(f"{count} examples")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        main()
        os.chdir("/")
    sys.exit(1 if problems else 0)
