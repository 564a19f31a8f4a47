#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare exhaustive strategies under --max-operations.

    compare.py --plait BUILD/bin/plait [--seeds 1-20] [PROGRAM...]

Each program, and each one that ../generated makes of a seed, is explored by dfs and by the three
variants of dpor with small limits.  Equal must be: the verdict, whether the limit was reached, the
number of classes, what executions printed and what was found; everything found must replay.  A
search that takes dfs too many executions is left out, and so are larger limits of that program.
Programs with loops that wait should not be among them: there dfs also counts rounds of the loop
that dpor knows to change nothing.  All begin with the same execution (--risk off): it may only
show what is shared and, since accesses do not count before that, go beyond the limit.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GENERATED = os.path.join(os.path.dirname(HERE), "generated")
sys.path.insert(0, GENERATED)
import generate_steps

LIMITS = (1, 2, 3, 4, 5, 7, 10)
FEW_LIMITS = (2, 4, 7)  # of generated programs, of which there are many
STRATEGIES = ("dfs", "dpor:optimal", "dpor:source", "dpor:classic")
MOST = 100000  # executions of dfs


def explore(plait, command, strategy, limit, work):
    """What a campaign came to, or None when it takes dfs too many executions."""
    path = os.path.join(work, "result.json")
    most = ["-n", str(MOST)] if strategy == "dfs" else []
    done = subprocess.run([plait, "test", "--hooks-only", "--time-outs", "any", "-k", "-q", "-s", strategy, "--risk", "off", *most,
                           "--no-minimize",
                           "--max-operations", str(limit), "--outputs", "--json", path,
                           "-o", os.path.join(work, "found"), "--", *command],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{command} {strategy} {limit}: exit {done.returncode}: {done.stdout}")
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    if not result["complete"] and result["complete_up_to"] != limit:
        return None
    if result["complete"] == result["limit_reached"]:
        raise SystemExit(f"{command} {strategy} {limit}: complete although the limit was reached")
    if not all(f["replays"] for f in result["findings"]):
        raise SystemExit(f"{command} {strategy} {limit}: a finding does not replay")
    return {"complete": result["complete"], "limit_reached": result["limit_reached"],
            "classes": result["classes"],
            "outputs": sorted(o["text"] for o in result["outputs"]),
            "findings": sorted((f["kind"], f["signature"]) for f in result["findings"])}


class Comparison:
    """Counts what was compared and what differed."""

    def __init__(self, plait, work):
        self.plait, self.work = plait, work
        self.compared = self.reached = self.found = 0
        self.bad = []

    def compare(self, name, command, limits):
        for limit in limits:
            first = explore(self.plait, command, STRATEGIES[0], limit, self.work)
            if first is None:
                break
            for strategy in STRATEGIES[1:]:
                other = explore(self.plait, command, strategy, limit, self.work)
                if other != first:
                    self.bad.append(f"{name} up to {limit}: dfs {first}, {strategy} {other}")
            self.compared += 1
            self.reached += first["limit_reached"]
            self.found += len(first["findings"])

    def compare_source(self, path):
        program = os.path.join(self.work, "program")
        subprocess.run([self.plait, "cc", "-g", "-O1", "-o", program, path], check=True)
        self.compare(os.path.basename(path), [program], LIMITS)

    def compare_seeds(self, first, last):
        """Built as ../generated/check_steps.py does: only what accesses variables is seen."""
        interpret, steps = (os.path.join(self.work, n) for n in ("interpret", "steps"))
        flags = ["-O2", "-g", "-std=gnu17", "-pthread"]
        include = os.path.join(HERE, "../../include")
        subprocess.run(["cc", *flags, "-c", "-o", interpret + ".o",
                        os.path.join(GENERATED, "program.c")], check=True)
        subprocess.run([self.plait, "cc", *flags, "-I", include, "-o", interpret,
                        os.path.join(GENERATED, "interpret.c"), interpret + ".o"], check=True)
        for seed in range(first, last + 1):
            with open(steps, "w", encoding="utf-8") as file:
                file.write(generate_steps.generate(seed).text())
            self.compare(f"seed {seed}", [interpret, steps], FEW_LIMITS)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plait", required=True)
    parser.add_argument("--seeds")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        c = Comparison(options.plait, work)
        for path in options.programs:
            c.compare_source(path)
        if options.seeds:
            c.compare_seeds(*map(int, options.seeds.split("-")))
    for line in c.bad:
        print("FAILED", line)
    print(f"{c.compared} searches compared, {c.reached} reached the limit, {c.found} findings")
    sys.exit(bool(c.bad) or c.compared < 50 or c.reached < 20 or c.found < 2)


main()
