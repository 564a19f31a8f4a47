#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the ExitBlock family with brute force, over random programs that keep a discipline.

    check_exitblock.py --plait BUILD/bin/plait | --search BUILD/tests/generated/exitblock
                       --model BUILD/tests/generated/exitblock
                       --enumerate BUILD/tests/generated/enumerate
                       [--without LETTERS] [--loose] [--seeds 1-150] [--jobs 2] [--keep DIR]
                       [--resume FILE] [FILE...]

What is checked is plait's strategy or, with --search, the model's own search.  The programs are
those of generate_blocks.py, or descriptions in files.  Each variant must be complete, and

  - find exactly the failing assertions and the outcomes that the enumeration of all interleavings
    finds, in whatever order it chooses threads;
  - plain and dd: execute each order of blocks that the model's brute force finds, once.  That is
    asked only of programs with nothing but mutexes, released in the reverse order, and conditions
    that are signalled under their mutex: elsewhere it is a matter of definition where a block ends;
  - rw: have no more paths than without;
  - find a deadlock exactly when there is one (the model: dd and rwdd).  A program in which an assertion fails
    may hide a deadlock by ending; but there must be none that does not exist.

--loose: programs with and without discipline instead, those of generate_steps.py, and those of
generate_blocks.py with some of their locks left out.  A search may say that it is not complete;
how many do is counted, and how many of these could have been.
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

import check_blocks
import check_steps
import generate_blocks
import generate_steps

VARIANTS = ("plain", "rw", "dd", "rwdd")
# Each variant in one order, and the one that people use in the others, too.
RUNS = [(v, "oldest") for v in VARIANTS] + [("rwdd", "newest"), ("rwdd", "random")]
STATES, SCHEDULES = 200000, 20000

# What a search has found; schedules is a number, or a number and a hash.
Found = collections.namedtuple("Found", "failures outcomes deadlock schedules paths complete")


class Search:
    """The model's own search."""

    def __init__(self, options):
        self.options = options

    def run(self, variant, order, path, _):
        flags = {"plain": [], "rw": ["--rw"], "dd": ["--dd"], "rwdd": ["--rw", "--dd"]}[variant]
        order = "1" if order == "random" else order
        flags += ["--without", self.options.without, "--order", order, "--limit", "1000000"]
        answer = check_blocks.ask(self.options.search, "--sets", *flags, path)
        if answer.large:
            return "goes on for ever"
        return Found(answer.failures, answer.outcomes, answer.numbers["deadlock"] == 1,
                     answer.schedules(), answer.numbers["paths"], True)

    def schedules(self, brute):
        return brute.schedules()


class Plait:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.interpret = {}
        for begin in (False, True):
            folder = os.path.join(work, "begin" if begin else "main")
            os.makedirs(folder)
            steps = check_steps.Checker(options, folder)
            steps.build(*(["-DBEGIN"] if begin else []))
            self.interpret[begin] = steps.interpret

    def run(self, variant, order, path, begin):
        return self.search("exitblock:%s,order=%s" % (variant, order), path, begin)

    def search(self, strategy, path, begin):
        command = [self.options.plait, "test", "--hooks-only", "-s", strategy, "-k", "-q", "--outputs", "--json", "-",
                   *self.options.options.split(), "-o", os.path.join(os.path.dirname(path), "out"), "--",
                   self.interpret[begin], path]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            result = json.loads(done.stdout)
        except ValueError:
            return "exit %d: %s" % (done.returncode, done.stderr.strip()[-400:])
        findings = result["findings"]
        paths = result["paths"] or {"finished": 0, "stuck": 0, "total": 0}  # nothing came to its end
        return Found(
            {f["message"] for f in findings if f["kind"] == "assertion"},
            {o["text"].strip("\n") for o in result["outputs"]},
            any(f["kind"] == "deadlock" for f in findings),
            paths["finished"] + paths["stuck"], paths["total"], result["complete"])

    def schedules(self, brute):
        return brute.numbers["schedules"]


class Checker:
    def __init__(self, options, judged, work):
        self.options, self.judged, self.work = options, judged, work
        self.refused = self.needless = 0  # searches that are not complete; that had seen all

    def file_of(self, text):
        folder = os.path.join(self.work, "%d" % threading.get_ident())
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "program")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def check(self, text):
        """What there is, or None when that is too much, and pairs: a run, and what is wrong."""
        path = self.file_of(text)
        truth = check_blocks.ask(self.options.enumerate, "--limit", str(STATES), path)
        if truth.large:
            return None, []
        brute = None
        if "timedwait" not in text and not self.options.loose:  # the model does not know it
            brute = check_blocks.ask(self.options.model, "--schedules", "--limit", str(SCHEDULES),
                                     path)
        if (brute.large if brute else isinstance(self.judged, Search)):
            return None, []
        wrong, paths, schedules = [], {}, None
        if isinstance(self.judged, Search) or (brute and is_countable(text, brute)):
            schedules = self.judged.schedules(brute)
        runs = [(v, o, True) for v, o in RUNS] + [("rwdd", "oldest", False)]
        if not isinstance(self.judged, Plait):
            runs.pop()
        if self.options.loose:  # a thread that begins with an access makes it before the execution begins
            runs = [(v, "oldest", False) for v in ("rwdd", VARIANTS[len(text) % 3])]
        for variant, order, begin in runs:
            name = "%s,order=%s%s" % (variant, order, "" if begin else ", main with steps")
            found = self.judged.run(variant, order, path, begin)
            if isinstance(found, str):
                wrong.append((name, "no result", found))
                continue
            if fails_at_once(truth) and not begin:  # main does so when it has created the others
                truth.failures = self.judged.search("dpor", path, begin).failures
            rows = self.differences(variant, found, truth, schedules if begin else None)
            wrong += [(name, *row) for row in rows]
            paths.setdefault(variant, found.paths)
            self.refused += not found.complete
            self.needless += not found.complete and not self.differences("rw", found._replace(complete=True),
                                                                         truth, None)
        for fewer, more in (("rw", "plain"), ("rwdd", "dd")) if not self.options.loose else ():
            if paths.get(fewer, 0) > paths.get(more, 0):
                wrong.append((fewer, "paths", "%d paths, but %d without rw"
                              % (paths[fewer], paths[more])))
        return truth, wrong

    def differences(self, variant, found, truth, schedules):
        """Pairs: in which way, and a text that says it."""
        wrong = []
        loose = self.options.loose and not found.complete
        for way in ("failures", "outcomes"):
            seen, there = getattr(found, way), getattr(truth, way)
            if seen - there:
                wrong.append((way, "impossible %s %s" % (way, sorted(seen - there))))
            if there - seen and not loose:
                wrong.append((way, "missed %s %s" % (way, sorted(there - seen))))
        deadlock = truth.numbers["deadlock"] == 1
        if found.deadlock and not deadlock:
            wrong.append(("deadlock", "impossible deadlock"))
        looks = "dd" in variant or isinstance(self.judged, Plait)
        if deadlock and not found.deadlock and looks and not truth.failures and not loose:
            wrong.append(("deadlock", "missed deadlock"))
        if not found.complete and not loose:
            wrong.append(("complete", "not complete"))
        if schedules is not None and "rw" not in variant and found.schedules != schedules:
            wrong.append(("schedules", "%s schedules instead of %s"
                          % (found.schedules, schedules)))
        return wrong

    def minimised(self, program, name, way):
        """A smaller program that differs in the same way."""
        again = True
        while again:
            again = False
            for candidate in fewer(program):
                _, wrong = self.check(candidate.text())
                if any(row[:2] == (name, way) for row in wrong):
                    program, again = candidate, True
                    break
        return program


def fails_at_once(truth):
    """Whether a thread fails before anybody has made a step."""
    return truth.failures and not truth.outcomes and truth.numbers.get("executions") == 1


def is_countable(text, brute):
    """Whether it is clear where blocks end."""
    special = re.search(r"^\s*(try|timed|read|write|down|up)", text, re.MULTILINE)
    users = collections.Counter()
    for thread in text.split("thread")[1:]:
        users.update(set(re.findall(r"lock (m\d)", thread)))
    return not (special or brute.numbers["crossed"] or has_bare_signal(text) or 1 in users.values())


def with_fewer_locks(nodes, rng):
    """What is in some regions has no lock any more."""
    some = []
    for before, body, after in nodes:
        body = body and with_fewer_locks(body, rng)
        if re.match(r"lock|read|write", before[0]) and len(after) == 1 and rng.chance(30) \
                and not re.search(r"wait", str(body)):
            some += body or []
        else:
            some.append((before, body, after))
    return some


def generate_loose(seed):
    if seed % 2:
        return generate_steps.generate(seed)
    program = generate_blocks.generate(seed)
    rng = generate_steps.Random(seed)
    return generate_blocks.Program(program.objects, [with_fewer_locks(nodes, rng) for nodes in program.threads])


def has_bare_signal(text):
    """Whether a condition is signalled by somebody who does not hold its mutex."""
    mutex_of = dict(re.findall(r"^\s*wait (c\d) (m\d)", text, re.MULTILINE))
    held = set()
    for words in (line.split() for line in text.splitlines()):
        if words[:1] == ["thread"]:
            held = set()
        elif words[:1] == ["lock"]:
            held.add(words[1])
        elif words[:1] == ["unlock"]:
            held.discard(words[1])
        elif words[:1] in (["signal"], ["broadcast"]):
            if mutex_of.get(words[1]) not in held:
                return True
    return False


def fewer_nodes(nodes):
    """The lists with one node less: what is left keeps the discipline."""
    for i, (before, body, after) in enumerate(nodes):
        yield nodes[:i] + nodes[i + 1:]
        for inner in fewer_nodes(body or []):
            yield nodes[:i] + [(before, inner, after)] + nodes[i + 1:]


def fewer(program):
    threads = program.threads
    for i in range(len(threads) if len(threads) > 1 else 0):
        yield generate_blocks.Program(program.objects, threads[:i] + threads[i + 1:])
    for i, nodes in enumerate(threads):
        for some in fewer_nodes(nodes):
            yield generate_blocks.Program(program.objects, threads[:i] + [some] + threads[i + 1:])


def report(checker, name, program, wrong):
    print("\n%s:" % name)
    for run, _, text in wrong:
        print("  %s: %s" % (run, text))
    if isinstance(program, str):
        return
    small = checker.minimised(program, *wrong[0][:2])
    keep = checker.options.keep or "."
    os.makedirs(keep, exist_ok=True)
    path = os.path.join(keep, name.replace(" ", "-") + ".steps")
    with open(path, "w", encoding="utf-8") as file:
        file.write(small.text())
    print("  smaller, in %s:" % path)
    print("    " + small.text().strip().replace("\n", "\n    "))
    for row in checker.check(small.text())[1]:
        print("  there %s: %s" % (row[0], row[2]))
    if isinstance(checker.judged, Plait):
        run, _, main = wrong[0][0].partition(", ")
        interpret = shutil.copy(checker.judged.interpret[not main], keep)
        print("  repeat: %s test -s exitblock:%s -k --outputs -- %s %s"
              % (checker.options.plait, run, interpret, path))
    print(end="", flush=True)


class Progress:
    """Which seeds are done, in a file, so that a long run can be taken up again."""

    def __init__(self, path, seeds):
        self.path, self.begun = path, time.monotonic()
        self.state = {"seeds": seeds, "next": None, "programs": 0, "large": 0, "deadlocks": 0,
                      "failures": 0, "wrong": 0}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                state = json.load(file)
            if state["seeds"] == seeds:
                self.state = state

    def count(self, seed, truth, wrong):
        s = self.state
        s["programs"] += 1
        s["large"] += truth is None
        s["deadlocks"] += truth is not None and truth.numbers["deadlock"]
        s["failures"] += truth is not None and bool(truth.failures)
        s["wrong"] += bool(wrong)
        s["next"] = seed + 1
        if self.path and s["programs"] % 100 == 0:
            self.save()
            print("seed %d: %s, %.0f s" % (seed, self.line(), time.monotonic() - self.begun),
                  flush=True)

    def save(self):
        if self.path:
            with open(self.path + ".new", "w", encoding="utf-8") as file:
                json.dump(self.state, file)
            os.replace(self.path + ".new", self.path)

    def line(self):
        return ("%(programs)d programs (%(large)d too large), %(deadlocks)d with deadlocks, "
                "%(failures)d with failures, %(wrong)d wrong" % self.state)


def check_seeds(checker, options):
    first, _, last = options.seeds.partition("-")
    progress = Progress(options.resume, options.seeds)
    seeds = iter(range(progress.state["next"] or int(first), int(last or first) + 1))
    pending = collections.deque()

    def one(seed):
        program = (generate_loose if options.loose else generate_blocks.generate)(seed)
        return seed, program, checker.check(program.text())

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while True:
            while len(pending) < 4 * options.jobs and (seed := next(seeds, None)) is not None:
                pending.append(pool.submit(one, seed))
            if not pending:
                break
            seed, program, (truth, wrong) = pending.popleft().result()
            progress.count(seed, truth, wrong)
            if wrong:
                report(checker, "seed %d" % seed, program, wrong)
            if wrong and not options.keep_going:
                for future in pending:
                    future.cancel()
                break
    progress.save()
    print(progress.line())
    if options.loose:
        print("%d searches not complete, %d of them had seen everything" % (checker.refused, checker.needless))
    return 1 if progress.state["wrong"] else 0


def check_files(checker, files):
    failed = 0
    for path in files:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if re.search(r"^# undisciplined", text, re.MULTILINE):
            continue
        _, wrong = checker.check(text)
        if wrong:
            failed += 1
            report(checker, os.path.basename(path), text, wrong)
    print("%d files, %d wrong" % (len(files), failed))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description="Compare the ExitBlock family with brute force.")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--plait")
    parser.add_argument("--search", help="the model's search instead of plait")
    parser.add_argument("--without", default="", metavar="LETTERS",
                        help="corrections that the model's search is to leave out")
    parser.add_argument("--loose", action="store_true", help="programs with and without discipline")
    parser.add_argument("--model", required=True)
    parser.add_argument("--enumerate", required=True)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--seeds", default="1-150")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--options", default="", help="further options of plait test")
    parser.add_argument("--keep-going", action="store_true", help="report all that fail")
    parser.add_argument("--keep", help="folder for smaller programs (default .)")
    parser.add_argument("--resume", metavar="FILE", help="note progress here, and go on from it")
    options = parser.parse_args()
    if bool(options.plait) == bool(options.search):
        parser.error("either --plait or --search")

    with tempfile.TemporaryDirectory(prefix="plait-blocks-") as work:
        if options.search:
            judged = Search(options)
        else:
            options.plait = os.path.abspath(options.plait)
            judged = Plait(options, work)
        checker = Checker(options, judged, work)
        return check_files(checker, options.files) if options.files else check_seeds(checker, options)


if __name__ == "__main__":
    sys.exit(main())
