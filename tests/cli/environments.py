#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Schedulers that noise is like: each of them decides which of two orders a plain test sees, whatever this machine would
do.  A machine that is busy may break a rule now and then, so nine of ten executions are asked for.

argument: the folder with plait and plait-cc.
"""
import json
import os
import subprocess
import sys
import tempfile

BIN = os.path.abspath(sys.argv[1])
N = 30
problems = []

PROGRAMS = {
    "who": r"""
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int first;
static void *run(void *arg)
{
    int none = 0;
    atomic_compare_exchange_strong(&first, &none, 1);
    return arg;
}
int main(void)
{
    pthread_t t;
    int none = 0;
    pthread_create(&t, 0, run, 0);
    atomic_compare_exchange_strong(&first, &none, 2);
    pthread_join(t, 0);
    puts(first == 1 ? "thread" : "creator");
    return 0;
}
""",
    "turns": r"""
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int last = -1, mixed;
static void *run(void *arg)
{
    for (int i = 0; i < 3000; i++) {
        int before = atomic_exchange(&last, arg != 0);
        if (i > 0 && before != (arg != 0))
            mixed = 1;
    }
    return arg;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, run, 0);
    pthread_create(&t[1], 0, run, t);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    puts(mixed ? "in turn" : "one by one");
    return 0;
}
""",
}


def check(fine, what):
    if not fine:
        problems.append(what)
        print("FAILED", what)


def explore(program, noise, seed=1):
    """How often each output came, and the result."""
    done = subprocess.run([os.path.join(BIN, "plait"), "test", "--noise", noise, "-n", str(N), "--outputs", "--seed", str(seed), "--json", "r.json",
                           "-o", "results", "./" + program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=600, check=False)
    check(done.returncode == 0, f"{program}, {noise}: {done.stdout}")
    r = json.load(open("r.json", encoding="utf-8"))
    counts = {o["text"].strip(): o["count"] for o in r["outputs"]}
    print(program, noise, counts, r["noise"]["alive"])
    check(sum(r["noise"]["alive"].values()) == N and "alive at a time in" in done.stdout, f"{program}, {noise}: {done.stdout}")
    return counts, r


def main():
    for name, text in PROGRAMS.items():
        with open(name + ".c", "w", encoding="utf-8") as f:
            f.write(text)
        subprocess.run([os.path.join(BIN, "plait-cc"), "-g", "-O1", "-o", name, name + ".c"], check=True)
    for program, like, wanted in (("who", "eager", "thread"), ("who", "lazy", "creator"), ("who", "one-core", "creator"),
                                  ("turns", "one-core", "one by one"), ("turns", "slices", "in turn")):
        for record in ("full", "none"):
            counts, r = explore(program, f"like={like},record={record}")
            check(counts.get(wanted, 0) >= 0.9 * N, f"{program} like={like} has not {wanted}: {counts}")
            check(r["noise"]["quiet"] == 0, f"an execution was not like {like}")
    # Which of them it is depends on the seed and nothing else.
    counts, _ = explore("who", "like=coin")
    check(min(counts.get("thread", 0), counts.get("creator", 0)) >= 3, f"like=coin is one-sided: {counts}")
    # A thread that has ended before the next one begins is not alive at the same time.
    _, r = explore("turns", "like=eager")
    check(r["noise"]["alive"].get("2", 0) >= 0.9 * N, f"{r['noise']}")
    _, r = explore("turns", "like=lazy")
    check(r["noise"]["alive"].get("3", 0) >= 0.9 * N, f"{r['noise']}")
    explore("who", "sleep,like=lazy")  # together with other noise
    done = subprocess.run([os.path.join(BIN, "plait"), "test", "--noise", "like=none", "./who"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    check(done.returncode == 2 and "eager, lazy, coin, one-core or slices" in done.stdout, done.stdout)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        main()
        os.chdir("/")
    sys.exit(1 if problems else 0)
