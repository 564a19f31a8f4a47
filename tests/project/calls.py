# SPDX-License-Identifier: MIT
"""docs/calls.md is what src/runtime/ground/calls.def says; each row holds.

usage: calls.py ROOT [BUILD] [--update]

A row has resources and waits that calls.def explains; what is done by a function must be there.  The last
column names the program that shows both orders of the call and of one that depends on it, which each row must
have; --update writes the page anew.
"""
import os
import re
import sys

import tree

TABLE = "src/runtime/ground/calls.def"
CODE = ("src/runtime/system/calls_plan.c", "src/runtime/system/calls_hand.c")
PAGE = "docs/calls.md"
CASES = r"tests/programs/calls/orders_\w+\.c$"
HEAD = """# System calls as operations

Every system call of a program is seen before it is made, whoever makes it. Those of this page are operations:
announced, chosen, performed. Two of them depend on each other if they use the same resource and one of them
writes it. One that waits parks its thread and nobody else. Written by `tests/project/calls.py --update` from
`src/runtime/ground/calls.def`, which explains the words. Of the calls that are not listed some concern nobody but
their thread, or are known elsewhere (memory, signals); the table has their names. All others are not modelled: beside other threads they
are operations that may change anything, and a search is *complete but for* them, by name and place.

| call | uses | waits for | both orders in |
|---|---|---|---|
"""
WAITS = {"NEVER": "", "IN": "something to read", "OUT": "room to write", "RECEIVE": "something to read",
         "SEND": "room to write", "FLOCK": "the lock of the file", "SEMAPHORE": "semaphores", "CHILD": "the end of a process",
         "RETRY": "a change: it is tried", "LATER": "an answer, or room in the queue"}


def rows(text, problems):
    """(call, uses, waits, function) of each row."""
    for line in text.splitlines():
        m = re.match(r"PL_CALL\((\w+), USES\((\w+), (\w+), (\w+), (\w+), (\w+)\)", line)
        if m:
            uses = [f"{r} {e.lower()}" for r, e in ((m[2], m[3]), (m[4], m[5])) if r != "NONE"]
            if m[6] not in WAITS:
                problems.append(f"{m[1]} waits for {m[6]}, which calls.py does not know")
            yield m[1], ", ".join(uses), WAITS.get(m[6], ""), None
        m = re.match(r'PL_CALL\((\w+), BY_(?:HAND|CASE)\((\w+), "([^"]*)"\)', line)
        if m:
            uses, _, waits = m[3].partition("; ")
            yield m[1], uses, waits, m[2]


def main():
    root = tree.root_argument()
    problems, text, n = [], HEAD, 0
    code = "".join(tree.text(root, f) for f in CODE)
    tests = {os.path.basename(f): tree.text(root, f) for f in tree.files(root) if re.match(CASES, f)}
    for call, uses, waits, function in sorted(rows(tree.text(root, TABLE), problems)):
        n += 1
        if function is not None and not re.search(rf"\bpl_{function}\(", code):
            problems.append(f"{call}: there is no pl_{function}() in {' or '.join(CODE)}")
        users = sorted(t for t, body in tests.items() if f"&order_{call}," in body or f"&order_{call})" in body)
        if not users and not uses.startswith("nothing"):
            problems.append(f"{call}: no program of tests/programs/calls shows both orders")
        text += f"| `{call}` | {uses} | {waits} | {', '.join(users)} |\n"
    path = os.path.join(root, PAGE)
    if "--update" in sys.argv:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    elif not os.path.exists(path) or tree.text(root, PAGE) != text:
        problems.append(f"{PAGE} is not what {TABLE} says: calls.py {root} --update")
    tree.finish(problems, f"{n} system calls")


main()
