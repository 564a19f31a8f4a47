#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare what the programs of tests/programs/races expect with ThreadSanitizer and Helgrind.

    crosscheck_races.py [-j N] [FILE ...]

Needs gcc with libtsan, and valgrind.  No part of CTest: both tools judge the one interleaving
that happens, so each program is started several times, with either thread late.

A program says in its leading comment where a tool differs from what it expects, and why:

    TSAN race: it does not know fences
    HELGRIND clean -DRACE=1: the trylock does not happen to fail

The word is what the tool says; flags narrow it down to the pairs compiled with them.  A
difference that no such line explains is a failure.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RACES = os.path.join(ROOT, "tests", "programs", "races")
sys.path.insert(0, os.path.join(ROOT, "tests"))
import run_program  # noqa: E402

LIMIT = 60  # seconds for one start
TOOLS = ("TSAN", "HELGRIND")
LATE = ([], ["-DLATE=1"], ["-DLATE=2"])
SIGNS = {
    "TSAN": r"ThreadSanitizer: (data race|heap-use-after-free)",
    "HELGRIND": r"Possible data race|Helgrind: hg_main.c",
}


def notes_of(path):
    """[(tool, verdict, flags, reason)] of a program."""
    with open(path, encoding="utf-8") as file:
        head = file.read().split("*/")[1]
    text = " ".join(re.sub(r"^\s*\*", "", line).strip() for line in head.splitlines())
    pattern = r"\b(TSAN|HELGRIND) (race|clean)((?: -D\S+)*): (.*?)(?=(?:TSAN|HELGRIND) (?:race|clean)|$)"
    return [(m[1], m[2], m[3].split(), m[4].strip()) for m in re.finditer(pattern, text)]


def build(path, flags, late, tool, work):
    name = os.path.join(work, "prog")
    cxx = path.endswith(".cpp")
    command = ["g++" if cxx else "gcc", "-std=gnu++20" if cxx else "-std=gnu17"]
    command += ["-O1", "-g", "-w", "-fno-builtin", "-pthread"] + flags + late
    command += ["-fsanitize=thread"] if tool == "TSAN" else []
    subprocess.run(command + ["-o", name, path], check=True, stdin=subprocess.DEVNULL)
    return [name]


def says(command, tool):
    """Whether the tool reports a race in one start of the program."""
    if tool == "HELGRIND":
        command = ["valgrind", "--tool=helgrind", "--free-is-write=yes"] + command
    else:
        command = ["setarch", "-R"] + command
    env = dict(os.environ, TSAN_OPTIONS="exitcode=0 detect_deadlocks=0 report_thread_leaks=0")
    try:
        done = subprocess.run(
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired as late:
        return re.search(SIGNS[tool], (late.output or b"").decode(errors="replace")) is not None
    return re.search(SIGNS[tool], done.stdout.decode(errors="replace")) is not None


def verdict(path, flags, tool, times):
    variants = LATE if '"two.h"' in open(path, encoding="utf-8").read() else LATE[:1]
    with tempfile.TemporaryDirectory(prefix="plait-cross-") as work:
        for late in variants:
            command = build(path, flags, late, tool, work)
            if any(says(command, tool) for _ in range(times)):
                return "race"
    return "clean"


def explained(notes, tool, seen, flags):
    for note_tool, said, wanted, reason in notes:
        if note_tool == tool and said == seen and all(f in flags for f in wanted):
            return reason
    return None


def judge(path, times):
    """Rows of one program: flags, expected, verdict and remark of each tool."""
    rows, bad, done = [], 0, []
    notes = notes_of(path)
    for run in run_program.parse_program(path)[0]:
        if run.flags in done or not any("race" in option for option in run.options):
            continue
        done.append(run.flags)
        expected = "clean" if "clean" in run.expect["words"] else "race"
        row = [os.path.basename(path), " ".join(run.flags), expected]
        for tool in TOOLS:
            seen = verdict(path, run.flags, tool, times)
            reason = explained(notes, tool, seen, run.flags) if seen != expected else ""
            if reason is None:
                reason, bad = "UNEXPLAINED", bad + 1
            row += [seen, reason]
        rows.append(row)
    return rows, bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-j", type=int, default=2, help="programs at the same time")
    parser.add_argument("-t", "--times", type=int, default=2, help="starts of each variant")
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args()
    files = options.files or sorted(
        os.path.join(RACES, name) for name in os.listdir(RACES) if name.endswith((".c", ".cpp"))
    )
    bad = pairs = 0
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        for rows, wrong in pool.map(lambda path: judge(path, options.times), files):
            bad += wrong
            pairs += len(rows)
            for name, flags, expected, tsan, tsan_why, helgrind, helgrind_why in rows:
                print("%-36s %-10s %-6s" % (name, flags[-8:], expected), end="")
                print("tsan %-6s helgrind %-6s" % (tsan, helgrind), end="")
                for tool, why in (("tsan", tsan_why), ("helgrind", helgrind_why)):
                    print("  %s: %s" % (tool, why) if why else "", end="")
                print(flush=True)
    print("%d pairs, %d differences without an explanation" % (pairs, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
