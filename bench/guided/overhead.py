#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: bench/guided/overhead.py BUILD [--rounds N] [--update-docs]

What learning and guiding cost per execution, in processor time, compared with `random` on the same
program.  Learning: random executions that teach (hapset:learn=N).  Guiding: the executions of a guided
search, which also look for what is to be tried next.  Sampling: executions of `rff`, led by who reads
from whom.  What is measured first and what second alternates; the cost of starting and ending a
campaign is measured, too, and subtracted.

Exits with 1 when the rate of executions falls by more than 30 percent.
"""
import argparse
import ctypes
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [FOLDER, os.path.dirname(FOLDER)]

import report  # noqa: E402
import run  # noqa: E402
import tables  # noqa: E402

MOST = 30  # percent
LEARNING = 3000  # executions
SAMPLING = "sampling by reads-from (rff)"
# Of bench/scoreboard, with executions that take long enough to be measured.
SAMPLED = (("work_stealing", 40000), ("string_buffer", 60000), ("bounded_buffer", 20000),
           ("quicksort", 4000), ("twostage", 10000, "-DN=20"))
PR_SET_CHILD_SUBREAPER = 36

HEAD = """#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int shared[%d];
static int guarded[%d];
__attribute__((noinline)) static void lock_it(void) { pthread_mutex_lock(&lock); }
__attribute__((noinline, used)) static void take(void) { lock_it(); __asm__ volatile(""); }
"""
MAIN = """int main(void)
{
    void *(*const work[])(void *) = {%s};
    pthread_t threads[%d];
    for (int i = 0; i < %d; i++)
        pthread_create(&threads[i], 0, work[i], 0);
    for (int i = 0; i < %d; i++)
        pthread_join(threads[i], 0);
    return 0;
}
"""


def statements(threads, variables, every, take):
    """A program in which every thread has statements of its own for all variables; one of `every`
    so many is protected by a lock.  With `take` that is taken in one place, which leaves the orders of
    what is protected to goals that no race leads to."""
    parts, lock = [HEAD % (variables, variables)], "take()" if take else "pthread_mutex_lock(&lock)"
    for t in range(threads):
        order = sorted(range(variables), key=lambda v, t=t: v * (t * 2 + 1) % variables)
        lines = [f"    shared[{v}]++;" if v % every else
                 f"    {lock};\n    guarded[{v}]++;\n    pthread_mutex_unlock(&lock);"
                 for v in order]
        parts.append("static void *work%d(void *arg)\n{\n%s\n    return arg;\n}\n" %
                     (t, "\n".join(lines)))
    names = ", ".join(f"work{t}" for t in range(threads))
    return "\n".join(parts) + MAIN % (names, threads, threads, threads)


def spent():
    """Processor time of all that have been waited for, orphans among them."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Bench:
    def __init__(self, build, work):
        self.plait, self.work = os.path.join(os.path.abspath(build), "bin", "plait"), work

    def build(self, name, path, *flags):
        program = os.path.join(self.work, name)
        subprocess.run([self.plait, "cc", "-std=gnu17", "-O1", "-g", "-pthread", *flags, "-o",
                        program, path], check=True)
        return program

    def campaign(self, command, strategy, executions):
        """Processor time, and how many executions there were."""
        shutil.rmtree(os.path.join(self.work, "out"), ignore_errors=True)  # else it grows
        result, before = os.path.join(self.work, "result.json"), spent()
        subprocess.run([self.plait, "test", "-q", "-s", strategy, "-n", str(executions), "-j", "1",
                        "--no-minimize", "--json", result, "-o", os.path.join(self.work, "out"),
                        "--", *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       check=True, cwd=self.work)
        time = spent() - before
        with open(result, encoding="utf-8") as f:
            return time, json.load(f)["executions"]

    def cost(self, command, strategy, executions):
        """Seconds per execution beyond the first."""
        alone, _ = self.campaign(command, strategy, 1)
        time, n = self.campaign(command, strategy, executions)
        return (time - alone) / max(n - 1, 1), n


def compare(bench, command, strategy, executions, rounds):
    """Costs of random and of the strategy, median of rounds; how many executions each had."""
    costs = {"random": [], strategy: []}
    _, n = bench.campaign(command, strategy, executions)
    for i in range(rounds):
        for which in sorted(costs, reverse=i % 2 == 1):
            costs[which].append(bench.cost(command, which, n)[0])
    return [statistics.median(costs[k]) for k in ("random", strategy)], n


def generated(bench, threads, variables, every, take):
    name = f"statements-{threads}-{variables}"
    path = os.path.join(bench.work, name + ".c")
    with open(path, "w", encoding="ascii") as f:
        f.write(statements(threads, variables, every, take))
    return [bench.build(name, path)]


def sample(bench, name, *flags):
    path = os.path.join(os.path.dirname(FOLDER), "scoreboard", name + ".c")
    return [bench.build(name, path, "-DFIXED", *flags)]


def measure(bench, rounds):
    """The searches of small programs end too soon to measure what one execution of them costs."""
    learning, guiding = ("learning", f"hapset:learn={LEARNING}"), ("guiding", "hapset")
    pool = [bench.build("pool", f"{FOLDER}/pool.c", "-DFIXED"), "6"]
    scan = [bench.build("scan", f"{FOLDER}/scan.c", "-DFIXED"), "4"]
    several, locked = generated(bench, 3, 120, 4, False), generated(bench, 3, 240, 1, True)
    sampled = [(name.replace("_", " "), sample(bench, name, *flags), (SAMPLING, "rff", n))
               for name, n, *flags in SAMPLED]
    for name, command, (what, strategy, *executions) in (
            ("pool, 6 workers", pool, learning), ("scan, 4 workers", scan, learning),
            ("360 lines, some under a lock", several, learning), ("360 lines, some under a lock", several, guiding),
            ("720 lines under a lock", locked, learning),
            ("720 lines under a lock", locked, guiding),
            *sampled, ("scan, 4 workers", scan, (SAMPLING, "rff", 10000))):
        most = executions[0] if executions else LEARNING
        (random, other), n = compare(bench, command, strategy, most, rounds)
        run.say(f"{name}: {what}, {n} executions, {random * 1e6:.0f} and {other * 1e6:.0f} us")
        yield {"program": name, "what": what, "executions": n, "random": random, "cost": other,
               "loss": 100 * (1 - random / other)}


def table(rows):
    yield ["program", "what", "executions", "random", "guided", "rate"]
    for r in rows:
        yield [r["program"], r["what"], str(r["executions"]), f"{r['random'] * 1e6:.0f} µs",
               f"{r['cost'] * 1e6:.0f} µs", f"{-r['loss']:+.0f} %"]


def main():
    parser = argparse.ArgumentParser(description="What learning and guiding cost.")
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--update-docs", action="store_true")
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory(prefix="plait-overhead-") as work:
        rows = list(measure(Bench(options.build, work), options.rounds))
    worst = max(r["loss"] for r in rows)
    claims = [(f"the rate falls by {worst:.0f} % at most: no more than {MOST} %", worst <= MOST)]
    shown = [("Processor time per execution", list(table(rows)))]
    print(tables.plain(shown, claims))
    if options.update_docs:
        doc = report.document("full", [])
        report.put_between(run.DOCS, "guided-overhead", "\n\n".join(
            [f"{report.headline(doc)}. Measured on {doc['date']}, median of {options.rounds}.",
             report.markdown_table(shown[0][1]), "- " + tables.said_of(claims[0])]))
    sys.exit(0 if worst <= MOST else 1)


if __name__ == "__main__":
    main()
