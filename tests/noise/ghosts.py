#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: ghosts.py ROOT BUILD [--campaigns 40] [--executions 10] [--first 1]

Coverage without ghosts: what campaigns of noise list as shown can be shown.

A free thread stands in a function until it has left it, one under control only before an operation; so each
function ends with one whose effect nobody can tell.  So does main before it waits: that it reads its own variables
is an event of a free thread, and no point of one under control.

For each of a few programs `dfs` goes through all interleavings.  Then come campaigns of noise, each with a seed of
its own; whatever one of them lists of functions interrupted or executed without interruption, of functions
interrupted by others, and of statements one after the other must be among what dfs has shown.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static atomic_int flag, nothing;
static int x, y, ok;
#define END (void)atomic_fetch_add(&nothing, 0)
static void set(int k) { pthread_mutex_lock(&m); x = k; pthread_mutex_unlock(&m); END; }
static int look(void) { pthread_mutex_lock(&m); int v = x; pthread_mutex_unlock(&m); END; return v; }
static void alone(void) { y++; END; }
static void post(void) { sem_post(&s); END; }
static void take(void) { sem_wait(&s); END; }
static void tell(void) { pthread_mutex_lock(&m); ok = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); END; }
static void hear(void) { pthread_mutex_lock(&m); while (!ok) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); END; }
static void raise_flag(void) { atomic_store(&flag, 1); END; }
static int see_flag(void) { int v = atomic_load(&flag); END; return v; }
"""
MAIN = """int main(void)
{
    pthread_t s1, s2;
    sem_init(&s, 0, 0);
    pthread_create(&s1, 0, first, 0);
    %s
    pthread_create(&s2, 0, second, 0);
    END;
    pthread_join(s1, 0);
    pthread_join(s2, 0);
    return 0;
}
"""
# What the first thread does, the second, and main between their creations.
BODIES = (
    ("set(1); alone();", "if (look() > 0) set(2);", ""),
    ("set(1);", "set(2);", "alone();"),
    ("x = 1; post();", "take(); y = x; END;", ""),
    ("post(); alone();", "take(); set(1);", ""),
    ("tell();", "hear(); alone();", ""),
    ("x = 1; raise_flag();", "if (see_flag()) alone(); else x = 2; END;", ""),
    ("x++; END;", "x++; alone();", ""),
    ("set(1); set(1);", "(void)see_flag(); raise_flag();", ""),
    ("raise_flag();", "(void)see_flag();", "END; pthread_join(s1, 0); s1 = 0;"),
)


def source(body):
    first, second, between = body
    text = HEAD + "static void *first(void *p) { %s return p; }\nstatic void *second(void *p) { %s return p; }\n" % (
        first, second) + MAIN % between
    return text.replace("pthread_join(s1, 0);\n    pthread_join(s2", "pthread_join(s2") if "s1 = 0" in between else text


def shown(folder):
    """What the coverage file of a campaign lists as shown, by name."""
    with open(os.path.join(folder, "coverage.json"), encoding="utf-8") as file:
        data = json.load(file)
    functions = [f["name"] for f in data["functions"]]
    statements = [(s["place"], s["operation"], s["caller"]) for s in data["statements"]]
    out = set()
    for f in data["functions"]:
        out |= {(kind, f["name"]) for kind in ("interrupted", "whole") if f[kind] is not None}
    out |= {("by", functions[a], functions[b]) for a, b, *_ in data["switches"]}
    out |= {("then", statements[a], statements[b]) for a, b, *_ in data["pairs"]}
    return out


def campaign(plait, program, folder, *options):
    done = subprocess.run([plait, "test", "-q", "-o", folder, *options, "--", program], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=120)
    if done.returncode != 0:
        raise SystemExit(f"{program} {' '.join(options)}: exit {done.returncode}\n{done.stdout}")
    return shown(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root")
    parser.add_argument("build")
    parser.add_argument("--campaigns", type=int, default=40)
    parser.add_argument("--executions", type=int, default=10)
    parser.add_argument("--first", type=int, default=1, help="seed of the first campaign")
    options = parser.parse_args()
    plait = os.path.join(os.path.abspath(options.build), "bin", "plait")
    listed = ghosts = 0
    with tempfile.TemporaryDirectory() as work:
        possible = []
        for i, body in enumerate(BODIES):
            path = os.path.join(work, f"p{i}")
            with open(path + ".c", "w", encoding="utf-8") as file:
                file.write(source(body))
            subprocess.run([plait, "cc", "-g", "-O0", "-w", path + ".c", "-o", path, "-pthread"], check=True)
            possible.append(campaign(plait, path, path + ".dfs", "-s", "dfs", "--require-complete"))
        for seed in range(options.first, options.first + options.campaigns):
            i = seed % len(BODIES)
            path = os.path.join(work, f"p{i}")
            seen = campaign(plait, path, os.path.join(work, f"n{seed}"), "-s", "noise", "-n", str(options.executions),
                            "--seed", str(seed))
            listed += len(seen)
            for task in sorted(seen - possible[i], key=str):
                ghosts += 1
                print(f"program {i}, seed {seed}: {task} is listed, and no interleaving shows it")
    print(f"{options.campaigns} campaigns of noise, {listed} tasks listed, {ghosts} that cannot be shown")
    return 1 if ghosts or not listed else 0


sys.exit(main())
