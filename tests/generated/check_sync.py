#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs that use synchronisation objects in every state: dfs against strategies that reduce.

    check_sync.py --plait BUILD/bin/plait [--compiler gcc] [--seeds 1-40] [--strategies dpor]
                  [--groups once,futex] [--keep FOLDER]

Each program has two or three threads with a few steps out of one or two groups: objects that are
initialised late, assigned to and destroyed while others use them, initialisations, locks that prefer
writers, robust mutexes, keys, names of threads, futexes, barriers, timed waits, cancellation.  What a step
returned is printed at the end.  Every complete search must come to the same set of outputs and of
kinds of findings as dfs, and be complete if dfs is.  The exit status is 1 if one does not.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

HEAD = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#define N 3 /* threads, at most */
static struct { _Alignas(64) char text[60]; int n; } out[N];
static _Thread_local int me;
#define NOTE(value) (out[me].text[out[me].n++] = (char)('a' + (value) % 26))
#define RC(call) NOTE(code(call))
static int code(int rc)
{
    return rc == 0 ? 0 : rc == EBUSY ? 1 : rc == ETIMEDOUT ? 2 : rc == EOWNERDEAD ? 3 : rc == EINVAL ? 4
         : rc == ENOTRECOVERABLE ? 5 : rc == EAGAIN ? 6 : rc == -1 ? code(errno) : 7;
}
static const struct timespec later = {.tv_sec = 2400000000};
static pthread_mutex_t m, robust;
static pthread_mutex_t c_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static sem_t s;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int mode;
static void first(void) { mode = 1; }
static void second(void) { mode = 2; }
static pthread_rwlock_t l;
static pthread_spinlock_t spin;
static pthread_barrier_t b;
static pthread_key_t key;
static int destroyed;
static void destroy(void *p) { __atomic_fetch_add(&destroyed, 1, __ATOMIC_RELAXED); (void)p; }
static pthread_t main_thread;
static int word, word2;
static long futex(int *w, int op, int v, const void *t, int *w2, int v3)
{
    return syscall(SYS_futex, w, op, v, t, w2, v3);
}
static void give_back(void *p) { pthread_mutex_unlock(p); }
static int name_of(pthread_t t)
{
    char name[16] = "";
    pthread_getname_np(t, name, sizeof(name));
    return name[0] == 'n' ? name[1] - '0' : 25;
}
"""

# Steps by group; %d is a number of the thread.
GROUPS = {
    "mutex": [
        "pthread_mutex_lock(&m); NOTE(mode++); pthread_mutex_unlock(&m);",
        "if (pthread_mutex_trylock(&m) == 0) { NOTE(mode++); pthread_mutex_unlock(&m); } else NOTE(9);",
        "pthread_mutex_init(&m, 0);",
        "m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;",
        "memset(&m, 0, sizeof(m));",
    ],
    "spin": [
        "pthread_spin_lock(&spin); NOTE(mode++); pthread_spin_unlock(&spin);",
        "if (pthread_spin_trylock(&spin) == 0) { NOTE(mode++); pthread_spin_unlock(&spin); } else NOTE(9);",
        "pthread_spin_init(&spin, 0);",
    ],
    "sem": [
        "sem_init(&s, 0, 0);", "sem_init(&s, 0, 1);", "sem_post(&s);", "sem_post(&s);",
        "sem_wait(&s); NOTE(0);", "RC(sem_trywait(&s));", "RC(sem_timedwait(&s, &later));",
        "{ int v; sem_getvalue(&s, &v); NOTE(v); }",
    ],
    "once": [
        "pthread_once(&once, first); NOTE(mode);", "pthread_once(&once, second); NOTE(mode);",
        "pthread_once(&once, second); NOTE(mode); pthread_once(&once, first); NOTE(mode);",
        "NOTE(__atomic_load_n(&mode, __ATOMIC_RELAXED));",
    ],
    "writers": [
        "pthread_rwlock_rdlock(&l); NOTE(mode); pthread_rwlock_unlock(&l);",
        "pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l);",
        "pthread_rwlock_wrlock(&l); NOTE(mode++); pthread_rwlock_unlock(&l);",
        "if (pthread_rwlock_tryrdlock(&l) == 0) { NOTE(1); pthread_rwlock_unlock(&l); } else NOTE(9);",
        "if (pthread_rwlock_timedwrlock(&l, &later) == 0) { NOTE(1); pthread_rwlock_unlock(&l); } else NOTE(9);",
    ],
    "timed": [
        "pthread_mutex_lock(&c_mutex); RC(pthread_cond_timedwait(&c, &c_mutex, &later)); NOTE(ready);"
        " pthread_mutex_unlock(&c_mutex);",
        "pthread_mutex_lock(&c_mutex); ready++; pthread_cond_signal(&c); pthread_mutex_unlock(&c_mutex);",
        "pthread_cond_broadcast(&c);",
        "pthread_mutex_lock(&c_mutex); NOTE(ready++); pthread_mutex_unlock(&c_mutex);",
    ],
    "keys": [
        "RC(pthread_setspecific(key, &mode));", "NOTE(pthread_getspecific(key) != 0);",
        "RC(pthread_key_delete(key));", "{ pthread_key_t k; RC(pthread_key_create(&k, 0)); NOTE((int)k); }",
        "NOTE(__atomic_load_n(&destroyed, __ATOMIC_RELAXED));",
    ],
    "names": [
        "pthread_setname_np(main_thread, \"n%d\");", "pthread_setname_np(pthread_self(), \"n%d\");",
        "NOTE(name_of(main_thread));", "NOTE(name_of(pthread_self()));",
    ],
    "futex": [
        "RC((int)futex(&word, FUTEX_WAIT, 0, 0, 0, 0));", "RC((int)futex(&word, FUTEX_WAIT, 1, 0, 0, 0));",
        "RC((int)futex(&word, FUTEX_WAIT_BITSET, 0, &later, 0, 3));",
        "word = 1;", "__atomic_store_n(&word, 1, __ATOMIC_RELEASE);", "NOTE((int)futex(&word, FUTEX_WAKE, 1, 0, 0, 0));",
        "NOTE((int)futex(&word, FUTEX_WAKE, 9, 0, 0, 0));",
    ],
    "two": [
        "RC((int)futex(&word, FUTEX_WAIT, 0, 0, 0, 0));", "RC((int)futex(&word2, FUTEX_WAIT, 0, 0, 0, 0));",
        "__atomic_store_n(&word2, 1, __ATOMIC_RELEASE);", "NOTE((int)futex(&word2, FUTEX_WAKE, 1, 0, 0, 0));",
        "NOTE((int)futex(&word, FUTEX_WAKE_OP, 1, (void *)1, &word2, FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_EQ, 0)));",
        "RC((int)futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &word2, 0));",
    ],
    "owned": [
        "{ long rc = futex(&word, FUTEX_LOCK_PI, 0, 0, 0, 0); RC((int)rc); if (rc == 0) { NOTE(mode++);"
        " futex(&word, FUTEX_UNLOCK_PI, 0, 0, 0, 0); } }",
        "{ long rc = futex(&word, FUTEX_TRYLOCK_PI, 0, 0, 0, 0); RC((int)rc); if (rc == 0) { NOTE(mode++);"
        " futex(&word, FUTEX_UNLOCK_PI, 0, 0, 0, 0); } }",
        "{ long rc = futex(&word, FUTEX_LOCK_PI, 0, &later, 0, 0); RC((int)rc); if (rc == 0) { NOTE(mode++);"
        " futex(&word, FUTEX_UNLOCK_PI, 0, 0, 0, 0); } }",
    ],
    "robust": [
        "{ int rc = pthread_mutex_lock(&robust); RC(rc); if (rc != ENOTRECOVERABLE) pthread_mutex_unlock(&robust); }",
        "{ int rc = pthread_mutex_trylock(&robust); RC(rc); if (rc == EOWNERDEAD) pthread_mutex_consistent(&robust);"
        " if (rc == 0 || rc == EOWNERDEAD) pthread_mutex_unlock(&robust); }",
        "RC(pthread_mutex_lock(&robust)); return 0;",
    ],
    "barrier": [
        "NOTE(pthread_barrier_wait(&b) != 0);", "NOTE(pthread_barrier_wait(&b) != 0);",
        "pthread_barrier_wait(&b);", "NOTE(__atomic_fetch_add(&mode, 1, __ATOMIC_RELAXED));",
    ],
    "cancel": [
        "pthread_mutex_lock(&c_mutex); pthread_cleanup_push(give_back, &c_mutex);"
        " while (!ready) pthread_cond_wait(&c, &c_mutex); NOTE(ready); pthread_cleanup_pop(1);",
        "pthread_mutex_lock(&c_mutex); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&c_mutex);",
        "pthread_mutex_lock(&c_mutex); NOTE(ready); pthread_mutex_unlock(&c_mutex);",
    ],
}


def make(seed, groups):
    """The groups that a program is of, and its function runSEED()."""
    rng = random.Random(seed)
    used = [rng.choice(groups)] + ([rng.choice(groups)] if rng.random() < 0.25 else [])
    threads = rng.choice([2, 2, 3])
    steps = [step for group in used for step in GROUPS[group]]
    lines = []
    for t in range(threads):
        lines.append("static void *run%d_%d(void *arg)\n{\n    me = %d;" % (seed, t, t))
        for _ in range(rng.choice([1, 2, 2, 3] if threads == 2 else [1, 1, 2])):
            step = rng.choice(steps)
            lines.append("    " + step.replace("%d", str(t)))
        lines.append("    return arg;\n}")
    lines.append("static void run%d(void)\n{\n    pthread_t t[N];\n    pthread_mutexattr_t a;\n    pthread_rwlockattr_t r;" % seed)
    lines.append("    main_thread = pthread_self();\n    pthread_mutexattr_init(&a);"
                 " pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&robust, &a);")
    lines.append("    pthread_rwlockattr_init(&r); pthread_rwlockattr_setkind_np(&r,"
                 " PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP); pthread_rwlock_init(&l, &r);")
    lines.append("    pthread_spin_init(&spin, 0); pthread_barrier_init(&b, 0, %d); pthread_key_create(&key, destroy);"
                 % rng.choice([1, 2]))
    for t in range(1, threads):
        lines.append("    pthread_create(&t[%d], 0, run%d_%d, 0);" % (t, seed, t))
    if "cancel" in used:
        lines.append("    pthread_cancel(t[1]);")
    lines.append("    run%d_0(0);" % seed)
    for t in range(1, threads):
        lines.append("    pthread_join(t[%d], 0);" % t)
    lines.append("    char all[N * 64] = \"\";\n    for (int i = 0; i < %d; i++) { strcat(all, out[i].text); strcat(all, \".\"); }" % threads)
    lines.append("    puts(all);\n}\n")
    return "+".join(sorted(set(used))), "\n".join(lines)


def together(programs):
    """Functions by seed as one program, which runs that of its argument."""
    cases = "".join("    case %d: run%d(); break;\n" % (seed, seed) for seed in programs)
    return "%s%s\nint main(int argc, char **argv)\n{\n    switch (argc > 1 ? atoi(argv[1]) : %d) {\n%s    }\n    return 0;\n}\n" % (
        HEAD, "\n".join(programs.values()), next(iter(programs)), cases)


def build(options, programs, work):
    source, binary = os.path.join(work, "all.c"), os.path.join(work, "all")
    with open(source, "w", encoding="utf-8") as file:
        file.write(together(programs))
    subprocess.run([options.plait, "cc", "-O1", "-w", source, "-o", binary, "-pthread"], check=True,
                   env=dict(os.environ, PLAIT_CC=options.compiler))
    return binary


def explore(options, binary, seed, strategy, limit):
    done = subprocess.run([options.plait, "test", "--time-outs", "any", "-s", strategy, "-k", "-q", "--outputs", "--json", "-", "-n", str(limit),
                           "-o", binary + ".out", "--", binary, str(seed)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        result = json.loads(done.stdout)
    except ValueError:
        return None, "exit %d: %s" % (done.returncode, (done.stderr or done.stdout).strip()[:300])
    shutil.rmtree(binary + ".out", ignore_errors=True)
    return result, None


def outcome(result):
    return (frozenset(o["text"] for o in result["outputs"]), frozenset(f["kind"] for f in result["findings"]))


def check(options, binary, seed, group, text):
    """What is wrong with this program; None if it is too large."""
    whole, error = explore(options, binary, seed, "dfs", options.limit)
    if error:
        return ["dfs: " + error]
    if not whole["complete"]:
        return None if whole["executions"] >= options.limit else ["dfs is not complete, %d executions" % whole["executions"]]
    problems = []
    for strategy in options.strategies:
        result, error = explore(options, binary, seed, strategy, options.limit)
        if error:
            problems.append("%s: %s" % (strategy, error))
            continue
        if not result["complete"]:
            problems.append("%s (%s): not complete, %d executions; dfs has %d"
                            % (strategy, group, result["executions"], whole["executions"]))
        elif outcome(result) != outcome(whole):
            mine, theirs = outcome(result), outcome(whole)
            problems.append("%s (%s): lacks %s, has besides %s" % (
                strategy, group, sorted(theirs[0] - mine[0]) + sorted(theirs[1] - mine[1]),
                sorted(mine[0] - theirs[0]) + sorted(mine[1] - theirs[1])))
    if problems and options.keep:
        with open(os.path.join(options.keep, "p%d.c" % seed), "w", encoding="utf-8") as file:
            file.write(together({seed: text}))
    return problems


def main():
    parser = argparse.ArgumentParser(description="Synchronisation objects in every state: dfs against others.")
    parser.add_argument("--plait", required=True)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--seeds", default="1-40")
    parser.add_argument("--strategies", default="dpor", type=lambda s: s.split(","))
    parser.add_argument("--groups", default=",".join(GROUPS), type=lambda s: s.split(","))
    parser.add_argument("--limit", type=int, default=20000, help="executions of a program that is not too large")
    parser.add_argument("--keep", help="folder for programs that fail")
    options = parser.parse_args()
    if isinstance(options.groups, str):
        options.groups = options.groups.split(",")
    if isinstance(options.strategies, str):
        options.strategies = options.strategies.split(",")
    low, high = (int(n) for n in options.seeds.split("-"))
    wrong = large = 0
    with tempfile.TemporaryDirectory(prefix="plait-sync-") as work:
        programs = {seed: make(seed, options.groups) for seed in range(low, high + 1)}
        binary = build(options, {seed: text for seed, (_, text) in programs.items()}, work)
        for seed, (group, text) in programs.items():
            problems = check(options, binary, seed, group, text)
            large += problems is None
            if problems:
                wrong += 1
                print("seed %d:\n  %s" % (seed, "\n  ".join(problems)), flush=True)
    print("%d programs, %d too large, %d wrong" % (high - low + 1, large, wrong))
    sys.exit(wrong > 0)


main()
