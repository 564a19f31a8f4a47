#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Classes are the same relation for every strategy: compare them on all programs that are counted.

    counted.py --plait BUILD/bin/plait [--most N] [--jobs N] [-v] FOLDER...

Counted is every program whose opening comment expects `complete` and `classes=N` of a search (see
run_program.py).  Each is built once with the flags of its largest count up to --most, and explored
by dfs, dpor in three variants and pcb: those that are complete must all have that many classes.
random must never have more, and all of them where there are few.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

SEARCHES = ("dfs", "dpor", "dpor:source", "dpor:classic", "pcb")
# What a search explores depends on these, and not on who searches.
KEPT = {"-k", "--keep-going", "--spurious", "--weak-cas"}
EXECUTIONS, SAMPLES, FEW, MOST = 2500, 300, 3, 30

Counted = collections.namedtuple("Counted", "path compiler flags options classes")


def pairs_of(path):
    """(RUN, EXPECT) of a program's comment."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"\\\n\s*\*\s*", " ", file.read())
    return re.findall(r"^[ /]\*\s+RUN\s+(.*)\n[ /]\*\s+EXPECT\s+(.*)$", text, re.M)


def counted_in(path, most):
    """The largest count of the program that is small enough, or None."""
    best = None
    for run, expect in pairs_of(path):
        classes = re.search(r"(?<![\w-])classes=(\d+)(?!\d|-)", expect)
        selectors = re.match(r"(?:\[[^]]*\]\s*)*", run).group()
        compiler = "clang" if "[clang]" in selectors else "gcc"
        level = ["-O0"] if "[O0]" in selectors or compiler == "clang" else ["-O2"] if "[O2]" in selectors else []
        run = run[len(selectors):]
        flags, command, rest = run.partition("plait test")
        words = shlex.split(rest)
        if not classes or not command or "complete" not in expect.split() or "--" in words:
            continue
        if "-s" not in words or words[words.index("-s") + 1].split(":")[0] not in ("dfs", "dpor", "pcb"):
            continue
        at = words.index("-s")
        others = words[:at] + words[at + 2:]
        if "--points" in others:  # all of them, which changes nothing about classes
            at = others.index("--points")
            others = others[:at] + others[at + 2:]
        count = int(classes.group(1))
        if not set(others) <= KEPT or count > most or (best and best.classes >= count):
            continue
        best = Counted(path, compiler, level + flags.split(), others, count)
    return best


class Checker:
    def __init__(self, plait, folder):
        self.plait, self.folder = plait, folder

    def build(self, number, program):
        binary = os.path.join(self.folder, "p%d" % number)
        wrapper = os.path.join(os.path.dirname(self.plait), "plait-c++" if program.path.endswith("pp") else "plait-cc")
        header = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include")
        subprocess.run([wrapper, "-O1", "-g", "-w", "-pthread", "-I" + header, *program.flags, "-o", binary, program.path],
                       check=True, env=dict(os.environ, PLAIT_CC=program.compiler))
        return binary

    def explore(self, binary, strategy, n, options):
        command = [self.plait, "test", "-q", "--no-minimize", "-s", strategy, "-n", str(n), "-t", "60s", "--json", "-", "-o",
                   binary + ".out", *(["-k"] if strategy == "random" else []), *options, "--", binary]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise SystemExit("%s: %s" % (" ".join(command), done.stderr)) from None

    def check(self, number, program):
        """What is wrong, and how many searches were complete."""
        binary, wrong, complete = self.build(number, program), [], 0
        for search in SEARCHES:
            report = self.explore(binary, search, EXECUTIONS, program.options)
            complete += report["complete"]
            if report["complete"] and report["classes"] != program.classes:
                wrong.append("%s has %d classes" % (search, report["classes"]))
        few = program.classes <= FEW
        report = self.explore(binary, "random", SAMPLES, program.options)
        if report["classes"] > program.classes or (few and report["classes"] < program.classes):
            wrong.append("random has %d classes" % report["classes"])
        return wrong, complete


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plait", required=True)
    parser.add_argument("--most", type=int, default=MOST)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    paths = sorted(os.path.join(folder, name) for top in options.folders for folder, _, names in os.walk(top)
                   for name in names if name.endswith((".c", ".cpp")))
    programs = [p for p in (counted_in(path, options.most) for path in paths) if p]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="plait-counted-") as folder:
        checker = Checker(os.path.abspath(options.plait), folder)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for program, (wrong, complete) in zip(programs, pool.map(checker.check, range(len(programs)), programs)):
                name = " ".join([os.path.basename(program.path), *program.flags])
                if wrong or options.verbose:
                    print("%s: %d classes, %d of %d searches complete%s"
                          % (name, program.classes, complete, len(SEARCHES), "".join("; " + text for text in wrong)), flush=True)
                failed += bool(wrong) or complete == 0
    print("%d counted programs, %d wrong" % (len(programs), failed))
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
