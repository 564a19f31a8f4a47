# SPDX-License-Identifier: MIT
"""For the scripts beside it: programs to explore, and what a campaign came to."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "generated"))
import generate  # noqa: E402

# Two threads that meet in critical sections.
SPLIT = """
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;
static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        int seen = value;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        value = seen + 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
"""

# What is shared shows only when the thread is early, which depth first search tries last: the
# search starts over while others are busy with what does not count any more.
LATE = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int first, other;
static volatile int second, third;
static void *work(void *arg)
{
    if (first == 0)
        second = 1;
    if (first == 1)
        third = 1;
    other++;
    other++;
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    first = 1;
    first = 2;
    other++;
    other++;
    if (second == 1)
        third = 2;
    pthread_join(t, NULL);
    return second + third < 0;
}
"""

# A lost update, a deadlock and nothing, as the schedule has it.
BUGS = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *work(void *arg)
{
    pthread_mutex_lock(&b);
    n++;
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    n++;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, NULL);
    assert(n == 2);
    return 0;
}
"""


def build(bin_dir, name, text, *flags):
    with open(name + ".c", "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([os.path.join(bin_dir, "plait-cc"), "-g", "-O1", "-std=gnu17", "-pthread"] +
                   [*flags, "-o", name, name + ".c"], check=True)
    return "./" + name


def generated(bin_dir, seed):
    return build(bin_dir, "seed%d" % seed, generate.emit(generate.generate(seed)))


def command(bin_dir, program, *options):
    return [os.path.join(bin_dir, "plait"), "test", "-q", "-o", "results", "--json", "r.json",
            *options, "--", program]


def result():
    with open("r.json", encoding="utf-8") as file:
        found = json.load(file)
    os.unlink("r.json")
    return found


def outcomes(found):
    """What each execution has printed; asked for with --outputs."""
    if found["outputs_lost"]:
        raise AssertionError("outcomes that are not listed")
    return sorted(o["text"] for o in found["outputs"] for _ in range(o["count"]))


def explore(bin_dir, program, *options, statuses=(0, 1)):
    """Explore it, which ends with one of the statuses; the result."""
    done = subprocess.run(command(bin_dir, program, *options), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode not in statuses:
        raise AssertionError("%s %s: exit status %d\n%s" % (
            program, " ".join(options), done.returncode, done.stdout.decode(errors="replace")))
    return result()


def findings(found, *members):
    return sorted(tuple(f[m] for m in members) for f in found["findings"])
