#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check the model of the ExitBlock family (exitblock.c) against what is known of it.

    check_blocks.py --model BUILD/tests/generated/exitblock
                    --enumerate BUILD/tests/generated/enumerate [-v] FILE...

The files are descriptions (program.h) that say in comments what the model must answer:

    # model --rw --dd: paths 4, aborts 2      (`plain` stands for no options)
    # model --without D: large                 it goes on for ever
    # order: ABC ACB                           the paths as they are explored

`failures`, `outcomes` and `schedules` are numbers of different ones.  Besides, for each file the
orders of blocks must be those of the brute-force enumeration of blocks, and failures, outcomes and
deadlocks those of the enumeration of all interleavings.

Then come the numbers that have a closed form: k threads with n lock exits each, and the program
Performance with the numbers that its tester printed in 1999.
"""

import argparse
import math
import os
import re
import subprocess
import sys

LIMIT = 10000
VARIANTS = ((), ("--rw",), ("--dd",), ("--rw", "--dd"), ("--rw", "--dd", "--coarse"))

# Paths of Performance k n: without library locks, in tables 4.1 and 4.2 of the thesis.
PERFORMANCE = {
    (2, 1): 4, (2, 2): 5, (2, 3): 6, (2, 100): 103, (2, 250): 253, (2, 500): 503, (2, 1000): 1003,
    (3, 1): 13, (3, 2): 21, (3, 3): 31, (3, 50): 2757, (3, 100): 10507, (4, 1): 40, (4, 2): 85,
    (4, 3): 156, (4, 10): 1885, (4, 20): 11155, (5, 1): 121, (5, 2): 341, (6, 10): 271453,
    (7, 5): 137257, (8, 3): 97656, (5, 3): 781, (5, 4): 1555, (5, 5): 2801, (5, 10): 22621,
    (6, 1): 364, (6, 2): 1365, (6, 3): 3906, (6, 5): 19608, (7, 1): 1093, (7, 2): 5461,
    (7, 3): 19531, (8, 1): 3280, (8, 2): 21845, (8, 4): 335923, (9, 1): 9841, (9, 2): 87381,
    (10, 1): 29524, (10, 2): 349525, (11, 1): 88573, (12, 1): 265720,
}


class Answer:
    """What the model or an enumeration printed."""

    def __init__(self, printed):
        self.numbers, self.failures, self.outcomes, self.order = {}, set(), set(), []
        self.large = printed.startswith("large") or "\nlarge" in printed
        for line in printed.splitlines():
            word, _, rest = line.partition(" ")
            if word == "failure":
                self.failures.add(rest)
            elif word == "outcome":
                self.outcomes.add(rest)
            elif word == "path":
                self.order.append(rest)
            elif rest:
                self.numbers[word] = int(rest)
        self.numbers["failures"], self.numbers["outcomes"] = len(self.failures), len(self.outcomes)

    def schedules(self):
        return self.numbers["schedules"], self.numbers["hash"]


def ask(program, *arguments, text=None):
    """The answer of a program, to a file among its arguments or to a text."""
    command = [program, *arguments] + ([] if text is None else ["-"])
    done = subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.PIPE)
    return Answer(done.stdout)


def uniform(k, n):
    """k threads that take n locks each, one after the other and never two."""
    if n <= 8:
        body = "".join("lock m%d\nunlock m%d\n" % (i, i) for i in range(n))
    else:
        inner = next(i for i in range(255, 0, -1) if n % i == 0)
        body = "loop %d\nloop %d\nlock m0\nunlock m0\nend\nend\n" % (n // inner, inner)
    return "m %d\n" % min(n, 8) + ("thread\n" + body) * k


class Checker:
    def __init__(self, options):
        self.options = options
        self.wrong = self.checks = 0

    def compare(self, what, found, expected):
        self.checks += 1
        if self.options.verbose or found != expected:
            print("%s: %s%s" % (what, found, "" if found == expected else ", not %s" % (expected,)))
        self.wrong += found != expected

    def check_lines(self, path, text):
        for words, expected in re.findall(r"^# model (.*?): (.*)$", text, re.MULTILINE):
            flags = [word for word in words.split() if word != "plain"]
            answer = ask(self.options.model, "--sets", "--limit", str(LIMIT), *flags, path)
            if expected == "large":
                self.compare("%s %s" % (path, words), answer.large, True)
                continue
            for pair in expected.split(", "):
                key, value = pair.split()
                self.compare("%s %s: %s" % (path, words, key), answer.numbers.get(key), int(value))
        for expected in re.findall(r"^# order: (.*)$", text, re.MULTILINE):
            answer = ask(self.options.model, "--list", path)
            self.compare(path + " order", " ".join(answer.order), expected)

    def check_truth(self, path):
        """With all corrections the variants find what there is."""
        truth = ask(self.options.enumerate, path)
        brute = ask(self.options.model, "--schedules", path)
        self.compare(path + " failures by blocks", brute.failures, truth.failures)
        for variant in VARIANTS:
            answer = ask(self.options.model, "--sets", *variant, path)
            where = "%s %s " % (path, " ".join(variant))
            self.compare(where + "failures", answer.failures, truth.failures)
            self.compare(where + "outcomes", answer.outcomes, truth.outcomes)
            self.compare(where + "returns", answer.numbers["returns"],
                         answer.numbers["paths"] - 1 + answer.numbers["aborts"])
            if "--dd" in variant and not truth.failures:
                self.compare(where + "deadlock", answer.numbers["deadlock"],
                             truth.numbers["deadlock"])
            if "--rw" not in variant:
                self.compare(where + "schedules", answer.schedules(), brute.schedules())

    def check_closed_forms(self):
        model = self.options.model
        for k, n in ((2, 1), (2, 3), (2, 6), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (5, 1), (6, 1)):
            every = math.factorial(k * n) // math.factorial(n) ** k
            answer = ask(model, text=uniform(k, n))
            self.compare("%d threads, %d exits" % (k, n), answer.numbers["paths"], every)
        for k, n in ((2, 1), (2, 50), (3, 4), (4, 2), (5, 3), (8, 2), (14, 1)):
            answer = ask(model, "--rw", text=uniform(k, n))
            self.compare("%d threads, %d exits, --rw" % (k, n), answer.numbers["paths"],
                         (n + 1) ** (k - 1))
        answer = ask(model, "--rw", "--coarse", text=uniform(4, 2))
        self.compare("4 threads, 2 exits, --coarse", answer.numbers["paths"], 696)

    def check_performance(self):
        for (k, n), paths in sorted(PERFORMANCE.items()):
            answer = ask(self.options.model, "--rw", "--dd", "--java", text=uniform(k, n))
            self.compare("Performance %d %d" % (k, n), answer.numbers["paths"], paths)
            self.compare("its closed form", ((n + 2) ** k - 1) // (n + 1), paths)


def main():
    parser = argparse.ArgumentParser(description="Check the model of the ExitBlock family.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--model", required=True)
    parser.add_argument("--enumerate", required=True)
    parser.add_argument("-v", "--verbose", action="store_true")
    checker = Checker(parser.parse_args())

    for path in checker.options.files:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        name = os.path.basename(path)
        if not re.search(r"^# model ", text, re.MULTILINE):
            print("%s: says nothing" % name)
            checker.wrong += 1
        checker.check_lines(path, text)
        if not re.search(r"^# undisciplined", text, re.MULTILINE):
            checker.check_truth(path)
    checker.check_closed_forms()
    checker.check_performance()
    print("%d checks, %d wrong" % (checker.checks, checker.wrong))
    return 1 if checker.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
