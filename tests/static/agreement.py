# SPDX-License-Identifier: MIT
"""Holds the strategy values against dpor and dfs, on generated programs.

usage: agreement.py PLAIT FIRST-LAST [--opt N] [--compiler gcc]

Each program prints its memory at the end.  Searched to its end, `values` must come to the outcomes, deadlocks and
failures of `dpor`, whoever is taken first, with the priority pass or without, giving up what cannot be reached or not.
What `dfs` comes to must be among them, and no order that it shows may be one that `values` calls impossible.
A program that dpor does not come to the end of is left out and counted.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import generate

WAYS = "values", "values:priority=no", "values:reachability=no", "values:order=newest"
PRINTED = """printf("%d %d %d %d %d %d %d %d %d %d\\n", number0, number1, row[0], row[1], row[2], row[3],
    global0.a + global0.b * 3, global0.c, cells[0].value, cells[1].value);
return local & 0;
}
"""


def source_of(seed):
    text = generate.Program(seed).text()
    head, tail = text.rsplit("return local & 0;\n}\n", 1)
    return "#include <stdio.h>\n" + head + PRINTED + tail


class Search:
    """A search of the program, with results of its own."""

    def __init__(self, arguments, folder, strategy, executions):
        self.results = os.path.join(folder, strategy.replace(":", "-"))
        report = os.path.join(folder, "report.json")
        subprocess.run([arguments.plait, "test", "-q", "-s", strategy, "-k", "--no-minimize", "--drive", "0", "--outputs", "-t",
                        "10s", "-n", str(executions), "--json", report, "-o", self.results,
                        os.path.join(folder, "program")],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120,
                       check=False)
        with open(report, encoding="utf-8") as f:
            said = json.load(f)
        os.unlink(report)
        self.complete, self.executions = said["complete"], said["executions"]
        self.outcomes = {o["text"] for o in said["outputs"]} | {f["kind"] for f in said["findings"]}

    def orders(self, arguments, folder, status):
        said = subprocess.run([arguments.plait, "pairs", "--json", "-o", self.results, os.path.join(folder, "program")],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120, check=False).stdout
        return {(p["id"], way) for p in json.loads(said)["pairs"] for way, order in enumerate(p["orders"])
                if order is not None and order["status"] in status}


def check(arguments, seed, folder):
    """None when all is well, "left out", or what is wrong."""
    with open(os.path.join(folder, "program.c"), "w", encoding="utf-8") as f:
        f.write(source_of(seed))
    built = subprocess.run([arguments.plait, "cc", "--whole", f"-O{arguments.opt}", "-w", f.name, "-o",
                            os.path.join(folder, "program")], check=False)
    if built.returncode != 0:
        return "it cannot be built"
    dpor = Search(arguments, folder, "dpor", 2000)
    if not dpor.complete:
        return "left out"
    for way in WAYS:
        values = Search(arguments, folder, way, 40000)
        if values.complete and values.outcomes != dpor.outcomes:
            return f"{way} {sorted(values.outcomes)} dpor {sorted(dpor.outcomes)}"
        if not values.complete and not values.outcomes <= dpor.outcomes:
            return f"{way} has what dpor has not: {sorted(values.outcomes - dpor.outcomes)}"
        if way == WAYS[0]:
            first = values
    dfs = Search(arguments, folder, "dfs", 3000)
    if not dfs.outcomes <= dpor.outcomes or (dfs.complete and dfs.outcomes != dpor.outcomes):
        return f"dfs {sorted(dfs.outcomes)} dpor {sorted(dpor.outcomes)}"
    both = first.orders(arguments, folder, ("impossible",)) & dfs.orders(arguments, folder, ("shown", "failed"))
    return f"shown by dfs, but impossible: {sorted(both)}" if both else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plait")
    parser.add_argument("seeds")
    parser.add_argument("--opt", default="1")
    parser.add_argument("--compiler", default="clang", choices=("clang", "gcc"))
    arguments = parser.parse_args()
    os.environ["PLAIT_CC"] = arguments.compiler
    first, last = map(int, arguments.seeds.split("-"))
    counts = {"the same": 0, "left out": 0, "wrong": 0}
    for seed in range(first, last + 1):
        with tempfile.TemporaryDirectory() as folder:
            said = check(arguments, seed, folder)
        counts["the same" if said is None else "left out" if said == "left out" else "wrong"] += 1
        if said not in (None, "left out"):
            print(f"{seed}: {said}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    sys.exit(counts["wrong"] > 0 or counts["the same"] == 0)


main()
