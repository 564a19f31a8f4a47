#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare searches with each other and with native runs, over programs that call system and library.

    check_calls.py --plait BUILD/bin/plait [--seeds 1-100] [--features pipe,names] [--setup early]
                   [--jobs 2] [--runs 20] [--restart rollback,fork] [--options=...] [--keep DIR] [--resume FILE]

Of each program of generate_calls.py every search must find the same outcomes, classes and deadlocks,
and nothing but deadlocks, and those only if something may wait for ever; dpor and hapset must make one
execution for each class; and nothing that native runs with random delays show may be missing, nor anything that samples show.  A search
that says itself that it was not complete is not compared; how often that happens is counted.

Programs are built several at a time, by a compiler and with a level that are drawn, and are explored with
a restart that is drawn.  A campaign of a small program takes some 10 ms of a processor and 100 ms by the clock, so
`--jobs` is best a few times the number of processors.  One that is wrong is made smaller while it is wrong in the same way; `--keep`
gets it as a C file that needs nothing else (but a C++ file where there is such a feature).
"""

import argparse
import collections
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

import call_blocks
import generate_calls
from generate_steps import Random

HERE = os.path.dirname(os.path.abspath(__file__))
SEARCHES = ("dfs", "dpor", "dpor:source", "dpor:classic", "pcb", "hapset:then=dpor")
FIRST = "dpor"  # the one that makes the fewest executions: what is too large for it is for all
ONE_EACH = ("dpor", "hapset:then=dpor")
BLOCKS = "exitblock"  # has paths of its own: outcomes and deadlocks are compared, where it says that it is complete
SAMPLERS = ("random", "pct", "pos", "surw", "rff", "auto")  # one of them is drawn, and shows nothing that searches do not have
SAMPLES = 25
# What an execution costs, about, compared with one by rollback.
PLUSPLUS = {"gcc": "g++", "clang": "clang++"}
COST = {"rollback": 1, "fork": 4, "exec": 20}
TOGETHER = 25
FLAGS = ["-g", "-std=gnu17", "-mcx16", "-Wall", "-Wno-unused", "-Werror", "-pthread", "-I", HERE]


class Build:
    """Programs in one executable, and the way they are compiled and explored."""

    making = threading.Lock()  # what is compiled once for all builds

    def __init__(self, compiler, level, folder):
        self.compiler, self.level, self.folder = compiler, level, folder
        self.binary = os.path.join(folder, "program")

    def run(self, command):
        """An error message, or None."""
        env = dict(os.environ, PLAIT_CC=self.compiler, PLAIT_CXX=PLUSPLUS[self.compiler])
        done = subprocess.run(command, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout if done.returncode else None

    def plusplus(self, plait, shared):
        """The objects with what is in C++, for both executables; or an error message."""
        objects = []
        with Build.making:
            for kind, compiler in (("hooks", [os.path.join(os.path.dirname(plait), "plait-c++")]),
                                   ("native", [PLUSPLUS[self.compiler]])):
                path = os.path.join(shared, "cxx-%s-%d-%s.o" % (self.compiler, self.level, kind))
                if not os.path.exists(path):
                    error = self.run([*compiler, "-O%d" % self.level, "-g", "-std=c++20", "-pthread", "-c",
                                      os.path.join(HERE, "calls_cxx.cpp"), "-o", path])
                    if error:
                        return error
                objects.append([path])
        return objects

    def make(self, plait, programs, shared):
        """An error message, or None; `shared` is a folder for what other builds need, too."""
        source = self.binary + ".c"
        with open(source, "w", encoding="utf-8") as file:
            file.write(generate_calls.batch(programs))
        objects, libraries = [[], []], ["-latomic", "-lm"]
        if any(program.plusplus() for program in programs):
            objects, libraries = self.plusplus(plait, shared), ["-latomic", "-lm", "-lstdc++"]
            if isinstance(objects, str):
                return objects
        wrapper = os.path.join(os.path.dirname(plait), "plait-cc")
        flags = ["-O%d" % self.level, *FLAGS]
        return (self.run([wrapper, *flags, "-o", self.binary, source, *objects[0], *libraries])
                or self.run([self.compiler, *flags, "-DNATIVE", "-o", self.binary + "-native", source, *objects[1],
                             *libraries]))


class Result:
    """What a search says."""

    def __init__(self, report):
        self.complete, self.classes = report["complete"], report["classes"]
        self.executions = report["search_executions"] - report["search_impossible"]
        self.all_executions = report["executions"]
        self.findings = report["findings"]
        self.kinds = {f["kind"] for f in self.findings}
        self.outcomes = {o["text"].rstrip("\n").replace("\n", "/") for o in report["outputs"]}
        if report["outputs_lost"]:
            self.complete = False


class Checker:
    def __init__(self, options, work):
        self.options, self.work = options, work

    def most(self, restart):
        """How many executions a search may make; with more, the program is too large for it."""
        return self.options.executions // COST[restart]

    def explore(self, build, number, search, restart, most, racy=False):
        """A result, or a text that says why there is none."""
        command = [self.options.plait, "test", *([] if racy else ["--hooks-only"]), "--time-outs", "any", "-s", search, "-n", str(most), "-k", "-q", "--no-minimize",
                   "--outputs", "--json", "-", "-o", "out", *self.options.options.split()]
        # One that goes over to a slow restart by itself, as it must, may not come to its end.
        command += ["-t", "%ds" % max(self.options.patience * 9 // 10, 1)]
        if restart != "rollback":
            command += ["--restart", restart]
        command += ["--", build.binary, str(number)]
        process = subprocess.Popen(command, cwd=build.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        try:
            out, err = process.communicate(timeout=self.options.patience)
        except subprocess.TimeoutExpired:
            process.terminate()
            try:
                process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
            return "no end in %d s" % self.options.patience
        try:
            return Result(json.loads(out))
        except ValueError:
            if "does not suit" in err and restart != "rollback":
                return self.explore(build, number, search, "rollback", most, racy)
            return "exit %d: %s" % (process.returncode, err.strip()[-300:])

    def native(self, build, number, runs, seed, patience):
        """Outcomes, whether one was stuck, and exit statuses that are not 0."""
        command = [build.binary + "-native", str(number), str(runs), str(seed), str(patience)]
        done = subprocess.run(command, cwd=build.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        outcomes, stuck, statuses = set(), False, set()
        for line in done.stdout.splitlines():
            word, _, rest = line.partition(" ")
            if word == "ended":
                outcomes.add(rest.rstrip(" "))
            elif word == "stuck":
                stuck = True
            else:
                statuses.add(rest)
        return outcomes, stuck, statuses

    def judge_search(self, program, search, result):
        """What is wrong with a search by itself: (way, text)."""
        wrong = []
        allowed = {"deadlock"} if program.may_wait_for_ever() else set()
        allowed |= {"misuse"} if program.may_end_within() else set()
        for f in result.findings:
            if f["kind"] not in allowed:
                wrong.append(("finding " + f["kind"], "%s: %s" % (f["kind"], f["message"])))
            elif not f["replays"]:
                wrong.append(("replay", "a %s that does not replay" % f["kind"]))
        if self.options.classes and result.complete and search in ONE_EACH and result.executions != result.classes:
            wrong.append(("executions", "%d executions, %d classes" % (result.executions, result.classes)))
        return wrong

    def compare(self, name, result, first, reference):
        """What differs between complete searches: (way, text)."""
        wrong = []
        if result.outcomes - reference.outcomes:
            wrong.append(("outcomes", "%s lacks %s" % (first, sorted(result.outcomes - reference.outcomes)[:4])))
        if reference.outcomes - result.outcomes:
            wrong.append(("outcomes", "lacks %s, which %s has"
                          % (sorted(reference.outcomes - result.outcomes)[:4], first)))
        if result.kinds != reference.kinds:
            wrong.append(("kinds", "%s and %s: %s" % (sorted(result.kinds), first, sorted(reference.kinds))))
        if self.options.classes and name != BLOCKS and result.classes != reference.classes and not wrong:
            wrong.append(("classes", "%d classes, %s: %d" % (result.classes, first, reference.classes)))
        return wrong

    def compare_native(self, build, number, runs, seed, name, result):
        """What native runs show that a complete search does not have."""
        deadlock = "deadlock" in result.kinds
        outcomes, stuck, statuses = self.native(build, number, runs, seed, 100 if deadlock else 8000)
        wrong = []
        if outcomes - result.outcomes:
            wrong.append(("outcomes", "%s lacks %s" % (name, sorted(outcomes - result.outcomes)[:4])))
        if stuck and not deadlock:
            wrong.append(("stuck", "a run is stuck, %s has no deadlock" % name))
        if statuses:
            wrong.append(("status", "a run ends with %s" % ", ".join(sorted(statuses))))
        return wrong

    def check_others(self, build, number, program, restart, sampler, first, reference):
        """What a search over blocks and samples show that a complete search does not have, or the other way round."""
        wrong = []
        blocks = self.explore(build, number, BLOCKS, restart, self.most(restart), program.is_racy())
        samples = self.explore(build, number, sampler, restart, SAMPLES, program.is_racy()) if sampler else None
        for name, result in ((BLOCKS, blocks), (sampler, samples)):
            if isinstance(result, str):
                wrong.append((name, "no result", result))
        if not isinstance(blocks, str) and blocks.complete:
            wrong += [(BLOCKS, *row) for row in self.compare(BLOCKS, blocks, first, reference)]
        if sampler and not isinstance(samples, str):
            if samples.outcomes - reference.outcomes:
                wrong.append((sampler, "outcomes", "%s lacks %s" % (first, sorted(samples.outcomes - reference.outcomes)[:4])))
            if samples.kinds - reference.kinds:
                wrong.append((sampler, "kinds", "%s lacks %s" % (first, sorted(samples.kinds - reference.kinds))))
        return wrong

    def check(self, build, number, program, restart, seed, searches=SEARCHES, runs=None, sampler=None):
        """All that is wrong, (who, way, text), and which searches were not complete."""
        wrong, partial, complete = [], [], []
        most = self.most(restart)
        for search in sorted(set(searches) & set(SEARCHES), key=lambda name: (name != FIRST, SEARCHES.index(name))):
            if search == "pcb" and "large" in partial:
                continue  # it makes no fewer executions than dfs
            result = self.explore(build, number, search, restart, most, program.is_racy())
            if isinstance(result, str):
                wrong.append((search, "no result", result))
                break
            wrong += [(search, *row) for row in self.judge_search(program, search, result)]
            if "hang" in result.kinds:
                break  # the others would only take as long
            if result.complete:
                complete.append((search, result))
            elif not result.findings or result.kinds <= {"deadlock"}:
                partial.append("large" if result.all_executions >= most else search)
                if search == FIRST and partial[-1] == "large":
                    most = max(most // 10, 1)  # nothing will be compared: is there anything wrong by itself?
        complete.sort(key=lambda row: SEARCHES.index(row[0]))
        for search, result in complete[1:]:
            wrong += [(search, *row) for row in self.compare(search, result, *complete[0])]
        if complete and (sampler or BLOCKS in searches):
            wrong += self.check_others(build, number, program, restart, sampler, *complete[0])
        runs = self.options.runs if runs is None else runs
        if program.is_racy() or program.may_lose_signals():
            runs = 0
        if complete and runs:
            wrong += [("native", *row)
                      for row in self.compare_native(build, number, runs, seed, *complete[0])]
        return wrong, partial

    def still_wrong(self, build, program, restart, row):
        if build.make(self.options.plait, [program], self.work):
            return None
        searches = SEARCHES if row[0] == "native" else (SEARCHES[0], row[0])
        runs, sampler = 100 if row[0] == "native" else 0, row[0] if row[0] in SAMPLERS else None
        wrong, _ = self.check(build, 0, program, restart, 1, searches, runs, sampler)
        return next((w for w in wrong if w[:2] == row[:2]), None)

    def minimised(self, build, program, restart, row):
        """A smaller program that is wrong in the same way, and what is wrong with it."""
        begun, again = time.monotonic(), True
        while again and time.monotonic() - begun < self.options.shrink:
            again = False
            for candidate in smaller(program, self.options.setup):
                now = self.still_wrong(build, candidate, restart, row)
                if now:
                    program, row, again = candidate, now, True
                    break
                if time.monotonic() - begun > self.options.shrink:
                    break
        return program, row


def smaller_nodes(nodes):
    for i, (before, body, after) in enumerate(nodes):
        yield nodes[:i] + nodes[i + 1:]
        if body:
            yield nodes[:i] + body + nodes[i + 1:]
            for inner in smaller_nodes(body):
                yield nodes[:i] + [(before, inner, after)] + nodes[i + 1:]


def smaller(program, setups):
    """Programs with less in them; some of them cannot be compiled."""
    make, features, threads = generate_calls.Program, program.features, program.threads
    for i in range(1, len(threads)):
        text = repr(threads)
        if len(threads) > 2 and "@T[%d]" % (len(threads) - 1) not in text:
            yield program.with_threads(threads[:i] + threads[i + 1:])
    for i, nodes in enumerate(threads):
        for fewer in smaller_nodes(nodes):
            yield program.with_threads(threads[:i] + [fewer] + threads[i + 1:])
    for name in features:
        if len(features) > 1:
            yield make([f for f in features if f != name], program.setup, program.early, threads)
    if not program.early and "early" in setups:
        yield make(features, program.setup, True, threads)


def by_itself(program, words):
    """A C file that needs nothing else, with words above it."""
    text = generate_calls.batch([program])
    for header in ("calls.h", "calls_objects.h", "calls_more.h", "calls_rest.h"):
        with open(os.path.join(HERE, header), encoding="utf-8") as file:
            text = text.replace('#include "%s"\n' % header, file.read())
    return "".join("// %s\n" % line for line in words) + text


class Account:
    """What came of all programs, by feature."""

    def __init__(self, path, seeds):
        self.path = path
        self.state = {"seeds": seeds, "done": 0, "wrong": 0, "features": {}, "ways": {}}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                state = json.load(file)
            if state["seeds"] == seeds:
                self.state = state

    def count(self, program, wrong, partial):
        s = self.state
        s["done"] += 1
        s["wrong"] += bool(wrong)
        for name in program.features:
            row = s["features"].setdefault(name, {"programs": 0, "wrong": 0, "large": 0, "incomplete": 0})
            row["programs"] += 1
            row["wrong"] += bool(wrong)
            row["large"] += "large" in partial
            row["incomplete"] += any(word != "large" for word in partial)
        for way in sorted({"%s: %s" % row[:2] for row in wrong}):
            s["ways"][way] = s["ways"].get(way, 0) + 1

    def save(self):
        if self.path:
            with open(self.path + ".new", "w", encoding="utf-8") as file:
                json.dump(self.state, file)
            os.replace(self.path + ".new", self.path)

    def print(self):
        s = self.state
        print("%-12s %8s %6s %10s %6s" % ("feature", "programs", "wrong", "incomplete", "large"))
        for name, row in sorted(s["features"].items()):
            print("%-12s %8d %6d %10d %6d"
                  % (name, row["programs"], row["wrong"], row["incomplete"], row["large"]))
        for way, n in sorted(s["ways"].items(), key=lambda item: -item[1]):
            print("%5d %s" % (n, way))
        print("%d programs, %d wrong" % (s["done"], s["wrong"]), flush=True)


Verdict = collections.namedtuple("Verdict", "seed program restart wrong partial")


def check_batch(checker, seeds):
    """The build of these seeds, and what came of each."""
    options = checker.options
    rng = Random(seeds[0] * 7919 + 1)
    folder = tempfile.mkdtemp(dir=checker.work)
    build = Build(rng.choice(["gcc", "clang"]), rng.below(4), folder)
    programs = [generate_calls.generate(seed, options.features, options.setup) for seed in seeds]
    error = build.make(options.plait, programs, checker.work)
    if error:
        raise SystemExit("seeds %d to %d cannot be compiled:\n%s" % (seeds[0], seeds[-1], error))
    verdicts = []
    for number, (seed, program) in enumerate(zip(seeds, programs)):
        restart = rng.choice(options.restart)
        begun = time.monotonic()
        wrong, partial = checker.check(build, number, program, restart, seed, (*SEARCHES, BLOCKS),
                                       sampler=rng.choice(SAMPLERS))
        if options.verbose:
            print("seed %d: %s, %s -O%d, %s, %s%s, %.1f s"
                  % (seed, " ".join(program.features), build.compiler, build.level, restart, wrong or "good",
                     "".join(", not complete: " + word for word in partial), time.monotonic() - begun), flush=True)
        verdicts.append(Verdict(seed, program, restart, wrong, partial))
    return build, verdicts


def report(checker, build, verdict):
    """Print what is wrong, and leave a smaller program."""
    options = checker.options
    seed, program, restart, wrong, _ = verdict
    print("\nseed %d (%s), %s -O%d, %s:" % (seed, " ".join(program.features), build.compiler, build.level, restart))
    for who, way, text in wrong:
        print("  %s: %s" % (who, text))
    if not options.keep:
        return
    row = wrong[0]
    again = Build(build.compiler, build.level, os.path.join(build.folder, "smaller"))
    os.makedirs(again.folder, exist_ok=True)
    small, row = checker.minimised(again, program, restart, row)
    way = re.sub(r"\W+", "-", "%s-%s" % row[:2])
    os.makedirs(options.keep, exist_ok=True)
    path = os.path.join(options.keep, "%s-%s-%d.c" % ("-".join(small.features), way, seed))
    words = ["seed %d, features %s" % (seed, ",".join(options.features)),
             "%s -O%d, --restart %s" % (build.compiler, build.level, restart),
             "%s: %s" % (row[0], row[2])]
    if small.plusplus():
        shutil.copy(os.path.join(HERE, "calls_cxx.cpp"), options.keep)
        words.append("and calls_cxx.cpp, with -lstdc++")
    with open(path, "w", encoding="utf-8") as file:
        file.write(by_itself(small, words))
    print("  smaller: %s\n    %s: %s" % (path, row[0], row[2]), flush=True)


def check_seeds(checker, options):
    first, _, last = options.seeds.partition("-")
    account = Account(options.resume, options.seeds)
    begin = int(first) + account.state["done"]
    seeds = list(range(begin, int(last or first) + 1))
    batches = [seeds[i:i + TOGETHER] for i in range(0, len(seeds), TOGETHER)]
    reported = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for build, verdicts in pool.map(lambda batch: check_batch(checker, batch), batches):
            for verdict in verdicts:
                account.count(verdict.program, verdict.wrong, verdict.partial)
                if verdict.wrong:
                    kind = (tuple(verdict.program.features), verdict.wrong[0][:2])
                    reported[kind] += 1
                    if reported[kind] <= options.each:
                        report(checker, build, verdict)
            account.save()
            shutil.rmtree(build.folder, ignore_errors=True)
    account.print()
    return 1 if account.state["wrong"] else 0


def main():
    parser = argparse.ArgumentParser(description="Compare searches with each other and with native runs.")
    parser.add_argument("--plait", required=True)
    parser.add_argument("--seeds", default="1-100")
    parser.add_argument("--features", default=",".join(call_blocks.USUAL))
    parser.add_argument("--setup", default=",".join(generate_calls.SETUPS))
    parser.add_argument("--restart", default="rollback,rollback,rollback,rollback,rollback,rollback,fork,fork,exec")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--executions", type=int, default=1000, help="at most, of a search by rollback")
    parser.add_argument("--runs", type=int, default=20, help="native ones of each program")
    parser.add_argument("--no-classes", dest="classes", action="store_false",
                        help="compare outcomes and deadlocks only, not how many classes and executions there are")
    parser.add_argument("--patience", type=int, default=300, help="seconds that a search may take")
    parser.add_argument("--shrink", type=int, default=60, help="seconds for a smaller program")
    parser.add_argument("--each", type=int, default=1000, help="report so many of one kind")
    parser.add_argument("--options", default="", help="further options of plait test")
    parser.add_argument("--keep", help="folder for smaller programs")
    parser.add_argument("--resume", metavar="FILE", help="note progress here, and go on from it")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    options.plait = os.path.abspath(options.plait)
    for name in ("features", "setup", "restart"):
        setattr(options, name, getattr(options, name).split(","))
    with tempfile.TemporaryDirectory(prefix="plait-calls-") as work:
        return check_seeds(Checker(options, work), options)


if __name__ == "__main__":
    sys.exit(main())
