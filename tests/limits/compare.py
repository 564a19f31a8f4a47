#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare exhaustive strategies under --max-operations.

    compare.py --plait BUILD/bin/plait PROGRAMS

Each program is explored by dfs and by the three variants of dpor with small limits.  Equal must
be: the verdict, whether the limit was reached, the number of classes, what executions printed and
what was found; everything found must replay.  Programs with loops that wait are not among them:
there dfs also counts rounds of the loop that dpor knows to change nothing.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

NAMES = ("bugs/abba.c", "bugs/barrier_count.c", "bugs/join_deadlock.c", "bugs/lost_update.c",
         "bugs/lost_wakeup.c", "bugs/philosophers.c", "bugs/rwlock_upgrade.c",
         "bugs/semaphore_lost_post.c", "bugs/signal_instead_of_broadcast.c", "bugs/timeout.c",
         "bugs/three_lock_deadlock.c", "bugs/use_after_free.c", "counts/figure_1_1.c",
         "counts/figure_3_1.c", "findings/deadlock_cond.c", "findings/deadlock_sem.c")
LIMITS = (1, 2, 3, 4, 5, 7, 10)
STRATEGIES = ("dfs", "dpor:optimal", "dpor:source", "dpor:classic")


def explore(plait, program, strategy, limit, work):
    """What a campaign came to, or None when the search did not end in time."""
    path = os.path.join(work, "result.json")
    done = subprocess.run([plait, "test", "-k", "-q", "-s", strategy, "-t", "20", "--no-minimize",
                           "--max-operations", str(limit), "--outputs", "--json", path,
                           "-o", os.path.join(work, "found"), program],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{program} {strategy} {limit}: exit {done.returncode}: {done.stdout}")
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    if not result["complete"] and result["complete_up_to"] != limit:
        return None
    if result["complete"] == result["limit_reached"]:
        raise SystemExit(f"{program} {strategy} {limit}: complete although the limit was reached")
    if not all(f["replays"] for f in result["findings"]):
        raise SystemExit(f"{program} {strategy} {limit}: a finding does not replay")
    return {"complete": result["complete"], "limit_reached": result["limit_reached"],
            "classes": result["classes"],
            "outputs": sorted(o["text"] for o in result["outputs"]),
            "findings": sorted((f["kind"], f["signature"]) for f in result["findings"])}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plait", required=True)
    parser.add_argument("programs")
    options = parser.parse_args()
    compared = reached = found = 0
    bad = []
    with tempfile.TemporaryDirectory() as work:
        for name in NAMES:
            program = os.path.join(work, "program")
            subprocess.run([options.plait, "cc", "-g", "-O1", "-o", program,
                            os.path.join(options.programs, name)], check=True)
            for limit in LIMITS:
                first = explore(options.plait, program, STRATEGIES[0], limit, work)
                if first is None:
                    break  # larger limits would take even longer
                for strategy in STRATEGIES[1:]:
                    other = explore(options.plait, program, strategy, limit, work)
                    if other != first:
                        bad.append(f"{name} up to {limit}: dfs {first}, {strategy} {other}")
                compared += 1
                reached += first["limit_reached"]
                found += len(first["findings"])
    for line in bad:
        print("FAILED", line)
    print(f"{compared} searches compared, {reached} reached the limit, {found} findings")
    sys.exit(bool(bad) or compared < 80 or reached < 40 or found < 10)


main()
