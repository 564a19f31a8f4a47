#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: exact.py ROOT BUILD [--first 1] [--count 10] [--each 5] [--noise LIST]

What was recorded is what happened: generated programs print what each of their threads has read.
Each execution under noise is taken for a failure, so that its recording is kept; its replays, on
fibers and on OS threads, must print the same, though most programs can print many other things.
"""
import argparse
import os
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(ROOT, "tests", "generated"))

import generate  # noqa: E402

FOUND = 1  # exit status


def build(plait, work, seed):
    source, program = os.path.join(work, f"p{seed}.c"), os.path.join(work, f"p{seed}")
    with open(source, "w", encoding="ascii") as out:
        out.write(generate.emit(generate.generate(seed)))
    subprocess.run([plait, "cc", "-g", "-O1", "-w", source, "-o", program], check=True)
    return program


def run(command, printed, *rest):
    """The exit status, and what the program printed."""
    done = subprocess.run([*command, "--check", f"cp /dev/stdin {printed}; false", *rest],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if not os.path.exists(printed):
        return done.returncode, "", done.stdout
    with open(printed, encoding="utf-8") as text:
        said = text.read()
    os.remove(printed)
    return done.returncode, said, done.stdout


def record(plait, work, program, noise, seed):
    folder = os.path.join(work, f"{os.path.basename(program)}-{seed}")
    status, said, report = run([plait, "test", "-q", "-s", "noise:" + noise, "-n", "1", "--seed",
                                str(seed), "--no-minimize", "-o", folder],
                               os.path.join(work, "printed"), program)
    folder = os.path.join(folder, "latest")
    files = [f for f in os.listdir(folder) if f.endswith(".plait")] if os.path.isdir(folder) else []
    if status != FOUND or len(files) != 1:
        sys.exit(f"{program}, seed {seed}: not recorded: exit {status}\n{report}")
    return os.path.join(folder, files[0]), said


def check(plait, work, program, noise, seed):
    """Returns what was printed, and what is wrong with the replays."""
    schedule, said = record(plait, work, program, noise, seed)
    wrong = []
    for carrier in ("fiber", "thread"):
        status, again, report = run([plait, "replay", "-q", "--carrier", carrier],
                                    os.path.join(work, "printed"), schedule)
        if status != FOUND or again != said:
            wrong.append(f"{program}, seed {seed}, {carrier}: exit {status}, printed {again!r} "
                         f"instead of {said!r}\n{report}")
    return said, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root")
    parser.add_argument("build")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--each", type=int, default=5)
    parser.add_argument("--noise", default="sleep,probability=40,length=100us,cost=off")
    options = parser.parse_args()
    plait = os.path.join(os.path.abspath(options.build), "bin", "plait")
    outcomes, wrong = set(), []
    with tempfile.TemporaryDirectory() as work:
        for number in range(options.first, options.first + options.count):
            program = build(plait, work, number)
            for seed in range(1, options.each + 1):
                said, bad = check(plait, work, program, options.noise, seed)
                outcomes.add((number, said))
                wrong += bad
    print("\n".join(wrong))
    print(f"{options.count * options.each} recordings, {len(outcomes)} outcomes of "
          f"{options.count} programs, {len(wrong)} replays went wrong")
    # With one outcome each, the comparison would say little.
    return 1 if wrong or len(outcomes) <= options.count else 0


if __name__ == "__main__":
    sys.exit(main())
