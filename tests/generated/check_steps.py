#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare strategies with brute force, over random programs with every kind of object.

    check_steps.py --plait BUILD/bin/plait --enumerate BUILD/tests/generated/enumerate
                   [--seeds 1-100] [--naive] [--strategies dfs,dpor:optimal] [--compiler gcc]
                   [--jobs 2] [--keep DIR] [--resume FILE] [FILE...]

A program is a description (program.h) that `enumerate` and `interpret` read; the latter is
compiled here, once.  Of each program, of a seed or in a file, every strategy must find exactly the
outcomes, failing assertions and deadlocks that `enumerate` says, see as many equivalence classes,
be complete, and hand over schedules that replay.  dfs must make as many executions as there are,
and dpor:optimal one for each class, as must hapset with then=dpor.  A strategy name may have `/` for `,`.

A file may say `# expect: classes 3, deadlock` (or `failure`); then the enumeration must say so, too.

A program that fails is made smaller while it fails in the same way, and printed.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import generate_steps

STRATEGIES = "dfs,pcb,delay,dpor:classic,dpor:source,dpor:optimal"
# Those that make one execution or more for each interleaving.
EVERY_INTERLEAVING = ("dfs", "pcb", "delay")
STATES = 200000
SMALLEST = "x atomic\nthread\n  store x0 1\nthread\n  load x0 r0\n"


def is_one_each(strategy):
    """Whether it makes one execution for each class."""
    return strategy == "dpor:optimal" or "then=dpor" in strategy


class Answer:
    """What the enumeration says about a program; None for numbers when it is too large."""

    def __init__(self, text):
        self.executions = self.classes = None
        self.deadlock, self.failures, self.outcomes = False, set(), set()
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            if word == "executions":
                self.executions = int(rest)
            elif word == "classes":
                self.classes = int(rest)
            elif word == "deadlock":
                self.deadlock = rest == "1"
            elif word == "failure":
                self.failures.add(rest)
            elif word == "outcome":
                self.outcomes.add(rest)

    def kinds(self):
        """The kinds of findings that there must be."""
        deadlock, failure = {"deadlock"}, {"assertion"}
        return (deadlock if self.deadlock else set()) | (failure if self.failures else set())


class Checker:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.interpret = os.path.join(work, "interpret")
        self.strategies = []

    def build(self, *flags):
        """The interpreter; only what accesses variables is instrumented."""
        here, binary = os.path.dirname(os.path.abspath(__file__)), self.interpret
        with open(os.path.join(self.work, "sites.def"), "w", encoding="utf-8") as file:
            file.writelines("SITE(%d)\n" % n for n in range(256))
        wrapper = os.path.join(os.path.dirname(self.options.plait), "plait-cc")
        flags = ["-O2", "-g", "-std=gnu17", "-Wall", "-Wextra", "-Werror", *flags]
        subprocess.run([self.options.compiler, *flags, "-c", "-o", binary + ".o",
                        os.path.join(here, "program.c")], check=True)
        subprocess.run([wrapper, *flags, "-pthread", "-I", os.path.join(here, "../../include"),
                        "-I", self.work, "-o", binary, os.path.join(here, "interpret.c"), binary + ".o"],
                       check=True, env=dict(os.environ, PLAIT_CC=self.options.compiler))

    def folder(self):
        """One for each thread of ours."""
        path = os.path.join(self.work, "%d" % threading.get_ident())
        os.makedirs(path, exist_ok=True)
        return path

    def file_of(self, text):
        path = os.path.join(self.folder(), "program")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def ask(self, path, *arguments):
        command = [self.options.enumerate, "--limit", str(STATES), *arguments, path]
        return Answer(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)

    def command(self, strategy, path):
        return [self.options.plait, "test", "--hooks-only", "--time-outs", "any", "-s", strategy, "-k", "-q", "--outputs", "--json", "-",
                *self.options.options.split(),
                "-o", os.path.join(self.folder(), "out"), "--", self.interpret, path]

    def explore(self, strategy, path, most=1000):
        """The result of a campaign, or a text that says why there is none."""
        command = self.command(strategy, path)
        command[2:2] = ["-n", str(most)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            return json.loads(done.stdout)
        except ValueError:
            return "exit %d: %s" % (done.returncode, done.stderr.strip()[-400:])

    def choose_strategies(self):
        """Those that this plait has."""
        path = self.file_of(SMALLEST)
        for strategy in self.options.strategies.split(","):
            strategy = strategy.replace("/", ",")
            result = self.explore(strategy, path)
            if isinstance(result, str):
                print("skipped: %s (%s)" % (strategy, result), flush=True)
            else:
                self.strategies.append(strategy)

    def differences(self, strategy, path, answer):
        """Pairs: in which way, and a text that says it."""
        if strategy in EVERY_INTERLEAVING and answer.executions > self.options.interleavings:
            return []
        # Whoever needs that many goes round in circles; bounded searches do come again, though.
        each = 20 * answer.executions
        most = 10000 + (each if strategy in EVERY_INTERLEAVING else min(each, 100 * answer.classes))
        result = self.explore(strategy, path, most)
        if isinstance(result, str):
            return [("no result", result)]
        wrong = []

        def compare(way, found, expected):
            if found != expected:
                wrong.append((way, "%s %s instead of %s" % (way, found, expected)))

        def compare_sets(way, found, expected):
            if found - expected:
                wrong.append((way, "impossible %s %s" % (way, sorted(found - expected))))
            if expected - found:
                wrong.append((way, "missed %s %s" % (way, sorted(expected - found))))

        findings = result["findings"]
        compare_sets("findings", {f["kind"] for f in findings}, answer.kinds())
        compare_sets("failures", {f["message"] for f in findings if f["kind"] == "assertion"},
                     answer.failures)
        compare_sets("outcomes", {o["text"].strip("\n") for o in result["outputs"]},
                     answer.outcomes)
        compare("complete", result["complete"], True)
        if "--restart" not in self.options.options:
            compare("restart", result["restart"], "rollback")
        compare("findings that replay", sum(f["replays"] for f in findings), len(findings))
        if self.options.classes:
            compare("classes", result["classes"], answer.classes)
        # An execution that ends early has more points than need be: what its end might hide.
        early = answer.deadlock or answer.failures
        if strategy == "dfs" and (not early or result["search_executions"] < answer.executions):
            compare("executions", result["search_executions"], answer.executions)
        if is_one_each(strategy) and self.options.classes:
            compare("executions", result["search_executions"], answer.classes)
        return wrong

    def check(self, text, expectation=None):
        """All differences: (strategy, way, text)."""
        path = self.file_of(text)
        answer = self.ask(path)
        if answer.executions is None:
            return answer, []
        wrong = []
        if self.options.naive and answer.executions <= self.options.interleavings:
            naive = self.ask(path, "--naive")
            if vars(naive) != vars(answer):
                wrong.append(("--naive", "enumeration", "%s, naively %s" % (vars(answer), vars(naive))))
        if expectation is not None:
            found = "classes %d" % answer.classes + "".join(
                ", " + word for word in ("deadlock", "failure")
                if (answer.deadlock if word == "deadlock" else answer.failures))
            if found != expectation:
                wrong.append(("enumerate", "expectation", "%s instead of %s" % (found, expectation)))
        for strategy in self.strategies:
            wrong += [(strategy, *row) for row in self.differences(strategy, path, answer)]
        return answer, wrong

    def fails_so(self, program, strategy, way):
        if not is_valid(program):
            return False
        _, wrong = self.check(program.text())
        return any(row[0] == strategy and row[1] == way for row in wrong)

    def minimised(self, program, strategy, way):
        """A smaller program that differs in the same way."""
        kept, self.strategies = self.strategies, [s for s in self.strategies if s == strategy]
        try:
            again = True
            while again:
                again = False
                for candidate in smaller(program):
                    if self.fails_so(candidate, strategy, way):
                        program, again = candidate, True
                        break
        finally:
            self.strategies = kept
        return program


def smaller_nodes(nodes):
    """The lists with one node less, or replaced by what is in it."""
    for i, (before, body, after) in enumerate(nodes):
        yield nodes[:i] + nodes[i + 1:]
        if body is not None:
            yield nodes[:i] + body + nodes[i + 1:]
        if before[0] == "loop 3":
            yield nodes[:i] + [(["loop 2"], body, after)] + nodes[i + 1:]
        if body is not None:
            for inner in smaller_nodes(body):
                yield nodes[:i] + [(before, inner, after)] + nodes[i + 1:]


def smaller(program):
    """Programs with less in them, the largest steps first."""
    threads = program.threads
    words = set(re.findall(r"\b[xmclsb](?=\d)", program.text()))
    used = [line for line in program.objects if line[0] in words]
    if used != program.objects:
        yield generate_steps.Program(used, threads)
    for i in range(len(threads)):
        if len(threads) > 1:
            yield generate_steps.Program(program.objects, threads[:i] + threads[i + 1:])
    for i, nodes in enumerate(threads):
        for fewer in smaller_nodes(nodes):
            yield generate_steps.Program(program.objects, threads[:i] + [fewer] + threads[i + 1:])


def is_valid(program):
    """Whether each wait has its mutex, and no `leave` leaves a lock behind."""

    def walk(nodes, held, loop):
        for before, body, after in nodes:
            words = [line.split() for line in before]
            taken = {w[1] for w in words if w[0].endswith(("lock", "read", "write"))}
            if any(w[0] in ("wait", "timedwait") and w[2] not in held for w in words):
                return False
            if any(w[0] == "leave" and loop != held for w in words):
                return False
            inner = held | taken
            at = inner if words[0][0] == "loop" else loop
            if body is not None and not walk(body, inner, at):
                return False
        return True

    return all(walk(nodes, frozenset(), None) for nodes in program.threads)


def report(checker, name, program, wrong):
    """Print what is wrong with a program and, if it was generated, its smaller form."""
    print("\n%s:" % name)
    for strategy, _, text in wrong:
        print("  %s: %s" % (strategy, text))
    strategy, way, _ = wrong[0]
    if isinstance(program, str):
        return
    small = checker.minimised(program, strategy, way)
    keep = checker.options.keep or "."
    os.makedirs(keep, exist_ok=True)
    path = os.path.join(keep, name.replace(" ", "-") + ".steps")
    with open(path, "w", encoding="utf-8") as file:
        file.write(small.text())
    answer, rest = checker.check(small.text())
    print("  smaller, in %s:" % path)
    print("    " + small.text().strip().replace("\n", "\n    "))
    for row in rest:
        print("  there %s: %s" % (row[0], row[2]))
    print("  enumerate says: executions %s, classes %s, deadlock %s, failures %s, %d outcomes"
          % (answer.executions, answer.classes, answer.deadlock, sorted(answer.failures),
             len(answer.outcomes)))
    if strategy in checker.strategies:
        interpret = shutil.copy(checker.interpret, keep)
        print("  repeat: %s test -s %s -k --outputs -- %s %s"
              % (checker.options.plait, strategy, interpret, path))
    print(end="", flush=True)


class Progress:
    """Which seeds are done, in a file, so that a long run can be taken up again."""

    def __init__(self, path, seeds):
        self.path, self.begun = path, time.monotonic()
        self.state = {"seeds": seeds, "next": None, "programs": 0, "large": 0, "executions": 0,
                      "classes": 0, "deadlocks": 0, "failures": 0}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                state = json.load(file)
            if state["seeds"] == seeds:
                self.state = state

    def count(self, seed, answer):
        s = self.state
        s["programs"] += 1
        s["large"] += answer.executions is None
        s["executions"] += answer.executions or 0
        s["classes"] += answer.classes or 0
        s["deadlocks"] += answer.deadlock
        s["failures"] += bool(answer.failures)
        s["next"] = seed + 1
        if self.path and s["programs"] % 100 == 0:
            self.save()
            print("%s: seed %d, %s, %.0f s" % (s["seeds"], seed, self.line(),
                                               time.monotonic() - self.begun), flush=True)

    def save(self):
        if self.path:
            with open(self.path + ".new", "w", encoding="utf-8") as file:
                json.dump(self.state, file)
            os.replace(self.path + ".new", self.path)

    def line(self):
        return ("%(programs)d programs (%(large)d too large), %(executions)d interleavings, "
                "%(classes)d classes, %(deadlocks)d with deadlocks, %(failures)d with failures"
                % self.state)


def check_seeds(checker, options):
    first, _, last = options.seeds.partition("-")
    progress = Progress(options.resume, options.seeds)
    begin = progress.state["next"] or int(first)
    failed = 0

    def one(seed):
        program = generate_steps.generate(seed)
        return seed, program, checker.check(program.text())

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = iter(range(begin, int(last or first) + 1))
        pending = []
        while True:
            while len(pending) < 4 * options.jobs and (seed := next(seeds, None)) is not None:
                pending.append(pool.submit(one, seed))
            if not pending:
                break
            seed, program, (answer, wrong) = pending.pop(0).result()
            if wrong:
                failed += 1
                report(checker, "seed %d" % seed, program, wrong)
            if wrong and not options.keep_going:
                for future in pending:
                    future.cancel()
                break
            progress.count(seed, answer)
    progress.save()
    print("%s, %d wrong" % (progress.line(), failed))
    return 1 if failed else 0


def check_files(checker, files):
    failed = 0
    for path in files:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        expected = re.search(r"^# expect: (.*)$", text, re.MULTILINE)
        _, wrong = checker.check(text, expected.group(1) if expected else None)
        if wrong:
            failed += 1
            report(checker, os.path.basename(path), text, wrong)
    print("%d files, %d wrong" % (len(files), failed))
    return 1 if failed else 0


def options_to_measure(description, more):
    """The options of those who measure what searches of these programs do: these, and more by name."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--plait", required=True)
    parser.add_argument("--enumerate", required=True)
    parser.add_argument("--seeds", default="1-300")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    for name, how in more.items():
        parser.add_argument(name, **how)
    options = parser.parse_args()
    options.plait, options.compiler, options.options = os.path.abspath(options.plait), "gcc", ""
    options.enumerate = os.path.abspath(options.enumerate)
    return options


def main():
    parser = argparse.ArgumentParser(description="Compare strategies with brute force.")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--plait", required=True)
    parser.add_argument("--enumerate", required=True)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--seeds", default="1-100")
    parser.add_argument("--strategies", default=STRATEGIES)
    parser.add_argument("--interleavings", type=int, default=1500,
                        help="explore programs with more only by strategies that reduce")
    parser.add_argument("--naive", action="store_true", help="check the enumeration, too")
    parser.add_argument("--no-classes", dest="classes", action="store_false")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--options", default="", help="further options of plait test")
    parser.add_argument("--keep-going", action="store_true", help="report all that fail")
    parser.add_argument("--keep", help="folder for smaller programs (default .)")
    parser.add_argument("--resume", metavar="FILE", help="note progress here, and go on from it")
    options = parser.parse_args()
    options.plait = os.path.abspath(options.plait)
    options.enumerate = os.path.abspath(options.enumerate)

    with tempfile.TemporaryDirectory(prefix="plait-steps-") as work:
        checker = Checker(options, work)
        checker.build()
        checker.choose_strategies()
        if options.files:
            return check_files(checker, options.files)
        return check_seeds(checker, options)


if __name__ == "__main__":
    sys.exit(main())
