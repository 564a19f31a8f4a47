#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare an exhaustive strategy with the brute-force enumeration.

    check.py --plait BUILD/bin/plait [--strategy dfs] [--first 1] [--count 40] [--keep DIR]
             [--threads 3] [--points shared] [--restart KIND] [--checkpoints KIND] [--jobs 1]
             [--bounds 2] [--whole]

Each program, of a seed or known, is built by `plait-cc` (gcc and clang, -O0 and -O2 in turn, all of one
way together), explored to the end, and the set of outcomes, the possibility of a deadlock and the number of
equivalence classes must be those of enumerate_all.py.  The programs print their outcome, and plait
lists what executions have printed, so what every single one ended with is seen.

With `--points all` each program is explored twice, with the accesses to shared memory as points
and with all accesses, and both must find the same.  Classes can be compared, too: an access to
memory that nobody shares conflicts with none, so it is in no class.  The numbers of executions
are not compared; that they differ is the reason for leaving points out.

With `--bounds K` the strategy, pcb or delay, is also run with each bound up to K.  It must come
to the classes that have an execution within the bound and to no others, and to their outcomes
and deadlocks; the executions that only showed what is shared may have had others.  It must
not call that complete unless it is everything.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import enumerate_all as oracle
import generate

# Programs whose number of classes is known by thought, as (name, classes,
# deadlock possible, program): they check the enumeration as well as the strategy.
def known():
    def program(*threads, variables=("atomic", "atomic"), mutexes=3):
        return {"variables": list(variables), "mutexes": mutexes, "threads": list(threads)}

    def section(mutex):
        return [("lock", mutex), ("unlock", mutex)]

    def meal(left, right):
        return [("lock", left), ("lock", right), ("unlock", right), ("unlock", left)]

    write, read, load = ("store", 0, 1), ("load", 0, 0), ("load", 0, 1)
    return [
        ("three writers", 6, False, program([write], [write], [write])),
        ("one writer, two readers", 4, False, program([write], [read], [read])),
        ("three and two writes", 10, False, program([write] * 3, [write] * 2)),
        ("plain writes", 10, False, program([write] * 3, [write] * 2, variables=["plain"])),
        ("own mutexes", 1, False, program(section(0) * 2, section(1) * 2)),
        ("three critical sections", 6, False, program(section(0), section(0), section(0))),
        ("two writes, two reads", 6, False, program([write, write], [read, load])),
        ("two philosophers", 3, True, program(meal(0, 1), meal(1, 0))),
        ("three philosophers", 7, True, program(meal(0, 1), meal(1, 2), meal(2, 0))),
    ]


BUILDS = (("gcc", "0"), ("clang", "2"), ("gcc", "2"), ("clang", "0"))
# gcc -O0 has a hook for each access to a local variable: thousands of times the executions.
BUILDS_WITHOUT_LOCALS = (("clang", "2"), ("gcc", "2"), ("clang", "0"))


def build(options, programs, work):
    """How to start each of the programs.  Those that are built in the same way are one executable, but where all of it is analysed."""
    builds = BUILDS_WITHOUT_LOCALS if options.points == "all" else BUILDS
    parts = [{n: p} for n, p in enumerate(programs)] if options.whole else [
        dict(list(enumerate(programs))[first::len(builds)]) for first in range(len(builds))]
    commands = [None] * len(programs)
    for part in filter(None, parts):
        compiler, opt = builds[min(part) % len(builds)]
        binary = os.path.join(work, "p%d" % min(part))
        with open(binary + ".c", "w", encoding="utf-8") as file:
            file.write(generate.emit_all(part))
        subprocess.run(
            [os.path.join(os.path.dirname(options.plait), "plait-cc"), "-g", "-O" + opt]
            + (["--whole", "--keep-hooks"] if options.whole else [])
            + ["-std=gnu17", "-Wall", "-Wextra", "-pthread", "-o", binary, binary + ".c"],
            env=dict(os.environ, PLAIT_CC="clang" if options.whole else compiler),
            check=True,
        )
        for number in part:
            commands[number] = [binary, str(number)]
    return commands


def explore(options, points, program, work, bound=None):
    """The result of a campaign and the outcomes of all its executions."""
    report = os.path.join(work, "report.json")
    if os.path.exists(report):
        os.unlink(report)
    strategy = options.strategy if bound is None else "%s:%d" % (options.strategy, bound)
    command = [options.plait, "test", "--time-outs", "any", "-s", strategy, "-k", "--outputs", "--json", report]
    command += ["--points", points, "--jobs", str(options.jobs)]
    if options.restart is not None:
        command += ["--restart", options.restart]
    if options.checkpoints is not None:
        command += ["--checkpoints", options.checkpoints]
    command += ["-o", os.path.join(work, "out"), "--", *program]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=work,
    )
    try:
        with open(report, encoding="utf-8") as file:
            result = json.load(file)
    except (OSError, ValueError) as error:
        print(done.stdout.decode(errors="replace"))
        return None, "no report: %s" % error
    if result["outputs_lost"]:
        return None, "outcomes that are not listed"
    # One that cannot end prints nothing.
    return result, {o["text"].rstrip("\n") for o in result["outputs"]} - {""}


def differences(result, seen, expected, possible=None):
    """`possible` is what there is altogether, when `expected` is what a bound leaves of it."""
    if result is None:
        return [seen]
    wrong = []
    possible = possible or expected
    kinds = sorted({f["kind"] for f in result["findings"]})
    if kinds not in [["deadlock"] if e.deadlock else [] for e in (expected, possible)]:
        wrong.append("findings %s, deadlock possible: %s" % (kinds, expected.deadlock))
    if not result["complete"] and possible == expected:
        wrong.append("the search was not complete")
    if seen - possible.outcomes:
        wrong.append("impossible outcomes %s" % sorted(seen - possible.outcomes))
    if expected.outcomes - seen:
        wrong.append("missed outcomes %s" % sorted(expected.outcomes - seen))
    if result["classes"] != len(expected.classes):
        wrong.append("%d classes instead of %d" % (result["classes"], len(expected.classes)))
    return wrong


COST_OF = {"pcb": "preemptions", "delay": "delays"}


def bounded(options, program, work, expected):
    """What is wrong with the results for each bound, and how many executions they took."""
    wrong, executions = [], 0
    for bound in range(options.bounds + 1):
        result, seen = explore(options, "shared", program, work, bound)
        within = expected.within(COST_OF[options.strategy], bound)
        found = differences(result, seen, within, expected)
        if result and result["complete"] and len(within.classes) < len(expected.classes):
            found.append("not everything, yet complete")
        if result and not result["complete"] and result["bound"] != bound:
            found.append("it says %s" % result["bound"])
        wrong += ["bound %d: %s" % (bound, text) for text in found]
        executions += result["executions"] if result else 0
    return wrong, executions


def disagreements(shared, everything):
    """What two results of the same program, with other points, differ in."""
    wrong = []
    for key in ("kind", "message", "signature"):
        found = [sorted(f[key] for f in r["findings"]) for r in (shared, everything)]
        if found[0] != found[1]:
            wrong.append("%s of findings %s with shared points and %s with all" % (key, *found))
    if shared["classes"] != everything["classes"]:
        wrong.append(
            "%d classes with shared points and %d with all"
            % (shared["classes"], everything["classes"])
        )
    return wrong


def main():
    parser = argparse.ArgumentParser(description="Compare a strategy with brute force.")
    parser.add_argument("--plait", required=True)
    parser.add_argument("--strategy", default="dfs")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--points", choices=("shared", "all"), default="shared")
    parser.add_argument("--restart", choices=("rollback", "fork", "exec"))
    parser.add_argument("--checkpoints", choices=("auto", "off", "always"))
    parser.add_argument("--threads", type=int, default=3, help="at most, but for known programs")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--whole", action="store_true", help="for strategies that go by pairs")
    parser.add_argument("--bounds", type=int, default=-1, help="the largest to be checked")
    parser.add_argument("--keep", help="leave the programs in this folder")
    options = parser.parse_args()
    options.plait = os.path.abspath(options.plait)

    programs = known()
    programs += [
        ("seed %d" % seed, None, None, generate.generate(seed))
        for seed in range(options.first, options.first + options.count)
    ]
    programs = [
        row for row in programs if row[1] is not None or len(row[3]["threads"]) <= options.threads
    ]
    failures = classes = executions = 0
    with tempfile.TemporaryDirectory(prefix="plait-generated-") as temporary:
        work = os.path.abspath(options.keep) if options.keep else temporary
        os.makedirs(work, exist_ok=True)
        commands = build(options, [row[3] for row in programs], work)
        for (name, known_classes, known_deadlock, program), command in zip(programs, commands):
            expected = oracle.Enumeration(program)
            if known_classes is not None:
                assert len(expected.classes) == known_classes, name
                assert expected.deadlock == known_deadlock, name
            result, seen = explore(options, "shared", command, work)
            wrong = differences(result, seen, expected)
            classes += len(expected.classes)
            executions += result["executions"] if result else 0
            if options.points == "all" and result:
                all_result, all_seen = explore(options, "all", command, work)
                wrong += ["with all points: " + w for w in differences(all_result, all_seen, expected)]
                wrong += disagreements(result, all_result) if all_result else []
                executions += all_result["executions"] if all_result else 0
            more_wrong, more = bounded(options, command, work, expected)
            wrong += more_wrong
            executions += more
            if wrong:
                failures += 1
                print("%s:\n  %s" % (name, "\n  ".join(wrong)))
                print(generate.emit(program), flush=True)
    print(
        "%d programs, %d classes, %d executions, %d wrong"
        % (len(programs), classes, executions, failures)
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
