#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which share of failing programs does hapset find, and with how many executions?

    hapset_share.py --plait BUILD/bin/plait --enumerate BUILD/tests/generated/enumerate
                    [--seeds 1-300] [--strategies NAME,...] [--show N] [--least PERCENT]
                    [--jobs N] [--kept FILE] [--not-later]

Over the random programs of check_steps.py.  `enumerate` says which of them can fail an assertion or
deadlock.  Each of these is explored by every strategy until the first finding, each of the
others to the end.  Per strategy: failing programs found, executions to the finding in those that
dpor and the strategy both found (sum and mean), executions in programs that never fail, and in how many of all
cases it was right to end where it did.  With --show the first N programs that were missed are printed;
with --least the exit status is 1 if the first strategy finds less.  --kept names a file to which
every program's results go; those that are there already are not computed again.  With --not-later programs
that cannot fail are left out, and the exit status is 1 if the second strategy misses what the first one finds, or
takes more executions to it, over all programs.

Every step is a statement of its own (interpret.c with SITES).  A strategy name may have `/` for `,`.
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

import check_steps
import generate_steps

MOST = 20000


class Share:
    def __init__(self, name):
        self.name = name
        self.found, self.to_bug, self.clean, self.missed, self.wrong = set(), {}, 0, [], []

    def count(self, seed, fails, found, executions):
        """`found` is the execution that failed, or None."""
        if found is not None:
            if not fails:
                self.wrong.append(seed)
            self.found.add(seed)
            self.to_bug[seed] = found
        elif fails:
            self.missed.append(seed)
        else:
            self.clean += executions


def explore(checker, strategy, path):
    """The result up to the first finding."""
    command = [word for word in checker.command(strategy, path) if word not in ("-k", "--outputs")]
    command[2:2] = ["-n", str(MOST), "--no-minimize", "--no-coverage"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise SystemExit("%s: exit %d: %s" % (strategy, done.returncode, done.stderr)) from None


def measure(checker, strategies, seed):
    """What all strategies came to; `fails` is None when that is not known or not asked."""
    path = checker.file_of(generate_steps.generate(seed).text())
    answer = checker.ask(path)
    if answer.executions is None:
        return {"seed": seed, "fails": None}
    if checker.options.not_later and not answer.kinds():
        return {"seed": seed, "fails": None}
    row = {"seed": seed, "fails": bool(answer.kinds())}
    for strategy in strategies:
        result = explore(checker, strategy, path)
        found = result["findings"][0]["execution"] if result["findings"] else None
        row[strategy] = [found, result["search_executions"]]
    return row


def read_kept(path):
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return {row["seed"]: row for row in map(json.loads, file)}


def measure_all(options, strategies, seeds):
    """Rows by seed, in the order of the seeds."""
    rows = read_kept(options.kept)
    with tempfile.TemporaryDirectory(prefix="plait-share-") as work, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, \
            open(options.kept or os.devnull, "a", encoding="utf-8") as kept:
        checker = check_steps.Checker(options, work)
        checker.build("-DSITES")
        missing = [n for n in seeds if not set(strategies) <= set(rows.get(n, ())) and
                   rows.get(n, {}).get("fails", 0) is not None]
        for row in pool.map(lambda n: measure(checker, strategies, n), missing):
            rows[row["seed"]] = row
            kept.write(json.dumps(row) + "\n")
            kept.flush()
    return [rows[n] for n in seeds]


def report(shares, failing, clean):
    base = shares[-1]
    print("%d programs that can fail, %d that cannot" % (failing, clean))
    print("%-40s %14s %12s %12s %12s" % ("strategy", "found", "to the bug", "of dpor", "clean ones"))
    for s in shares:
        both = s.found & base.found
        print("%-40s %5d = %5.1f %% %12d %12d %12d" % (
            s.name, len(s.found), 100.0 * len(s.found) / max(failing, 1),
            sum(s.to_bug[n] for n in both), sum(base.to_bug[n] for n in both), s.clean))
        if s.wrong:
            print("  findings that cannot be: seeds %s" % s.wrong)


def is_later(first, second):
    """Say which bugs the second one finds later or not at all, and whether that is more than it gains."""
    for seed in sorted(first.found):
        found = second.to_bug.get(seed)
        if found is None or found > first.to_bug[seed]:
            print("seed %d: %s instead of %d" % (seed, found, first.to_bug[seed]))
    if first.found - second.found:
        return True
    return sum(second.to_bug[n] for n in first.found) > sum(first.to_bug.values())


def main():
    options = check_steps.options_to_measure("The share of bugs that hapset finds.", {
        "--strategies": {"default": "hapset:context=2,hapset:context=2/base=pcb"},
        "--least": {"type": float, "default": 0},
        "--kept": {"default": ""},
        "--not-later": {"action": "store_true"},
    })
    shares = [Share(s.replace("/", ",")) for s in options.strategies.split(",")] + [Share("dpor")]
    first, last = options.seeds.split("-")
    rows = measure_all(options, [s.name for s in shares], range(int(first), int(last) + 1))
    rows = [row for row in rows if row["fails"] is not None]
    for row in rows:
        for s in shares:
            s.count(row["seed"], row["fails"], *row[s.name])
    failing = sum(row["fails"] for row in rows)
    clean = len(rows) - failing
    report(shares, failing, clean)
    for seed in shares[0].missed[:options.show]:
        print("\nmissed: seed %d\n%s" % (seed, generate_steps.generate(seed).text()))
    if any(s.wrong for s in shares) or (options.not_later and is_later(*shares[:2])):
        return 1
    return 1 if 100.0 * len(shares[0].found) < options.least * failing else 0


if __name__ == "__main__":
    sys.exit(main())
