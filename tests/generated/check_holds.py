#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Orders that locks are said to make impossible, against all that executions show.

    check_holds.py --plait BUILD/bin/plait [--compiler gcc] [--seeds 1-20] [--kept FOLDER]

Random programs of two or three threads that access a few words, whole or in part, with and without
locks: mutexes, recursive ones, spin and read-write locks, tried locks, condition waits, a
lock for each of two elements, nested holds and such that cross.  Some are written by hand.  All programs are one C file; its
argument says which.

`dfs` and `hapset:then=dpor` go through all executions of each, so their coverage has every order that there is.
Then `random` makes 1, 2, 4 and 20 executions, and afterwards what it calls impossible because of
locks must not be among those orders.  A tenth of the programs decide by what they read whether to
access: there a claim may turn out to be wrong, and then both sets merged must have the order as covered.
One order of each program is also asked for with --cover: the reason must be said there, too.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

MOST = 10000
SAMPLES = (1, 2, 4, 20)
REASON = "both have the "
TYPES = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t"}

HEAD = r"""
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
static _Alignas(8) volatile unsigned char memory[4][8];
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t deep = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t each[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_cond_t on_m0 = PTHREAD_COND_INITIALIZER, on_m1 = PTHREAD_COND_INITIALIZER;
static const struct timespec soon = {0, 1};
#define READ(type, at) ((void)*(volatile type *)(at))
#define WRITE(type, at) (*(volatile type *)(at) = 1)
"""

LOCKS = {  # take, give back
    "m0": ("pthread_mutex_lock(&m0);", "pthread_mutex_unlock(&m0);"),
    "m1": ("pthread_mutex_lock(&m1);", "pthread_mutex_unlock(&m1);"),
    "deep": ("pthread_mutex_lock(&deep);", "pthread_mutex_unlock(&deep);"),
    "spin": ("pthread_spin_lock(&spin);", "pthread_spin_unlock(&spin);"),
    "write": ("pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);"),
    "read": ("pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);"),
    "try": ("if (pthread_mutex_trylock(&m0) == 0) {", "pthread_mutex_unlock(&m0); }"),
}


R, W = "READ(uint32_t, &memory[0][0]);", "WRITE(uint32_t, &memory[0][0]);"
WAIT = "pthread_cond_timedwait(&on_%s, &%s, &soon);"
WAIT_0 = WAIT % ("m0", "m0")


def held(lock, *lines):
    return [LOCKS[lock][0], *lines, LOCKS[lock][1]]


# What is easily taken for a hold, or for one of the same lock.
CORNERS = [
    [held("m0", W, WAIT_0, R), held("m0", R, W)],  # a wait gives the lock back
    [held("m0", R, WAIT_0, W), held("m0", R, W)],
    [held("m0", R, W), held("m1", R, W)],  # different locks
    [held("m0", W, W), held("m1", W, R)],
    [held("m0", W), held("m1", W), held("m0", R)],
    [held("m0", R) + held("m0", W), held("m0", W) + held("m0", R)],  # two holds
    [held("read", R, R), held("write", W, W)],
    [held("read", R), held("read", R), held("write", W, W)],
    [held("read", R, W), held("read", R, W)],  # a lock that keeps nobody out
    [held("read", W, W), held("write", W, W)],
    [held("deep", W, *held("deep", R), W), held("deep", R, *held("deep", W), R)],
    [held("try", W, R), held("try", R, W)],
    [[LOCKS["m0"][0], R, LOCKS["spin"][0], W, LOCKS["m0"][1], R, LOCKS["spin"][1]],
     held("spin", W, R)],  # from one lock to the next
    [["element(0);", "element(1);"], ["element(1);"]],
    [held("m0", W, "WRITE(uint32_t, &memory[0][4]);"), held("m0", "READ(uint64_t, &memory[0][0]);")],
    [held("m0", "READ(uint64_t, &memory[0][0]);", W), held("m0", "WRITE(uint32_t, &memory[0][4]);")],
    [held("m0", W, W), [R]],  # without any
]
CORNER = 1000000  # number of the first


class Program:
    """Lines of C, one statement each."""

    def __init__(self, seed):
        if seed >= CORNER:
            self.constant, self.threads = True, CORNERS[seed - CORNER]
            return
        self.rng = random.Random(seed)
        self.constant = seed % 10 != 0
        self.words = self.rng.choice([1, 1, 2])
        # Few kinds of locks in one program, so that threads share them.
        self.locks = self.rng.choice([["m0"], ["read", "write"], ["m0", "try"], ["m0", "m1"], None]) or \
            self.rng.sample(sorted(LOCKS), self.rng.choice([1, 2, 3]))
        self.waits = self.rng.choice([0, 0.1, 0.35])
        self.careless = self.rng.choice([0, 0, 0, 0.2])
        threads = 3 if self.rng.random() < 0.25 else 2
        self.threads = [self.thread(7 if threads == 2 else 4) for _ in range(threads)]

    def access(self, writes=None):
        size = self.rng.choice([4, 4, 4, 4, 4, 4, 4, 8, 2])
        at = "&memory[%d][%d]" % (self.rng.randrange(self.words),
                                  self.rng.randrange(0, 8, size) if self.rng.random() < 0.2 else 0)
        if writes is None:
            writes = self.rng.random() < 0.5
        return ["%s(%s, %s);" % ("WRITE" if writes else "READ", TYPES[size], at)]

    def inside(self, lock, budget):
        """What is done with a lock: about `budget` operations."""
        lines = []
        while budget > 0:
            kind = self.rng.random()
            if lock in ("m0", "m1") and kind < self.waits:
                lines.append(WAIT % (lock, lock))
                budget -= 2
            elif lock == "deep" and kind < 0.3 and budget > 2:
                lines += [LOCKS["deep"][0]] + self.access() + [LOCKS["deep"][1]]
                budget -= 3
            elif not self.constant and kind < 0.5:
                lines.append("if (*(volatile uint32_t *)&memory[0][0] == 0) {")
                lines += self.access() + ["}"]
                budget -= 2
            else:
                lines += self.access()
                budget -= 1
        return lines

    def hold(self, budget):
        lock = self.rng.choice(self.locks)
        take, give = LOCKS[lock]
        if lock == "deep" or self.rng.random() < 0.75 or budget < 5:
            return [take] + self.inside(lock, min(budget - 2, self.rng.choice([1, 2, 3, 4]))) + [give]
        if lock in ("m0", "try", "m1") or self.rng.random() < 0.3:  # within another one, or crossing
            other = "spin" if lock != "spin" else "deep"
            lines = [take] + self.access() + [LOCKS[other][0]] + self.access()
            if lock != "try" and self.rng.random() < 0.4:
                return lines + [give] + self.access() + [LOCKS[other][1]]
            return lines + [LOCKS[other][1], give]
        element = self.rng.randrange(2)
        return ["element(%d);" % element]

    def thread(self, budget):
        lines = []
        while budget > 0:
            more = self.access() if self.rng.random() < self.careless else self.hold(budget)
            lines += more
            budget -= len(more) + ("element" in more[0]) * 3
        return lines


def emit(programs):
    lines = [HEAD]
    lines += ["__attribute__((noinline)) static void element(int i)", "{",
              "pthread_mutex_lock(&each[i]);", "READ(uint32_t, &memory[2 + i][0]);",
              "WRITE(uint32_t, &memory[2 + i][0]);", "pthread_mutex_unlock(&each[i]);", "}"]
    for n, program in programs.items():
        for k, steps in enumerate(program.threads):
            lines += ["static void *p%d_%d(void *arg)" % (n, k), "{"] + steps + ["return arg;", "}"]
    lines += ["static void run(void *(*const f[])(void *), int n)", "{", "pthread_t t[3];",
              "for (int i = 0; i < n; i++) pthread_create(&t[i], NULL, f[i], NULL);",
              "for (int i = 0; i < n; i++) pthread_join(t[i], NULL);", "}",
              "int main(int argc, char **argv)", "{", "(void)element;",
              "pthread_spin_init(&spin, 0);", "switch (argc > 1 ? atoi(argv[1]) : 0) {"]
    for n, program in programs.items():
        names = ", ".join("p%d_%d" % (n, k) for k in range(len(program.threads)))
        lines.append("case %d: run((void *(*const[])(void *)){%s}, %d); break;"
                     % (n, names, len(program.threads)))
    return "\n".join(lines + ["}", "return 0;", "}", ""])


class Checker:
    def __init__(self, options, work):
        self.plait, self.work = options.plait, work
        self.claims = self.open = self.refuted = self.asked = self.skipped = 0
        self.failures = []

    def run(self, *arguments, codes=(0,)):
        done = subprocess.run([self.plait] + list(arguments), cwd=self.work, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        if done.returncode not in codes:
            raise SystemExit("plait %s: exit %d: %s" % (" ".join(arguments), done.returncode,
                                                        done.stderr))
        return done.stdout

    def test(self, n, folder, strategy, executions, *more):
        return json.loads(self.run("test", "--time-outs", "any", "-s", strategy, "-n", str(executions), "-o", folder, "-k",
                                   "--no-minimize", "--json", "-", *more, "--", "./programs",
                                   str(n), codes=(0, 5)))

    def orders(self, *folders):
        """Orders by state, as sets of pairs of names; what is claimed with its reason."""
        c = json.loads(self.run("coverage", "--json", "-", *folders))
        names = [(s["place"], s["operation"], s["caller"]) for s in c["statements"]]
        states = {"covered": set(), "uncovered": set(), "impossible": set(), "claimed": {}}
        for o in c["orders"]:
            pair = names[o["before"]], names[o["after"]]
            states[o["state"]].add(pair)
            if REASON in o.get("reason", ""):
                states["claimed"][pair] = o["reason"]
        return states

    def check(self, n, program):
        whole = "all%d" % n
        if not self.test(n, whole, "dfs", MOST)["complete"]:
            self.skipped += 1
            if n >= CORNER:
                self.failures.append("program %d has too many executions" % n)
            return
        self.test(n, whole, "hapset:then=dpor", MOST)
        truth = self.orders(whole)
        self.claims += len(truth["claimed"])
        self.open += len(truth["uncovered"])
        for k, executions in enumerate(SAMPLES):
            folder = "some%d_%d" % (n, k)
            self.test(n, folder, "random", executions, "--seed", str(n % CORNER + k))
            wrong = set(self.orders(folder)["claimed"]) & truth["covered"]
            self.refuted += len(wrong)
            if wrong and program.constant:
                self.failures.append("program %d, %d executions: %s" % (n, executions, wrong))
            if wrong and wrong - self.orders(folder, whole)["covered"]:
                self.failures.append("program %d: %s stays impossible" % (n, wrong))
        if truth["claimed"]:
            self.ask(n, truth["claimed"])

    def ask(self, n, claims):
        """Lines with one access each, so an order of lines is one of statements."""
        pair = sorted(claims)[n % len(claims)]
        sides = [":".join(s[0].split(":")[:2]) for s in pair]
        folder = "ask%d" % n
        order = self.test(n, folder, "random", 60, "--cover", "<".join(sides))["orders"][0]
        # M3 looks at eight bytes at a time; and for --cover nothing has changed after a read that
        # another read follows.
        reason = self.orders(folder)["claimed"].get(pair)
        if order["met"] == 0 or reason is None or (
                pair[0][1] == "read" and "before it unlocks" in reason):
            return
        self.asked += 1
        if reason not in order.get("note", ""):
            self.failures.append("program %d: no reason for %s: %s" % (n, sides, order))


def build(options, programs, work):
    with open(os.path.join(work, "programs.c"), "w", encoding="utf-8") as file:
        file.write(emit(programs))
    subprocess.run([options.plait, "cc", "-D_GNU_SOURCE", "-g", "-O0", "programs.c", "-o", "programs"],
                   cwd=work, check=True, env=dict(os.environ, PLAIT_CC=options.compiler))


def main():
    parser = argparse.ArgumentParser(description="Orders that locks make impossible.")
    parser.add_argument("--plait", required=True)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--kept", default="", help="a folder that stays")
    options = parser.parse_args()
    options.plait = os.path.abspath(options.plait)
    first, last = (int(n) for n in options.seeds.split("-"))
    numbers = [*range(CORNER, CORNER + len(CORNERS)), *range(first, last + 1)]
    programs = {n: Program(n) for n in numbers}
    with tempfile.TemporaryDirectory(prefix="plait-holds-") as temporary:
        work = os.path.abspath(options.kept) if options.kept else temporary
        os.makedirs(work, exist_ok=True)
        build(options, programs, work)
        checker = Checker(options, work)
        for n, program in programs.items():
            checker.check(n, program)
    print("%d programs, %d with too many executions: %d orders impossible because of locks, %d left "
          "open, %d claims refuted, %d asked for" % (len(programs), checker.skipped, checker.claims,
                                                     checker.open, checker.refuted, checker.asked))
    for text in checker.failures:
        print("FAILED " + text)
    return 1 if checker.failures or checker.claims == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
