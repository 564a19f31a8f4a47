# SPDX-License-Identifier: MIT
"""docs/synchronisation.md is what src/runtime/sync/sync.def and src/model/operation.def say; each row holds.

usage: synchronisation.py ROOT [BUILD] [--update]

Every function that src/runtime/sync interposes has a row, and so has every function that the system's
<pthread.h>, <threads.h> and <semaphore.h> declare, here or in functions.def.  The operations exist, and the file
of the row announces each.  The last column names the program that shows both orders of the function and of one
that depends on it; --update writes the page anew.
"""
import os
import re
import sys

import tree

TABLE = "src/runtime/sync/sync.def"
OPERATIONS = "src/model/operation.def"
FUNCTIONS = "src/runtime/system/functions.def"
PAGE = "docs/synchronisation.md"
CASES = r"tests/programs/(sync/orders_\w+\.(c|cpp)|libc/orders_attributes\.c)$"
HEADERS = ("pthread.h", "threads.h", "semaphore.h")
# What a function of one file announces through another.
THROUGH = {"c11_threads.c": ("pth_mutex.c", "pth_cond.c", "pth_once.c", "pth_key.c", "pth_thread.c", "pth_cancel.c"),
           "pth_cancel.c": ("pth_thread.c",), "calls.c": ("calls_ask.c",)}
BY = {"OBJECT_INIT": "pl_access_init", "ATOMIC_RMW": "pl_access_state", "ATOMIC_LOAD": "pl_access_look"}
NAMES = {"MEMORY": "memory", "ANY": "the object", "NONE": "", "FUTEX": "word", "FILE": "resource", "SEM": "semaphore",
         "COND": "condition", "SPIN": "spin lock"}
HEAD = """# Functions that synchronise threads

What each of them announces, which other operations that depends on, and the program that shows both orders. Written by
`tests/project/synchronisation.py --update` from `src/runtime/sync/sync.def` and `src/model/operation.def`, which explain the
words. Two operations depend on each other if they touch the same object and neither both read it nor both add to it; *reads to
writes* is one whose effect is known when it happens, such as a `trylock`, which may fail. A function that uses memory or state of libc besides has
it in [functions.md](functions.md), where those are that do nothing else (attributes, default values).

`atomic update` and `atomic load` of a function that is not about an atomic are those of a word that stands for the state in question: whether a
thread is detached, what it is called, which keys there are. They are points once two threads have come to them. Who `pthread_cancel()` or a signal
is meant for depends on it at every operation at which it would act on it. Operations without effect are seen by nobody and performed as soon as they can
be. All of them are sequentially consistent: what a weaker memory order allows besides is not explored.
"""


def operations(text):
    """The text of each operation and what it does to its object."""
    result = {}
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for m in re.finditer(r'PL_OP\((\w+),\s*"([^"]*)",\s*"[^"]*",\s*\w+,\s*(\w+),\s*(\w+),\s*(\w+)', text):
        kind, name, thing, least, most = m.groups()
        effect = {"READ": "reads", "WRITE": "writes", "ADD": "adds to", "NONE": "nothing"}
        if most == "NONE":
            does = "nothing"
        else:
            does = effect[most] if least in (most, "NONE") else f"{effect[least]} or {effect[most]}"
            does += " " + NAMES.get(thing, thing.lower()) if NAMES.get(thing, thing.lower()) else ""
        result[kind] = (name, does)
    return result


def rows(text):
    """(group, file, function, operations) of each row, and (why, functions) of those without."""
    made, nothing = [], []
    for line in text.splitlines():
        m = re.match(r"PL_SYNC\((\w+), ([\w/.]+), (\w+), (.*)\)$", line)
        if m:
            made.append((m[1], m[2], m[3], m[4].split(", ")))
        m = re.match(r"PL_SYNC_HEADER\(([\w:]+), (.*)\)$", line)
        if m:
            made.append(("C++", None, m[1], m[2].split(", ")))
        m = re.match(r'PL_SYNC_NOTHING\("([^"]*)", (.*)\)$', line)
        if m:
            nothing.append((m[1], m[2].split(", ")))
    return made, nothing


def declared():
    for header in HEADERS:
        path = os.path.join("/usr/include", header)
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as f:
            text = f.read()
        yield from re.findall(r"\bextern\s+[\w\s*]*?\b((?:pthread|sem|mtx|cnd|thrd|tss)_\w+|call_once)\s*\(", text)


def check_source(root, file, function, kinds, sources, problems):
    text = sources.get(file, "")
    base = os.path.basename(file)
    for name in THROUGH.get(base, ()):
        text += sources.get(os.path.join(os.path.dirname(file), name), "")
    if not file.endswith(("calls.c", "functions.c")) and not re.search(rf"\b{function}\b", sources.get(file, "")):
        problems.append(f"{function} is not in src/runtime/{file}")
    for kind in kinds:
        if f"PL_OP_{kind}" not in text and BY.get(kind, "?") not in text:
            problems.append(f"{function}: src/runtime/{file} announces no {kind}")


def main():
    root = tree.root_argument()
    problems = []
    known = operations(tree.text(root, OPERATIONS))
    made, nothing = rows(tree.text(root, TABLE))
    files = list(tree.files(root))
    tests = {os.path.basename(f): tree.text(root, f) for f in files if re.match(CASES, f)}
    sources = {f[len("src/runtime/"):]: tree.text(root, f) for f in files if f.startswith("src/runtime/")}
    listed = {row[2] for row in made} | {f for _, names in nothing for f in names}
    if len(listed) != len(made) + sum(len(names) for _, names in nothing):
        problems.append("a function has two rows")
    elsewhere = tree.text(root, FUNCTIONS)
    for name, text in sources.items():
        if name.startswith("sync/"):
            for function in re.findall(r"^PL_INTERPOSE\([\w *]+, (\w+),", text, re.M):
                if function not in listed and not function.startswith("__"):
                    problems.append(f"{function} has no row in {TABLE}")
    for function in declared():
        if function not in listed and not function.startswith("__") and not re.search(rf"\b{function}\b", elsewhere):
            problems.append(f"{function} has no row in {TABLE}, nor in {FUNCTIONS}")

    groups = {}
    for group, file, function, kinds in made:
        for kind in kinds:
            if kind not in known:
                problems.append(f"{function}: there is no operation {kind}")
        if file is not None:
            check_source(root, file, function, kinds, sources, problems)
        case = function.replace("std::", "").replace("::", "_")
        users = sorted(t for t, body in tests.items() if re.search(rf"&order_{case}\b", body))
        if not users:
            problems.append(f"{function}: no program of tests/programs/sync shows both orders")
        does = "; ".join(f"{known[k][0]}: {known[k][1]}" for k in kinds if k in known)
        groups.setdefault(group, []).append(f"| `{function}` | {does} | {', '.join(users)} |\n")
    text = HEAD
    for group, lines in groups.items():
        text += f"\n## {group}\n\n| function | operations, and what each does | both orders in |\n|---|---|---|\n" + "".join(lines)
    text += "\n## no operation\n\n| functions | why |\n|---|---|\n"
    for why, names in nothing:
        text += f"| {', '.join(f'`{n}`' for n in names)} | {why} |\n"
    path = os.path.join(root, PAGE)
    if "--update" in sys.argv:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    elif not os.path.exists(path) or tree.text(root, PAGE) != text:
        problems.append(f"{PAGE} is not what {TABLE} says: synchronisation.py {root} --update")
    tree.finish(problems, f"{len(listed)} functions")


main()
