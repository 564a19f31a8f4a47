#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All cells of the thesis's tables for Performance, with plait.

    check_performance.py --plait BUILD/bin/plait [--seconds N] [--compiler gcc] [-v]

Compiles examples/performance.c and compares the number of paths with that of 1999, under the cuts
of that time.  With --seconds, for a machine that has nothing else to do, the cell 8 3 must not take
longer.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

from check_blocks import PERFORMANCE

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
    parser.add_argument("--seconds", type=float, help="for the cell 8 3")
    parser.add_argument("--most", type=int, help="paths: larger cells are left out")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    options.plait = os.path.abspath(options.plait)

    wrong = cells = 0
    with tempfile.TemporaryDirectory(prefix="plait-performance-") as work:
        binary = build(options, work)
        for (k, n), paths in sorted(PERFORMANCE.items(), key=lambda cell: cell[1]):
            if options.most is not None and paths > options.most:
                break
            result, seconds = explore(options.plait, binary, k, n, work)
            found = (result["paths"]["total"], result["complete"], len(result["findings"]))
            good = found == (paths, True, 0)
            good &= options.seconds is None or (k, n) != (8, 3) or seconds <= options.seconds
            cells += 1
            wrong += not good
            if options.verbose or not good:
                print("Performance %d %d: %d paths instead of %d, complete %s, %d findings, %.2f s"
                      % (k, n, found[0], paths, found[1], found[2], seconds), flush=True)
    print("%d cells, %d wrong" % (cells, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
