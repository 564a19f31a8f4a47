#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What hooks that the analysis turns off gain, in programs that are started without plait.

    hooks.py --plait BUILD/bin/plait [--only NAME,...] [--turns 5] [--pigz SOURCE]

Builds the programs of bench/native, and pigz from its source if that is given, plainly, by plait cc and by
plait cc --whole, with gcc and with clang, -O2.  What counts is processor time; one turn has all forms, one after the
other, so that ratios are of what the machine did at the same time.  Prints a table in Markdown with medians.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = {"matrix": "product of matrices", "sort": "quicksort", "chase": "hash table with chains",
            "calls": "recursion over a tree", "locks": "short critical sections",
            "atomics": "atomic operations", "map": "C++ containers and threads"}
FORMS = "plain", "plait", "whole"
ENOUGH = 0.2  # seconds of a turn of the plain build


def spent(command):
    pid = os.posix_spawn(command[0], command, os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        raise RuntimeError(f"{command} failed")
    return usage.ru_utime + usage.ru_stime


def compilers(plait, compiler, cxx):
    """The command and the environment of each form."""
    name = {"gcc": "g++", "clang": "clang++"}[compiler] if cxx else compiler
    env = dict(os.environ, PLAIT_CC=compiler, PLAIT_CXX=name)
    wrapper = os.path.join(os.path.dirname(plait), "plait-c++" if cxx else "plait-cc")
    return {"plain": (name, os.environ), "plait": (wrapper, env), "whole": (wrapper, dict(env, PLAIT_WHOLE="1"))}


def build(plait, compiler, name, work):
    source = os.path.join(HERE, "../native", name + (".cc" if name == "map" else ".c"))
    for form, (command, env) in compilers(plait, compiler, name == "map").items():
        subprocess.run([command, "-O2", "-g", "-pthread", source, "-o", os.path.join(work, f"{name}-{compiler}-{form}")],
                       check=True, env=env)


def build_pigz(plait, compiler, source, work):
    for form, (command, env) in compilers(plait, compiler, False).items():
        folder = os.path.join(work, "source")
        shutil.copytree(source, folder)
        subprocess.run(["make", "-s", "pigz", "CC=" + command, "CFLAGS=-O2 -g"], check=True, env=env, cwd=folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shutil.copy(os.path.join(folder, "pigz"), os.path.join(work, f"pigz-{compiler}-{form}"))
        shutil.rmtree(folder)


def arguments_of(work, compiler, name):
    """What makes the plain build work long enough."""
    if name == "pigz":
        path = os.path.join(work, "input")
        with open(path, "w", encoding="ascii") as f:
            f.write("".join(f"{n}\n" for n in range(400000)))
        return [["-p", "2", "-k", "-c", path]]
    rounds, plain = 1, os.path.join(work, f"{name}-{compiler}-plain")
    while spent([plain, str(rounds)]) - spent([plain, "0"]) < ENOUGH and rounds < 1 << 20:
        rounds *= 2
    return [[str(rounds)], ["0"]]


def row(plait, compiler, name, turns, work):
    arguments = arguments_of(work, compiler, name)
    times = {form: [] for form in FORMS}
    for _ in range(turns):
        for form in FORMS:
            taken = [spent([os.path.join(work, f"{name}-{compiler}-{form}")] + a) for a in arguments]
            times[form].append(taken[0] - sum(taken[1:]))
    on, off, beside = (statistics.median(x / y for x, y in zip(times[a], times[b]))
                       for a, b in (("plait", "plain"), ("whole", "plain"), ("whole", "plait")))
    said = json.loads(subprocess.run([plait, "pairs", "--json", os.path.join(work, f"{name}-{compiler}-whole")],
                                     stdout=subprocess.PIPE, check=True).stdout)
    print(f"| {PROGRAMS.get(name, name)} | {compiler} | {said['unhooked']} of {said['hooks']} | {on:.2f} | {off:.2f} | "
          f"{beside:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description="What hooks that are turned off gain.")
    parser.add_argument("--plait", required=True)
    parser.add_argument("--only")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--pigz")
    options = parser.parse_args()
    plait = os.path.abspath(options.plait)
    names = options.only.split(",") if options.only is not None else list(PROGRAMS)
    print("| program | compiler | hooks off | all hooks on, x plain | hooks off, x plain | off beside on |")
    print("|---|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory(prefix="plait-hooks-") as work:
        for name in [n for n in names if n] + (["pigz"] if options.pigz else []):
            for compiler in ("clang", "gcc"):
                if name == "pigz":
                    build_pigz(plait, compiler, os.path.abspath(options.pigz), work)
                else:
                    build(plait, compiler, name, work)
                row(plait, compiler, name, options.turns, work)


if __name__ == "__main__":
    main()
