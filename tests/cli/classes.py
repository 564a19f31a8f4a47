#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Classes are one relation: every strategy that sees all of a program counts as many.

    classes.py BIN [--all]

Programs are those of tests/programs/counts that tests/programs/counted.py does not have, for their
classes are not written down or too many; each with the flags of its first runs by dpor.  --all takes
all programs and all of their flags.  A search that does not come to its end within its limit, and random,
must not have seen more than there are.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../programs"))
import counted  # noqa: E402

STRATEGIES = (("dpor", 500), ("dfs", 400), ("pcb", 900), ("random", 150))
LARGE = 100  # classes


def flags_of(path):
    with open(path, encoding="utf-8") as file:
        rows = re.findall(r"RUN +(?:\[(?!clang)[^\]]*\] *)*((?:-\S+ +)*)plait test -s dpor", file.read())
    return sorted({tuple(row.split()) for row in rows}) or [()]


def count(binary, strategy, limit, program, folder):
    done = subprocess.run([os.path.join(binary, "plait"), "test", "-k", "-q", "--json", "-", "-s", strategy,
                           "-n", str(limit), "-o", os.path.join(folder, "out"), "--", program],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    result = json.loads(done.stdout)
    return result["classes"], result["complete"]


def main():
    binary, every = sys.argv[1], "--all" in sys.argv
    wrong = compared = 0
    with tempfile.TemporaryDirectory(prefix="plait-classes-") as folder:
        program = os.path.join(folder, "program")
        for path in sorted(glob.glob(os.path.join(HERE, "../programs/counts/*.c"))):
            if not every and counted.counted_in(path, counted.MOST):
                continue
            for flags in flags_of(path)[:None if every else 1]:
                if subprocess.run([os.path.join(binary, "plait-cc"), "-O2", "-w", "-pthread",
                                   "-I" + os.path.join(HERE, "../../include"), *flags, "-o", program, path],
                                  stderr=subprocess.DEVNULL, check=False).returncode != 0:
                    continue  # this set of flags is another compiler's
                classes, complete = count(binary, *STRATEGIES[0], program, folder)
                if not complete or classes > LARGE:
                    continue
                for strategy, limit in STRATEGIES[1:]:
                    seen, all_of_them = count(binary, strategy, limit, program, folder)
                    compared += 1
                    if seen > classes or (all_of_them and seen != classes):
                        wrong += 1
                        print("%s %s: %d classes by dpor, %d by %s" % (os.path.basename(path), " ".join(flags),
                                                                      classes, seen, strategy))
    print("%d searches compared, %d wrong" % (compared, wrong))
    return 1 if wrong or compared < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
