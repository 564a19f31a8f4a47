# SPDX-License-Identifier: MIT
"""Forces every order that a complete search with `values` has judged, and compares what comes of it.

usage: forced.py PLAIT FILE|seeds:A-B... [--most N] [--level O]

An order that was shown, or failed, must be shown by --force as well; one that is impossible must not.  The schedule
of each finding is replayed twice, and must end as it did.  Of a program with more orders than N, that many are drawn.
A program that `values` does not come to the end of is left out and counted.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import generate


def sources(paths, folder):
    for path in paths:
        seeds = re.fullmatch(r"seeds:(\d+)-(\d+)", path)
        if not seeds:
            yield path
            continue
        for seed in range(int(seeds[1]), int(seeds[2]) + 1):
            name = os.path.join(folder, f"seed{seed}.c")
            with open(name, "w", encoding="utf-8") as f:
                f.write(generate.Program(seed).text())
            yield name


def run(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=300, check=False)
    return done.returncode, done.stdout.decode(errors="replace")


EXIST = "shown", "failed"


def replays(plait, results, program):
    """What is wrong with the schedules of findings."""
    for name in sorted(os.listdir(results)):
        if not re.fullmatch(r"finding-.*\.plait", name):
            continue
        first, second = (run(plait, "replay", os.path.join(results, name)) for _ in range(2))
        if first[0] != 1 or first != second:
            yield f"{name}: {first} {second}"


def check(plait, source, folder, most, level):
    """Sentences of what is wrong and how many orders were forced; None: it was left out."""
    program = os.path.join(folder, os.path.basename(source)[:-2])
    built = run(plait, "cc", "--whole", "--keep-hooks", "-g", "-O" + level, "-w", source, "-o", program)
    if built[0] != 0:
        return [built[1]], 0
    results = tempfile.mkdtemp(dir=folder)
    report = os.path.join(results, "report.json")
    run(plait, "test", "-q", "-s", "values", "-k", "--no-minimize", "--drive", "0", "-n", "3000", "-t", "20s", "--json",
        report, "-o", results, program)
    with open(report, encoding="utf-8") as f:
        if not json.load(f)["complete"]:
            return None
    listed = json.loads(run(plait, "pairs", "--json", "-o", results, program)[1])["pairs"]
    orders = [(p["id"], way, order["status"]) for p in listed
              for way, order in zip(("a->b", "b->a"), p["orders"]) if order is not None and order["status"] != "open"]
    wrong = list(replays(plait, results, program))
    if len(orders) > most:
        orders = random.Random(len(source)).sample(orders, most)
    for pair, way, status in orders:
        code, text = run(plait, "test", "--force", f"P{pair}: {way}", "-k", "--no-minimize", "--drive", "0", "-n", "3000",
                         "-t", "20s", "-o", tempfile.mkdtemp(dir=folder), program)
        shown = re.search(r": shown", text) is not None
        if shown != (status in EXIST):
            wrong.append(f"P{pair}: {way} is {status}, --force: {code} {text}")
    return wrong, len(orders)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plait")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("--level", default="0")
    arguments = parser.parse_args()
    os.environ["PLAIT_CC"] = "clang"
    programs = forced = left_out = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sources(arguments.paths, folder):
            said = check(arguments.plait, source, folder, arguments.most, arguments.level)
            if said is None:
                left_out += 1
                continue
            programs += 1
            forced += said[1]
            for sentence in said[0]:
                print(f"{source}: {sentence}", flush=True)
                failed += 1
    print(f"{programs} programs, {forced} orders forced, {failed} wrong, {left_out} left out")
    sys.exit(failed > 0 or forced == 0)


main()
