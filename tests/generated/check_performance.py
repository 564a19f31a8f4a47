#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All cells of the thesis's tables for Performance, with plait.

    check_performance.py --plait BUILD/bin/plait [--large] [--compiler gcc] [-v]

Compiles examples/performance.c and compares the number of paths with that of 1999, under the cuts
of that time.  Cells with more than 30,000 paths are tried only with --large; 8 3 among them must not
take longer than --seconds.

Exit status 77: this plait has no such strategy.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

from check_blocks import PERFORMANCE

SMALL = 30000
SKIPPED = 77
STRATEGY = "exitblock:rwdd,cuts=java"


def explore(plait, binary, k, n, work):
    """The result of a campaign, and how long it took."""
    begun = time.monotonic()
    report = os.path.join(work, "report.json")
    done = subprocess.run([plait, "test", "-s", STRATEGY, "-q", "--json", report,
                           "-o", os.path.join(work, "out"), "--", binary, str(k), str(n)],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    seconds = time.monotonic() - begun
    try:
        with open(report, encoding="utf-8") as file:
            return json.load(file), seconds
    except (OSError, ValueError):
        sys.exit("Performance %d %d: exit %d: %s" % (k, n, done.returncode, done.stdout[-2000:]))


def build(options, work):
    here = os.path.dirname(os.path.abspath(__file__))
    binary = os.path.join(work, "performance")
    wrapper = os.path.join(os.path.dirname(options.plait), "plait-cc")
    subprocess.run([wrapper, "-O2", "-g", "-pthread", "-o", binary,
                    os.path.join(here, "../../examples/performance.c")],
                   check=True, env=dict(os.environ, PLAIT_CC=options.compiler))
    return binary


def main():
    parser = argparse.ArgumentParser(description="The cells of Performance, with plait.")
    parser.add_argument("--plait", required=True)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--seconds", type=float, default=5, help="for 8 3, with --large")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    options.plait = os.path.abspath(options.plait)

    printed = subprocess.run([options.plait, "list", "strategies"], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    if not any(line.split()[:1] == ["exitblock"] for line in printed.splitlines()):
        print("skipped: this plait has no strategy exitblock")
        return SKIPPED
    wrong = cells = 0
    with tempfile.TemporaryDirectory(prefix="plait-performance-") as work:
        binary = build(options, work)
        for (k, n), paths in sorted(PERFORMANCE.items(), key=lambda cell: cell[1]):
            if paths > SMALL and not options.large:
                continue
            result, seconds = explore(options.plait, binary, k, n, work)
            found = (result["paths"]["total"], result["complete"], len(result["findings"]))
            good = found == (paths, True, 0)
            good &= (k, n) != (8, 3) or seconds <= options.seconds
            cells += 1
            wrong += not good
            if options.verbose or not good:
                print("Performance %d %d: %d paths instead of %d, complete %s, %d findings, %.2f s"
                      % (k, n, found[0], paths, found[1], found[2], seconds), flush=True)
    print("%d cells, %d wrong" % (cells, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
