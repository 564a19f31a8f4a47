#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Value schedules beside other searches, up to the first finding.

    measure.py --plait BUILD/bin/plait [--only KERNEL,...] [--time 20] [--all]

Builds each kernel of kernels.c with `plait cc --whole` and has each strategy look for its defect.  Prints a table
in Markdown: pairs and seconds of the analysis; executions until the finding and, for values, attempts; -, when
the time was over.  With --all each search goes to its end and executions are all there are.  A second table has the
points of all those executions: how often a thread was asked to go on.
"""

import argparse
import json
import os
import re
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
STRATEGIES = ("values", "values:priority=no", "values:reachability=no", "dpor", "dfs", "hapset", "auto")


def main():
    parser = argparse.ArgumentParser(description="Value schedules beside other searches.")
    parser.add_argument("--plait", required=True)
    parser.add_argument("--only")
    parser.add_argument("--time", default="20")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    plait = os.path.abspath(options.plait)
    with open(os.path.join(HERE, "kernels.c"), encoding="utf-8") as file:
        kernels = list(dict.fromkeys(re.findall(r"KERNEL_(\w+)\) ?[|/]?|KERNEL_(\w+)\)", file.read())))
    kernels = list(dict.fromkeys(a or b for a, b in kernels))
    if options.only:
        kernels = options.only.split(",")
    points = ["", "| kernel | " + " | ".join(STRATEGIES) + " |", "|---|" + "--:|" * len(STRATEGIES)]
    print("| kernel | threads | pairs | static s | " + " | ".join(STRATEGIES) + " |")
    print("|---|--:|--:|--:|" + "--:|" * len(STRATEGIES))
    with tempfile.TemporaryDirectory(prefix="plait-values-") as work:
        for kernel in kernels:
            binary = os.path.join(work, kernel)
            subprocess.run([plait, "cc", "--whole", "-g", "-O0", "-pthread", "-DKERNEL_" + kernel, "-o", binary,
                            os.path.join(HERE, "kernels.c")], check=True, env=dict(os.environ, PLAIT_CC="clang"))
            began = time.time()
            listed = subprocess.run([plait, "pairs", "--json", binary], check=True, stdout=subprocess.PIPE, cwd=work)
            seconds = time.time() - began
            cells, steps, threads = [], [], 0
            for strategy in STRATEGIES:
                report = os.path.join(work, "report.json")
                command = [plait, "test", "-q", "-s", strategy, "--time", options.time, "--no-minimize", "--json",
                           report, "-o", os.path.join(work, "out")]
                command += ["-k"] if options.all else []
                subprocess.run(command + [binary], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=work)
                with open(report, encoding="utf-8") as file:
                    result = json.load(file)
                threads = max(threads, result["max_threads"] - 1)
                n = result["executions"]
                if options.all:
                    cell = "%d%s" % (n, "" if result["complete"] else "+")
                else:
                    cell = str(n) if result["findings"] else "- (%d)" % n
                if strategy.startswith("values") and not options.all:
                    cell += " / %d" % result["pairs"]["attempts"]
                cells.append(cell)
                steps.append("%d" % round(n * result["points_per_execution"]))
            print("| %s | %d | %d | %.2f | %s |" % (kernel, threads, len(json.loads(listed.stdout)["pairs"]), seconds,
                                                    " | ".join(cells)), flush=True)
            points.append("| %s | %s |" % (kernel, " | ".join(steps)))
    print("\n".join(points))


if __name__ == "__main__":
    main()
