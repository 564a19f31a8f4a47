#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare searches with each other over programs whose threads wait for each other in loops.

    check_awaits.py --plait BUILD/bin/plait [--seeds 1-300] [--searches dfs,dpor] [--threads 2,3] [--levels 1,2]
                    [--several 0.4] [--jobs 2] [--keep DIR]

Of each program every search must find the same outcomes, the same kinds of findings (deadlocks, and loops
that nobody ends) and, where a loop looks at one thing at a time, the same classes.  A search that is not
complete is not compared; how often that happens is counted.  What is too large for dfs is so for pcb, which
makes no fewer executions.
"""

import argparse
import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

SEARCHES = "dfs,dpor,dpor:source,dpor:classic,pcb,hapset:then=dpor"
HEAD = """#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static atomic_int v[3];
static volatile int p[2];
static int locked;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t s;
static int out[4][8];
static void start(pthread_t *t, void *(*f)(void *)) { pthread_create(t, 0, f, 0); }
"""

# One look in an iteration.
SINGLE = (
    "while (atomic_load(&v[{i}]) != {k}) {pause}",
    "while (atomic_load(&v[{i}]) < {k}) {pause}",
    "int r; while ((r = atomic_load(&v[{i}])) == 0) {pause} note(r);",
    "while (p[{j}] == 0) {pause}",
    "int e = {k}; while (!atomic_compare_exchange_strong(&v[{i}], &e, {l})) {{ e = {k}; {pause} }}",
    "for (;;) {{ while (atomic_load(&v[{i}]) == {k}) {pause} int e = {l};"
    " if (atomic_compare_exchange_strong(&v[{i}], &e, {k})) break; }}",
    "while (pthread_mutex_trylock(&m)) {pause} locked++; note(locked); pthread_mutex_unlock(&m);",
    "while (pthread_spin_trylock(&s)) {pause} locked += 2; pthread_spin_unlock(&s);",
)
# More than one.
SEVERAL = (
    "while (atomic_load(&v[{i}]) == 0 && atomic_load(&v[{o}]) == 0) {pause}",
    "while (atomic_load(&v[{i}]) == 0 || atomic_load(&v[{o}]) != {k}) {pause}",
    "while (!(atomic_load(&v[{i}]) | atomic_load(&v[{o}]))) {pause}",
    "int a, b; do {{ a = atomic_load(&v[{i}]); b = p[{j}]; }} while (a == b); note(a * 4 + b);",
    "for (;;) {{ pthread_mutex_lock(&m); int d = locked; pthread_mutex_unlock(&m); if (d) break; {pause} }}",
    "int a, b; do {{ a = atomic_load(&v[{i}]); note(p[{j}]); b = atomic_load(&v[{i}]); }} while (a != b);",
)
# The same, for programs that are to have many of them.
MORE = SEVERAL + (
    "while (atomic_load(&v[{i}]) == {k} || atomic_load(&v[2]) == 0) {pause}",
    "int a, b; do {{ a = p[{j}]; b = atomic_load(&v[2]); }} while (b == 0 && a != {k});",
    "while (atomic_load(&v[2]) == 0 && p[{j}] == 0) {pause}",
    "int a, b; do {{ a = atomic_load(&v[2]); b = atomic_load(&v[{i}]); {pause} }} while (a + b < {k}); note(a - b);",
    "while (atomic_load(&v[{i}]) == 0 || (p[{j}] == 0 && atomic_load(&v[2]) == 0)) {pause}",
)
PLAIN = (
    "atomic_store(&v[{i}], {k});",
    "atomic_store(&v[{i}], {l});",
    "p[{j}] = {k};",
    "note(atomic_load(&v[{i}]));",
    "note(atomic_fetch_add(&v[{i}], 1));",
    "note(p[{j}]);",
    "pthread_mutex_lock(&m); locked++; pthread_mutex_unlock(&m);",
    "pthread_spin_lock(&s); locked++; pthread_spin_unlock(&s);",
)
MORE_PLAIN = PLAIN + ("atomic_store(&v[2], {k});", "atomic_store(&v[2], {l});", "p[{j}] = {l};")
PAUSES = (";", ";", "sched_yield();", "__builtin_ia32_pause();")


class Program:
    def __init__(self, seed, threads, several=None):
        draw = random.Random(seed)
        self.seed, self.single, self.several = seed, True, several
        self.threads = [self.thread(draw) for _ in range(draw.choice(threads))]

    def thread(self, draw):
        body = []
        for _ in range(draw.choice((1, 2, 2, 3))):
            kind = draw.random()
            if self.several is not None:
                self.single = False
                text = draw.choice(MORE if kind < self.several else MORE_PLAIN)
            elif kind < 0.4:
                text = draw.choice(SINGLE)
            elif kind < 0.5:
                text, self.single = draw.choice(SEVERAL), False
            else:
                text = draw.choice(PLAIN)
            i = draw.randrange(2)
            body.append("{ " + text.format(i=i, o=1 - i, j=draw.randrange(2), k=draw.choice((1, 1, 2)), l=draw.choice((0, 2)),
                                           pause=draw.choice(PAUSES)) + " }")
        return body

    def text(self):
        lines = []
        for t, body in enumerate(self.threads):
            lines.append("static void *p%d_%d(void *x)\n{\n    int n = 0;" % (self.seed, t))
            lines.append("#define note(value) (out[%d][n++ & 7] = (value) + 1)" % t)
            lines += ["    " + line for line in body]
            lines.append("#undef note\n    return n < 0 ? &n : x;\n}")
        lines.append("static void run%d(void)\n{\n    pthread_t t[4];" % self.seed)
        lines += ["    start(&t[%d], p%d_%d);" % (t, self.seed, t) for t in range(len(self.threads))]
        lines += ["    pthread_join(t[%d], 0);" % t for t in range(len(self.threads))]
        lines.append("}")
        return "\n".join(lines) + "\n"


def batch(programs):
    text = HEAD + "".join(p.text() for p in programs)
    text += "int main(int n, char **arg)\n{\n    pthread_spin_init(&s, 0);\n    switch (n > 1 ? atoi(arg[1]) : 0) {\n"
    text += "".join("    case %d: run%d(); break;\n" % (p.seed, p.seed) for p in programs)
    text += "    }\n    for (int i = 0; i < 32; i++)\n        if (out[i / 8][i % 8])\n"
    text += "            printf(\"%d:%d \", i, out[i / 8][i % 8] - 1);\n"
    text += "    printf(\"%d %d %d %d %d\\n\", v[0], v[1], p[0], p[1], locked);\n    return 0;\n}\n"
    return text


class Checker:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.counts = {"programs": 0, "compared": 0, "incomplete": 0, "executions": 0, "classes": 0}

    def build(self, programs, compiler, level):
        source, binary = os.path.join(self.work, "p.c"), os.path.join(self.work, "p")
        with open(source, "w", encoding="utf-8") as file:
            file.write(batch(programs))
        wrapper = os.path.join(os.path.dirname(self.options.plait), "plait-cc")
        subprocess.run([wrapper, "-O%d" % level, "-g", "-pthread", "-w", "-o", binary, source], check=True,
                       env=dict(os.environ, PLAIT_CC=compiler))
        return binary

    def explore(self, binary, seed, search):
        command = [self.options.plait, "test", "-s", search, "-n", str(self.options.executions), "-k", "-q",
                   "--no-minimize", "--outputs", "--json", "-", "-o", os.path.join(self.work, "out-%d" % seed), "--", binary, str(seed)]
        done = subprocess.run(command, cwd=self.work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=300)
        try:
            return json.loads(done.stdout)
        except ValueError:
            return "exit %d: %s" % (done.returncode, done.stderr.strip()[-300:])

    def reports(self, binary, program):
        """What each search came to; None: it was not made, since the program is too large for it."""
        reports = {}
        for search in self.options.searches.split(","):
            dfs = reports.get("dfs")
            large = search == "pcb" and isinstance(dfs, dict) and dfs["executions"] >= self.options.executions
            reports[search] = None if large else self.explore(binary, program.seed, search)
        shutil.rmtree(os.path.join(self.work, "out-%d" % program.seed), ignore_errors=True)
        return reports

    def check(self, program, reports):
        wrong, reference, first = [], None, None
        self.counts["programs"] += 1
        for search, report in reports.items():
            if isinstance(report, str):
                wrong.append("%s: %s" % (search, report))
                continue
            if report is None or not report["complete"]:
                self.counts["incomplete"] += 1
                continue
            got = ({o["text"] for o in report["outputs"]}, {f["kind"] for f in report["findings"]})
            if search == "dpor":
                self.counts["executions"] += report["search_executions"]
                self.counts["classes"] += report["classes"]
            if reference is None:
                reference, first, classes = got, search, report["classes"]
                continue
            self.counts["compared"] += 1
            for what, mine, its in zip(("outcomes", "findings"), got, reference):
                if mine != its:
                    wrong.append("%s: %s that %s has not: %s; that it lacks: %s"
                                 % (search, what, first, sorted(mine - its)[:4], sorted(its - mine)[:4]))
            if program.single and report["classes"] != classes:
                wrong.append("%s: %d classes, %s: %d" % (search, report["classes"], first, classes))
        return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plait", required=True)
    parser.add_argument("--seeds", default="1-100")
    parser.add_argument("--searches", default=SEARCHES)
    parser.add_argument("--executions", type=int, default=20000)
    parser.add_argument("--levels", default="1,2")
    parser.add_argument("--threads", default="2,2,3")
    parser.add_argument("--several", type=float, help="the share of loops with more than one look an iteration; no others")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    options.plait = os.path.abspath(options.plait)
    low, high = (int(x) for x in options.seeds.split("-"))
    threads = [int(n) for n in options.threads.split(",")]
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        checker = Checker(options, work)
        for start in range(low, high + 1, 50):
            programs = [Program(seed, threads, options.several) for seed in range(start, min(start + 50, high + 1))]
            draw = random.Random(start)
            compiler, level = draw.choice(("gcc", "clang")), int(draw.choice(options.levels.split(",")))
            binary = checker.build(programs, compiler, level)
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                reports = list(pool.map(lambda program: checker.reports(binary, program), programs))
            for program, its in zip(programs, reports):
                wrong = checker.check(program, its)
                if not wrong:
                    continue
                failed += 1
                print("program %d, %s -O%d:" % (program.seed, compiler, level))
                print("\n".join("    " + line for line in wrong), flush=True)
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    with open(os.path.join(options.keep, "await_%d.c" % program.seed), "w", encoding="utf-8") as file:
                        file.write(batch([program]))
        print("%(programs)d programs, %(compared)d searches compared, %(incomplete)d not complete; "
              "dpor: %(executions)d executions for %(classes)d classes" % checker.counts)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
