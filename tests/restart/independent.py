#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a detector reports in an execution must not depend on the executions before it.

    independent.py --plait BUILD/bin/plait --detect NAME [--most N] PATH ...

Each program is searched depth first with 1, 2, ... N executions: what the nth adds to the counts
of findings is what it has reported.  That is done by rollback with a checkpoint at every choice,
where detectors go on from what they knew in the middle of another execution, and by exec, where
each execution is a process that knows nothing; the reports must be the same, one by one.  Then
every finding is replayed, alone.
"""

import argparse
import collections
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import run_program as programs

WAYS = {
    "checkpoints": ["--restart", "rollback", "--checkpoints", "always"],
    "exec": ["--restart", "exec"],
}


def counts(driver, program, arguments, options):
    campaign = driver.campaign("n", options, program, arguments)
    _, status, _, result = campaign
    if status == 3:
        return None, campaign
    found = {(f["kind"], f["signature"]): f["count"] for f in result["findings"]}
    return collections.Counter(found), campaign


def reports(driver, program, arguments, options, most):
    """What each execution reported, and the last campaign; None when the restart does not suit."""
    each, before = [], collections.Counter()
    for n in range(1, most + 1):
        now, campaign = counts(driver, program, arguments, options + ["-n", str(n)])
        if now is None:
            return None, campaign
        if campaign[-1]["executions"] < n:
            break
        each.append(sorted((now - before).items()))
        before = now
    return each, campaign


def variants(driver, detector):
    """The different builds of a program whose runs turn the detector on."""
    seen = []
    for run in programs.parse_program(driver.source)[0]:
        wanted = any(detector in o.lstrip("+").split(",") for o in run.options)
        variant = (run.flags, run.arguments)
        if wanted and not run.native and variant not in seen:
            if all(s in (driver.compiler, "O" + driver.opt) for s in run.selectors):
                seen.append(variant)
    return seen


def check(driver, detector, most):
    """The number of executions compared, and of those with reports."""
    compared = reporting = 0
    for flags, arguments in variants(driver, detector):
        program = driver.build(flags)
        options = ["-s", "dfs", "-k", "--no-minimize", "--detect", "+" + detector]
        seen = {}
        for way, restart in WAYS.items():
            seen[way], campaign = reports(driver, program, arguments, options + restart, most)
            if seen[way] is None:
                break
            for finding in campaign[-1]["findings"]:
                driver.replay(finding, "fiber", [])
        if None in seen.values():
            continue
        first, second = seen.values()
        for n, (a, b) in enumerate(zip(first, second), 1):
            if a != b:
                text = "execution %d reported %s with checkpoints, %s alone" % (n, a, b)
                raise driver.failed(campaign[0], campaign[2], text)
        if len(first) != len(second):
            text = "%d executions with checkpoints, %d alone" % (len(first), len(second))
            raise driver.failed(campaign[0], campaign[2], text)
        compared += len(first)
        reporting += sum(1 for r in first if r)
    return compared, reporting


def main():
    parser = argparse.ArgumentParser(description="Reports are independent between executions.")
    parser.add_argument("--plait", required=True)
    parser.add_argument("--detect", required=True)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--opt", default="2")
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    compared = reporting = 0
    for path in options.paths:
        with tempfile.TemporaryDirectory(prefix="plait-test-") as work:
            options.file = path
            driver = programs.Driver(options, work)
            try:
                n, m = check(driver, options.detect, options.most)
            except programs.Failure as failure:
                print("FAILED %s: %s" % (path, failure))
                return 1
        compared += n
        reporting += m
    print("%d executions compared, %d of them with reports" % (compared, reporting))
    return 0 if reporting > 0 and compared > reporting else 1


if __name__ == "__main__":
    sys.exit(main())
