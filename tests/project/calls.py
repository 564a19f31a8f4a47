# SPDX-License-Identifier: MIT
"""docs/calls.md is what src/runtime/system/calls.def says; each row holds.

usage: calls.py ROOT [BUILD] [--update]

A row has resources and waits that calls.def explains; what is done by a function must be in calls.c.  The last
column names what calls it in tests: programs, and blocks of generated ones.  --update writes the page anew.
"""
import os
import re
import sys

import tree

TABLE = "src/runtime/system/calls.def"
CODE = "src/runtime/system/calls.c"
PAGE = "docs/calls.md"
HEAD = """# System calls as operations

Every system call of a program is seen before it is made, whoever makes it. Those of this page are operations:
announced, chosen, performed. Two of them depend on each other if they use the same resource and one of them
writes it. One that waits parks its thread and nobody else. Written by `tests/project/calls.py --update` from
`src/runtime/system/calls.def`, which explains the words. A call that is not listed is made at once: it concerns nobody but
its thread, or is known elsewhere (memory, signals), or is not modelled.

| call | uses | waits for | called in tests by |
|---|---|---|---|
"""
# What libc calls them.
NAMES = {"pread64": "pread", "pwrite64": "pwrite", "newfstatat": "fstatat", "getdents64": "readdir", "pselect6": "pselect",
         "wait4": "waitpid", "eventfd2": "eventfd", "pipe2": "pipe", "epoll_create1": "epoll_create1",
         "sendto": "send", "recvfrom": "recv", "signalfd4": "signalfd", "mq_timedsend": "mq_send",
         "mq_timedreceive": "mq_receive"}
WAITS = {"NEVER": "", "IN": "something to read", "OUT": "room to write", "RECEIVE": "something to read",
         "SEND": "room to write", "FLOCK": "the lock of the file", "SEMAPHORE": "semaphores", "CHILD": "the end of a process",
         "RETRY": "a change: it is tried"}


def rows(text, problems):
    """(call, uses, waits, function) of each row."""
    for line in text.splitlines():
        m = re.match(r"PL_CALL\((\w+), (\w+), (\w+), (\w+), (\w+), (\w+)\)", line)
        if m:
            uses = [f"{r} {e.lower()}" for r, e in ((m[2], m[3]), (m[4], m[5])) if r != "NONE"]
            if m[6] not in WAITS:
                problems.append(f"{m[1]} waits for {m[6]}, which calls.py does not know")
            yield m[1], ", ".join(uses), WAITS.get(m[6], ""), None
        m = re.match(r'PL_CALL_BY_(?:HAND|CASE)\((\w+), (\w+), "([^"]*)"\)', line)
        if m:
            uses, _, waits = m[3].partition("; ")
            yield m[1], uses, waits, m[2]


def main():
    root = tree.root_argument()
    problems, text, n = [], HEAD, 0
    code = tree.text(root, CODE)
    tests = {os.path.basename(f): tree.text(root, f) for f in tree.files(root)
             if (f.startswith("tests/programs/") or f.startswith("tests/generated/")) and f.endswith((".c", ".cpp", ".h", ".py"))}
    for call, uses, waits, function in sorted(rows(tree.text(root, TABLE), problems)):
        n += 1
        if function is not None and not re.search(rf"\b{function}\(", code):
            problems.append(f"{call}: there is no {function}() in {CODE}")
        name = NAMES.get(call, call)
        users = sorted(t for t, body in tests.items() if re.search(rf"\b{name}\(|SYS_{call}\b", body))
        text += f"| `{call}` | {uses} | {waits} | {', '.join(users[:4])}{', ...' if len(users) > 4 else ''} |\n"
    path = os.path.join(root, PAGE)
    if "--update" in sys.argv:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    elif not os.path.exists(path) or tree.text(root, PAGE) != text:
        problems.append(f"{PAGE} is not what {TABLE} says: calls.py {root} --update")
    tree.finish(problems, f"{n} system calls")


main()
