# SPDX-License-Identifier: MIT
"""Every row of the checklist of value schedules has a test that exists.

The table in docs/design/value-schedules.md below *What is checked* has in its last column, in backticks, what tests the
row: `file.c: function` is a function of a unit test that is called; `file.c` a sample or a program with
expectations; `group.name` a test of CTest.
"""
import os
import re

import tree

DOCUMENT = "docs/design/value-schedules.md"
HEADING = "## What is checked"
ROWS = 34


def rows(text):
    section = text.split(HEADING + "\n", 1)[-1].split("\n#", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def exists(what, root, files, unit):
    if re.fullmatch(r"\w+\.\w+", what) and not what.endswith((".c", ".cpp", ".py", ".sh")):
        group, name = what.split(".")
        text = tree.text(root, f"tests/{group}/CMakeLists.txt")
        return re.search(rf"NAME {group}\.{name}\b", text) is not None
    file, _, function = what.partition(": ")
    where = [n for n in files if n.startswith(("tests/", "bench/")) and os.path.basename(n) == file]
    if len(where) != 1:
        return False
    text = tree.text(root, where[0])
    if function == "":
        return "/unit/" not in where[0]
    return re.search(rf"^(?:static )?\w+ {function}\(", text, re.M) is not None and \
        re.search(rf"^ +.*\b{function}\(", unit, re.M) is not None


def main():
    root = tree.root_argument()
    files = tree.files(root)
    unit = "".join(tree.text(root, n) for n in files if re.fullmatch(r"tests/unit/\w*values\w*\.c", n))
    found = rows(tree.text(root, DOCUMENT))
    problems = [] if len(found) == ROWS else [f"{DOCUMENT}: there are {len(found)} rows, not {ROWS}"]
    for row in found:
        tests = re.findall(r"`([^`]+)`", row[-1])
        if not tests:
            problems.append(f"{DOCUMENT}: nothing tests '{row[0]}'")
        problems += [f"{DOCUMENT}: there is no {t}, which is to test '{row[0]}'" for t in tests
                     if not exists(t, root, files, unit)]
    tree.finish(problems, f"{len(found)} rows of the checklist of value schedules")


main()
