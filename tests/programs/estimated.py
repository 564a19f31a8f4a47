#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many executions dfs says are left, against how many there are.

    estimated.py --plait BUILD/bin/plait [--all]

Programs of threads with given numbers of atomic operations (a) and critical sections (l), main's first.  When a
fifth of the executions are done, the estimate must be right within a factor of three.  --all
takes the larger ones, too; docs/performance.md has what came of them.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

SMALL = (("", "aaaa", "aaaa"), ("aaa", "aaa", "aaa"), ("", "ll", "ll", "l"), ("a", "aal", "laa"), ("", "a", "a", "a", "a"))
LARGE = (("", "aaa", "aaa", "aaa"), ("", "aa", "aa", "aa", "aa"), ("", "a", "aaaa", "aaaa"), ("", "aaaa", "aaaa", "a"),
         ("", "a", "a", "a", "a", "a"), ("", "aaa", "aa", "a", "a"))
TEXT = {"a": "atomic_fetch_xor(&x, 1);", "l": "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"}
FACTOR = 3


def source(program):
    text = ["#include <pthread.h>", "#include <stdatomic.h>", "static atomic_int x;",
            "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"]
    for i, body in enumerate(program[1:], 1):
        text.append("static void *t%d(void *a) { %s return a; }" % (i, "".join(TEXT[c] for c in body)))
    threads = range(1, len(program))
    text.append("int main(void) { pthread_t p[9]; (void)m; %s %s %s return 0; }"
                % ("".join("pthread_create(&p[%d], 0, t%d, 0);" % (i, i) for i in threads),
                   "".join(TEXT[c] for c in program[0]), "".join("pthread_join(p[%d], 0);" % i for i in threads)))
    return "\n".join(text) + "\n"


def explore(plait, binary, n):
    done = subprocess.run([plait, "test", "-q", "-s", "dfs", "-n", str(n), "--json", "-", "-o", binary + ".out", "--", binary],
                          stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plait", required=True)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    plait = os.path.abspath(options.plait)
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="plait-estimated-") as folder:
        for number, program in enumerate(SMALL + (LARGE if options.all else ())):
            binary = os.path.join(folder, "p%d" % number)
            with open(binary + ".c", "w", encoding="utf-8") as file:
                file.write(source(program))
            subprocess.run([plait + "-cc", "-O1", "-pthread", "-o", binary, binary + ".c"], check=True)
            total = explore(plait, binary, 1000000)["search_executions"]
            ratios = []
            for part in (20, 5, 2):
                report = explore(plait, binary, max(total // part, 10))
                ratios.append((report["estimate"]["value"] + report["search_executions"]) / total)
            bad = not 1 / FACTOR < ratios[1] < FACTOR
            wrong += bad
            print("%-24s %7d executions; estimates at 1/20, 1/5, 1/2 over that: %s%s"
                  % (" ".join(body or "-" for body in program), total, ", ".join("%.2f" % r for r in ratios), "  wrong" if bad else ""))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
