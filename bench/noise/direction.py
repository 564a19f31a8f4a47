#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: bench/noise/direction.py BUILD [--seeds N] [--first N] [--executions N] [--update-docs]

How many executions it takes to cover every pair of functions (M2), with noise that is directed by what
is covered and with noise that is not: the median over seeds, on programs with many functions of which
one pair matters.  Writes BUILD/noise-direction.json; exits with 1 when direction saves less than half.
"""
import argparse
import os
import statistics
import sys
import tempfile

import common
from common import report

PROGRAMS = ("pair_of_many", "pair_in_loop", "pair_of_three")
WAYS = {"directed": "sleep,direct=m2", "not directed": "sleep,direct=off"}
LIMIT = 0.5


def executions_to_all(tool, name, noise, seed, most):
    """To full coverage, `most` when that was not enough; and the first one that failed."""
    source = os.path.join(common.ROOT, "tests", "programs", "noise", name + ".c")
    result = tool.campaign([tool.build(source)], noise, ["-k", "-n", str(most), "--seed", str(seed),
                                                         "--until", "coverage=100%"])
    first = min((f["execution"] for f in result["findings"]), default=most)
    return result["executions"], first


def measure(tool, name, options):
    taken = {way: [] for way in WAYS}
    for seed in range(options.first, options.first + options.seeds):
        for way, noise in WAYS.items():
            taken[way].append(executions_to_all(tool, name, noise, seed, options.executions))
    for way, pairs in taken.items():
        common.say(f"{name:15} {way:12} " + " ".join(str(n) for n, _ in pairs))
    return {way: {"all": [n for n, _ in pairs], "bug": [b for _, b in pairs]}
            for way, pairs in taken.items()}


def medians_of(taken, what):
    return [statistics.median(taken[way][what]) for way in WAYS]


def table_of(results):
    table = [["program", *(f"{w}, all pairs" for w in WAYS), "ratio", *(f"{w}, the bug"
                                                                       for w in WAYS)]]
    for name, taken in results.items():
        directed, other = medians_of(taken, "all")
        table.append([f"`{name}.c`", f"{directed:g}", f"{other:g}", f"{directed / other:.2f}",
                      *(f"{m:g}" for m in medians_of(taken, "bug"))])
    return table


def misses(results):
    said = []
    for name, taken in results.items():
        directed, other = medians_of(taken, "all")
        if directed > LIMIT * other:
            said.append(f"{name}: {directed:g} executions with direction, {other:g} without")
    return said


def parse():
    parser = argparse.ArgumentParser(description="What direction saves.")
    parser.add_argument("build")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=101, help="seed; those below were used for tuning")
    parser.add_argument("--executions", type=int, default=2000, help="at most")
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--update-docs", action="store_true")
    return parser.parse_args()


def main():
    options = parse()
    with tempfile.TemporaryDirectory(prefix="plait-noise-") as work:
        tool = common.Tool(options.build, work)
        results = {n: measure(tool, n, options) for n in options.programs.split(",")}
    table = table_of(results)
    print(report.aligned(table))
    common.report.write_json(os.path.join(options.build, "noise-direction.json"),
                             {"seeds": options.seeds, "executions": options.executions,
                              "machine": common.report.machine(), "programs": results})
    if options.update_docs:
        common.update_docs("direction", f"{common.conditions()} {options.seeds} seeds from {options.first}, "
                           f"{options.executions:,} executions at most.\n\n{report.markdown_table(table)}")
    problems = misses(results)
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
