#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which orders of two statements are there that hapset ends without?

    orders_left.py --plait BUILD/bin/plait --enumerate BUILD/tests/generated/enumerate
                   [--seeds 1-300,1297] [--strategy NAME] [--show N] [--most PERCENT] [--jobs N]

Over the random programs of check_steps.py.  An order exists if in one execution of every class, as
hapset:then=dpor makes them, there is one with the second statement immediately after the first
(strategy/hapset/predecessors.h).  The strategy explores the same program to its end; what exists is left if it
has neither shown it nor tried it in vain.  The sum is over programs that cannot fail: failing
ends an execution early, and what it has shown is not known.  With --show the first N programs with
something left are printed, orders as THREAD.STEP operation, programs that can fail among them; with
--most the exit status is 1 if a larger share is left.

Every step is a statement of its own (interpret.c with SITES).
"""

import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

import check_steps
import generate_steps

MOST = 20000


def name_of(statement):
    """Which step it is and what is done there, or None if it is no step."""
    site = re.search(r"sites\.def:(\d+):", statement["caller"])
    if site is None:
        return None
    number = int(site.group(1)) - 1
    return "%d.%d %s" % (number // 64, number % 64, statement["operation"])


class Sets:
    """The pairs of a campaign, as (predecessor, statement)."""

    def __init__(self, checker, strategy, path):
        folder = os.path.join(checker.folder(), "sets")
        file = os.path.join(folder, "coverage.json")
        if os.path.exists(file):
            os.remove(file)
        command = [checker.options.plait, "test", "--hooks-only", "--time-outs", "any", "-s", strategy, "-k", "-q", "-n", str(MOST),
                   "--no-minimize", "--json", "-", "-o", folder, "--", checker.interpret, path]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        try:
            self.result = json.loads(done.stdout)
        except ValueError:
            raise SystemExit("%s: exit %d: %s" % (strategy, done.returncode, done.stderr)) from None
        with open(file, encoding="utf-8") as text:
            kept = json.load(text)
        self.names = [name_of(s) for s in kept["statements"]]
        self.good, self.failing, self.tried = (
            self.pairs(kept[word]) for word in ("predecessors", "failing", "tried"))

    def pairs(self, rows):
        named = {(self.names[row[0]], self.names[row[1]]) for row in rows}
        return {pair for pair in named if None not in pair}

    def all(self):
        return self.good | self.failing


class Left:
    """What is left of a program; `fails` is None when it has too many executions."""

    def __init__(self, checker, strategy, seed):
        path = checker.file_of(generate_steps.generate(seed).text())
        answer = checker.ask(path)
        self.seed, self.fails = seed, None
        if answer.executions is None or answer.classes > MOST:
            return
        self.fails = bool(answer.kinds())
        own = Sets(checker, strategy, path)
        self.exist = Sets(checker, "hapset:context=2,then=dpor", path).all()
        self.executions = own.result["search_executions"]
        missing = self.exist - own.all()
        self.left, self.tried = sorted(missing - own.tried), sorted(missing & own.tried)

    def describe(self):
        print("seed %d, which %s fail: %d executions, %d orders exist" % (
            self.seed, "can" if self.fails else "cannot", self.executions, len(self.exist)))
        for word, pairs in (("left", self.left), ("tried in vain", self.tried)):
            for before, after in pairs:
                print("  %s: %s, then %s" % (word, before, after))


def numbers(text):
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def measure_all(options):
    with tempfile.TemporaryDirectory(prefix="plait-left-") as work, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        checker = check_steps.Checker(options, work)
        checker.build("-DSITES")
        rows = pool.map(lambda n: Left(checker, options.strategy, n), numbers(options.seeds))
        return [row for row in rows if row.fails is not None]


def main():
    options = check_steps.options_to_measure("Orders that a guided search ends without.", {
        "--strategy": {"default": "hapset:context=2"},
        "--most": {"type": float, "default": 100},
    })
    rows = measure_all(options)
    for row in [row for row in rows if row.left or row.tried][:options.show]:
        row.describe()
    clean = [row for row in rows if not row.fails]
    exist, left = sum(len(row.exist) for row in clean), sum(len(row.left) for row in clean)
    share = 100.0 * left / max(exist, 1)
    print("%d programs that cannot fail: %d orders exist, %d = %.1f %% are left in %d programs, "
          "%d were tried in vain, %d executions" % (
              len(clean), exist, left, share, sum(bool(row.left) for row in clean),
              sum(len(row.tried) for row in clean), sum(row.executions for row in clean)))
    return 1 if share > options.most else 0


if __name__ == "__main__":
    sys.exit(main())
