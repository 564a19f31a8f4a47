# SPDX-License-Identifier: MIT
"""Several workers explore what one does: the same executions, none twice.

usage: same.py BIN

Exhaustive: as many executions in the search that counts, the same classes, outcomes and
findings, complete.  Sampling: every number once, so that even the list of outcomes is the same.
"""

import os
import sys
import tempfile

import campaign

EXHAUSTIVE = ("search_executions", "classes", "complete")
BOUNDED = EXHAUSTIVE + ("bound", "bounds")
RANDOM = ("executions", "search_executions", "classes", "failures", "outcomes")


def compare(program, what, one, several, members):
    wrong = ["%s: %s is %s instead of %s" % (program, m, several[m], one[m])
             for m in members if several[m] != one[m]]
    return [line + " with " + what for line in wrong]


def explore(bin_dir, program, *options):
    """The result, with what each execution has printed."""
    found = campaign.explore(bin_dir, program, "-k", "--outputs", *options)
    found["outcomes"] = campaign.outcomes(found)
    return found


def exhaustive(bin_dir, program, *options, strategy="dfs"):
    members = EXHAUSTIVE if strategy == "dfs" else BOUNDED
    one = explore(bin_dir, program, "-s", strategy, *options)
    wrong = []
    if ":" not in strategy and not one["complete"]:
        wrong.append("%s is not complete with %s" % (program, strategy))
    for jobs in ("2", "8") if strategy == "dfs" else ("3",):
        several = explore(bin_dir, program, "-s", strategy, "--jobs", jobs, *options)
        what = " ".join((strategy, "--jobs", jobs, *options))
        wrong += compare(program, what, one, several, members)
        if not one["complete"]:
            continue  # executions that only showed what is shared may have gone beyond the bound
        if set(several["outcomes"]) != set(one["outcomes"]):
            wrong.append("%s: other outcomes with %s" % (program, what))
        if campaign.findings(several, "kind", "signature") != campaign.findings(
                one, "kind", "signature"):
            wrong.append("%s: other findings with %s" % (program, what))
    return wrong


def at_random(bin_dir, program, number, *options):
    """With the strategy that the options name, which samples."""
    if "-s" not in options:
        options = ("-s", "random", *options)
    one = explore(bin_dir, program, "-n", str(number), *options)
    wrong = [] if one["executions"] == number else ["%s: not %d executions" % (program, number)]
    for jobs in ("2", "3"):
        several = explore(bin_dir, program, "-n", str(number), "-j", jobs, *options)
        what = " ".join(("-j", jobs, *options))
        wrong += compare(program, what, one, several, RANDOM)
        members = ("kind", "signature", "count")
        if campaign.findings(several, *members) != campaign.findings(one, *members):
            wrong.append("%s: other findings with %s" % (program, what))
    return wrong


def main():
    bin_dir = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="plait-workers-") as work:
        os.chdir(work)
        split = campaign.build(bin_dir, "split", campaign.SPLIT, "-DROUNDS=2")
        late = campaign.build(bin_dir, "late", campaign.LATE)
        bugs = campaign.build(bin_dir, "bugs", campaign.BUGS)
        seeds = [campaign.generated(bin_dir, seed) for seed in range(1, 5)]
        wrong = []
        for program in [split, late, bugs] + seeds:
            wrong += exhaustive(bin_dir, program)
        for strategy in ("pcb", "pcb:2", "delay", "delay:3"):
            for program in [split, late, bugs] + seeds[:2]:
                wrong += exhaustive(bin_dir, program, strategy=strategy)
            wrong += exhaustive(bin_dir, bugs, "--restart", "exec", strategy=strategy)
        for program in [split, bugs] + seeds[:3]:
            wrong += at_random(bin_dir, program, 1000)
        for strategy in ("pct", "pos", "surw"):
            for program in (split, bugs, seeds[1]):
                wrong += at_random(bin_dir, program, 500, "-s", strategy)
        for kind in ("fork", "exec"):
            wrong += exhaustive(bin_dir, bugs, "--restart", kind)
            wrong += at_random(bin_dir, bugs, 100, "--restart", kind)
        wrong += exhaustive(bin_dir, split, "--carrier", "thread")
        wrong += at_random(bin_dir, split, 100, "--check", "true")
        os.chdir("/")
    print("\n".join(wrong) if wrong else "the same with every number of workers")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
