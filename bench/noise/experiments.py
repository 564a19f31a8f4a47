#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: bench/noise/experiments.py BUILD [--executions N] [--only 1,2b] [--kinds sleep,yield]
                                     [--environments] [--update-docs]

How often the experiments of the paper fail: natively, on the free carrier without noise, with each
kind of disturbance, and directed by coverage.  Prints the table beside the figures of the paper, and
writes BUILD/noise-experiments.json.  Exits with 1 when sleep fails less often than it must.

With --environments: on the schedulers of other machines (like=NAME) instead, without noise and with
sleep.
"""
import argparse
import os
import sys
import tempfile

import common
from common import report

NATIVE = "native"
WAYS = {
    "none": "none,record=none",
    "sleep": "sleep", "yield": "yield", "priority": "priority", "busy": "busy", "halt": "halt",
    "mixed": "mixed",
    "directed": "sleep,direct=all",
}


ENVIRONMENTS = ("eager", "lazy", "coin", "one-core", "slices")


def native_share(tool, experiment, executions):
    program = [tool.example(experiment.program, "plain"), *experiment.arguments]
    failed = sum(not tool.native(program) for _ in range(executions))
    return failed / executions


def noise_share(tool, experiment, executions, noise, seed):
    program = [tool.example(experiment.program), *experiment.arguments]
    result = tool.campaign(program, noise, ["-k", "-n", str(executions), "--seed", str(seed)])
    return result["failures"] / result["executions"]


def measure(tool, experiment, options):
    shares = {}
    for way in [NATIVE, *options.kinds]:
        if way == NATIVE:
            shares[way] = native_share(tool, experiment, options.executions)
        else:
            shares[way] = noise_share(tool, experiment, options.executions, WAYS.get(way, way),
                                      options.seed)
        common.say(f"{experiment.number:3} {experiment.program:15} {way:9} "
                   f"{common.percent(shares[way])}")
    return shares


def table_of(rows, kinds):
    table = [["experiment", "paper, plain", "paper, noise", NATIVE, *kinds]]
    for experiment, shares in rows:
        name = " ".join([experiment.number, f"`{experiment.program}.c`", *experiment.arguments])
        table.append([name, experiment.paper_plain, experiment.paper_noise,
                      *(common.percent(shares[k]) for k in [NATIVE, *kinds])])
    return table


def measure_environments(tool, options):
    """Without noise, and with sleep, in each environment."""
    table = [["experiment", "paper, plain", "paper, noise", *ENVIRONMENTS]]
    for experiment in common.chosen(options.only):
        name = " ".join([experiment.number, f"`{experiment.program}.c`", *experiment.arguments])
        row = [name, experiment.paper_plain, experiment.paper_noise]
        for environment in ENVIRONMENTS:
            shares = [noise_share(tool, experiment, options.executions, f"{kind},like={environment}", options.seed)
                      for kind in ("none,record=none", "sleep")]
            row.append(", ".join(common.percent(s) for s in shares))
            common.say(f"{experiment.number:3} {experiment.program:15} {environment:9} {row[-1]}")
        table.append(row)
    return table


def misses(rows):
    """Experiments in which sleep does not reach what it must."""
    return [f"experiment {e.number}: sleep fails in {common.percent(s['sleep'])} of the "
            f"executions, not in {common.percent(e.least)}"
            for e, s in rows if e.least and "sleep" in s and s["sleep"] < e.least]


def parse():
    parser = argparse.ArgumentParser(description="How often the experiments fail.")
    parser.add_argument("build")
    parser.add_argument("--executions", type=int, default=1000)
    parser.add_argument("--only", default="", help="numbers or names")
    parser.add_argument("--kinds", default=" ".join(WAYS), help="or any parameters of noise, with blanks between")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--environments", action="store_true")
    parser.add_argument("--update-docs", action="store_true")
    options = parser.parse_args()
    options.kinds = options.kinds.split()
    return options


def main():
    options = parse()
    with tempfile.TemporaryDirectory(prefix="plait-noise-") as work:
        tool = common.Tool(options.build, work)
        if options.environments:
            table = measure_environments(tool, options)
            print(report.aligned(table))
            if options.update_docs:
                common.update_docs("environments", f"{common.conditions()} {options.executions:,} executions "
                                   f"of each.\n\n{report.markdown_table(table)}")
            return
        rows = [(e, measure(tool, e, options)) for e in common.chosen(options.only)]
    table = table_of(rows, options.kinds)
    print(report.aligned(table))
    common.report.write_json(
        os.path.join(options.build, "noise-experiments.json"),
        {"executions": options.executions, "machine": common.report.machine(),
         "experiments": [{"number": e.number, "program": e.program, "shares": s}
                         for e, s in rows]})
    if options.update_docs:
        common.update_docs("experiments", f"{common.conditions()} {options.executions:,} executions "
                           f"of each.\n\n{report.markdown_table(table)}")
    problems = misses(rows)
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
