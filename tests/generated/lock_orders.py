#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs of threads and locks: one execution tells whether they can deadlock.

    lock_orders.py --plait BUILD/bin/plait SEEDS

SEEDS is FIRST-LAST.  Each program is explored in full by dpor, which finds every deadlock that there
is.  From a single random execution `lock-order` must predict one exactly if there is one: what is
predicted must be confirmed, and be among those of dpor.  Mutexes and rwlocks, nested as blocks, two to
four threads, some joined before others are created.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

HEAD = """#include <pthread.h>

static pthread_mutex_t m[%(mutexes)d];
static pthread_rwlock_t r[%(rwlocks)d];
"""


def block(draw, depth, held, locks, lines):
    """Lock something, do the same inside, unlock it; once or twice."""
    for _ in range(draw.randint(1, 2)):
        free = [lock for lock in locks if lock not in held]
        if not free or depth == 0:
            return
        lock = draw.choice(free)
        if lock.startswith("m"):
            lines.append("pthread_mutex_lock(&%s);" % lock)
        else:
            lines.append("pthread_rwlock_%slock(&%s);" % (draw.choice(("rd", "rd", "wr")), lock))
        block(draw, depth - 1, held + [lock], locks, lines)
        kind = "mutex" if lock.startswith("m") else "rwlock"
        lines.append("pthread_%s_unlock(&%s);" % (kind, lock))


def generate(seed):
    draw = random.Random(seed)
    threads, mutexes, rwlocks = draw.choice((2, 2, 3, 3, 4)), draw.randint(1, 3), draw.randint(0, 2)
    locks = ["m[%d]" % i for i in range(mutexes)] + ["r[%d]" % i for i in range(rwlocks)]
    depth = 2 if threads > 2 else 3
    text = HEAD % {"mutexes": mutexes, "rwlocks": max(rwlocks, 1)}
    for i in range(threads):
        lines = []
        block(draw, depth, [], locks, lines)
        text += "\nstatic void *t%d(void *unused)\n{\n    %s\n    return unused;\n}\n" % (
            i, "\n    ".join(lines))
    text += "\nint main(void)\n{\n    pthread_t t[%d];\n\n" % threads
    text += "    for (int i = 0; i < %d; i++)\n        pthread_mutex_init(&m[i], NULL);\n" % mutexes
    text += "    for (int i = 0; i < %d; i++)\n" % max(rwlocks, 1)
    text += "        pthread_rwlock_init(&r[i], NULL);\n"
    late = []
    for i in range(threads):
        text += "    pthread_create(&t[%d], NULL, t%d, NULL);\n" % (i, i)
        if draw.random() < 0.2:
            text += "    pthread_join(t[%d], NULL);\n" % i
        else:
            late.append(i)
    text += "".join("    pthread_join(t[%d], NULL);\n" % i for i in late)
    return text + "    return 0;\n}\n"


def campaign(plait, work, *options):
    report = os.path.join(work, "report.json")
    arguments = [plait, "test", "-q", "--no-minimize", "--json", report]
    arguments += ["-o", os.path.join(work, "out"), *options, os.path.join(work, "prog")]
    done = subprocess.run(arguments, cwd=work, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit("%s\n%s" % (arguments, done.stdout + done.stderr))
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def check(plait, work, seed):
    """What is wrong with this program, and whether it can deadlock."""
    source = os.path.join(work, "prog.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(generate(seed))
    subprocess.run([plait, "cc", "-O1", "-g", "-pthread", source, "-o",
                    os.path.join(work, "prog")], check=True)
    full = campaign(plait, work, "-s", "dpor", "-k", "-t", "20s")
    if not full["complete"]:
        return None, None
    real = {f["signature"] for f in full["findings"]}
    one = campaign(plait, work, "-s", "random", "-n", "1", "--seed", str(seed), "--detect",
                   "lock-order")
    kinds = [f["kind"] for f in one["findings"]]
    reached = {f["signature"] for f in one["findings"] if f["kind"] == "deadlock"}
    wrong = []
    if not reached <= real:
        wrong.append("deadlocks that dpor does not know")
    if bool(reached) != bool(real):
        wrong.append("%d deadlocks, but %s from one execution" % (len(real), kinds or "nothing"))
    if "lock-order" in kinds:
        wrong.append("predicted, but not confirmed")
    return wrong, bool(real)


def main():
    parser = argparse.ArgumentParser(description="Predictions against a full search.")
    parser.add_argument("--plait", required=True)
    parser.add_argument("seeds")
    options = parser.parse_args()
    first, last = (int(n) for n in options.seeds.split("-"))
    bad = left_out = dead = 0
    with tempfile.TemporaryDirectory(prefix="plait-orders-") as work:
        for seed in range(first, last + 1):
            wrong, real = check(os.path.abspath(options.plait), work, seed)
            left_out += wrong is None
            dead += bool(real)
            for text in wrong or []:
                bad += 1
                print("seed %d: %s" % (seed, text), flush=True)
    print("%d programs, %d can deadlock, %d too large to search, %d problems" % (
        last - first + 1, dead, left_out, bad))
    return bad != 0 or dead == 0


if __name__ == "__main__":
    sys.exit(main())
