# SPDX-License-Identifier: MIT
"""What campaigns say about what is still to come, where that is known.

usage: estimates.py BIN

Exhaustive: shortly before the end the size of the search is estimated within a factor of two,
by one worker and by two.  Sampling: Good and Turing's estimate is the share of classes seen
once, and 0 when every class was seen twice.
"""

import os
import sys
import tempfile

import campaign


def check(fact, what):
    if not fact:
        raise AssertionError(what)


def is_in_order(estimate):
    return 0 <= estimate["low"] <= estimate["value"] <= estimate["high"]


def exhaustive(bin_dir, program):
    every = campaign.explore(bin_dir, program, "-s", "dfs")
    check(every["complete"] and every["estimate"] is None, "something is left of a complete search")
    total = every["search_executions"]
    check(total > 500, "%d executions are too few for this test" % total)
    first = every["executions"] - total
    for jobs in ("1", "2"):
        done = total * 9 // 10
        found = campaign.explore(bin_dir, program, "-s", "dfs", "-n", str(first + done), "-j", jobs)
        estimate = found["estimate"]
        check(estimate["of"] == "executions-left" and is_in_order(estimate), str(estimate))
        estimated = found["search_executions"] + estimate["value"]
        check(total / 2 < estimated < total * 2, "%.0f executions instead of %d with -j %s" % (
            estimated, total, jobs))


def sampling(bin_dir, program):
    for strategy in ("random", "pct", "pos", "surw"):
        few = campaign.explore(bin_dir, program, "-s", strategy, "-n", "100")
        estimate = few["estimate"]
        check(estimate["of"] == "new-class" and is_in_order(estimate), str(estimate))
        expected = few["classes_once"] / few["search_executions"]
        check(abs(estimate["value"] - expected) < 1e-6, "%s: %s instead of %f" % (
            strategy, estimate, expected))
        check(few["classes_once"] > 0, "%s: no class was seen once in so few" % strategy)
        check(few["classes_once"] + few["classes_twice"] <= few["classes"], "more than all")
    for jobs in ("1", "2"):
        many = campaign.explore(bin_dir, program, "-s", "pos", "-n", "20000", "-j", jobs)
        check(many["classes_once"] == 0 and many["estimate"]["value"] == 0, "new classes to come")
        check(0 < many["estimate"]["high"] < 0.001, "too sure, or too little")
    tiny = campaign.explore(bin_dir, program, "-s", "random", "-n", "5")
    check(tiny["estimate"] is None, "an estimate from 5 executions")


def main():
    bin_dir = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="plait-workers-") as work:
        os.chdir(work)
        split = campaign.build(bin_dir, "split", campaign.SPLIT, "-DROUNDS=2")
        exhaustive(bin_dir, split)
        sampling(bin_dir, split)
        os.chdir("/")
    print("what is to come is as estimated")


if __name__ == "__main__":
    sys.exit(main())
