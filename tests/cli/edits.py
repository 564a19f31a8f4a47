#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a replay says of a program that was changed: 40 edits of 10 programs.

A comment, a function that nobody uses and a new layout make no other bug: the replay shows the same finding.
After a fix it says so: the schedule ran through and held, the order no longer exists, or it left the schedule
and passes from there.  Never is a finding called another one that is the same.

arguments: the folder with plait and plait-cc, and that of the programs.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

BIN, PROGRAMS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
PLAIT = os.path.join(BIN, "plait")
NAMES = ["abba", "double_checked", "if_instead_of_while", "join_deadlock", "lost_update", "order_violation",
         "rwlock_upgrade", "semaphore_order", "split_critical_section", "use_after_free"]
EDITS = {
    "comment": lambda s: "/*\n * A word about it.\n */\n" + s,
    "function": lambda s: re.sub(r"^static ", "__attribute__((unused)) static int nobody(int x)\n{\n    return 3 * x + 1;\n}\n\nstatic ",
                                 s, count=1, flags=re.M),
    "layout": lambda s: re.sub(r";$", ";  // so it is", s.replace("\n    ", "\n\n        "), flags=re.M),
    "fix": lambda s: "#define FIXED 1\n" + s,
}
SAME = "the same finding, as recorded"
FIXED = ("ran through and held", "the order no longer exists", "passes now in")
problems = []


def run(*words):
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=300, check=False)


def build(name, text):
    with open(name + ".c", "w", encoding="utf-8") as f:
        f.write(text)
    done = run(os.path.join(BIN, "plait-cc"), "-g", "-O0", "-o", name, name + ".c")
    if done.returncode != 0:
        sys.exit(f"{name}: {done.stdout}")


def verdict(printed):
    for text in (SAME,) + FIXED:
        if text in printed:
            return text
    return "another" if "another" in printed else "left the schedule" if "left the schedule" in printed else "?"


def still_there():
    """An edit after which the schedule does not fit, and the bug is there as before."""
    with open(os.path.join(PROGRAMS, "lost_update.c"), encoding="utf-8") as f:
        text = f.read()
    build("lost_update", text)
    done = run(PLAIT, "test", "-s", "random", "-n", "5000", "./lost_update")
    found = re.search(r"replay: plait replay (\S+)", done.stdout)
    more = "static int more;\n" + "static void *add("
    build("lost_update", text.replace("static void *add(", more, 1).replace("{\n", "{\n    more += 2;\n    more -= 1;\n", 1))
    done = run(PLAIT, "replay", found.group(1))
    if "fails in the same way in try" not in done.stdout and SAME not in done.stdout or done.returncode != 1:
        problems.append(f"still there: {done.returncode}: {done.stdout}")


def main():
    count = collections.Counter()
    for name in NAMES:
        with open(os.path.join(PROGRAMS, name + ".c"), encoding="utf-8") as f:
            text = f.read()
        build(name, text)
        done = run(PLAIT, "test", "-s", "random", "-n", "5000", f"./{name}")
        found = re.search(r"replay: plait replay (\S+)", done.stdout)
        if found is None:
            problems.append(f"{name}: {done.stdout}")
            continue
        for kind, edit in EDITS.items():
            build(name, edit(text))
            done = run(PLAIT, "replay", found.group(1))
            said = verdict(done.stdout)
            count[kind == "fix", said] += 1
            print(f"{name:24} {kind:9} exit {done.returncode}  {said}")
            right = said in FIXED and done.returncode in (0, 3) if kind == "fix" else said == SAME and done.returncode == 1
            if not right:
                problems.append(f"{name}, {kind}: {done.stdout}")
    still_there()
    for problem in problems:
        print("FAILED", problem)
    print(", ".join(f"{n} {'fixes' if fix else 'edits'}: {said}" for (fix, said), n in sorted(count.items())))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        main()
        os.chdir("/")
    sys.exit(1 if problems else 0)
