# SPDX-License-Identifier: MIT
"""docs/functions.md is what functions.def and streams.def of src/runtime/system say; each row holds.

usage: functions.py ROOT [BUILD] [--update]

What is written by hand must be in the file that the row names.  The last column names the
programs of tests/programs/libc that call the function, each in a case of its own, and the one of
tests/programs/streams that has a case of its name; each row must have one.  --update writes the page anew.
"""
import os
import re
import sys

import tree

TABLE = "src/runtime/system/functions.def"
STREAMS = "src/runtime/system/streams.def"
PAGE = "docs/functions.md"
TESTS = r"tests/programs/(libc/|streams/orders_)\w+\.c$"
HEAD = """# What functions of libc do to memory

libc is not instrumented. What these functions read and write for the program is announced by
libplait.so, so that it can be shared, raced for and be a point like any other access. Written by
`tests/project/functions.py --update` from `src/runtime/system/functions.def` and `streams.def`, which explain the
words: `READ`, `IN`, `TEXT`, `WIDE` and `UNTIL` are read, `WRITE`, `OUT` and, one character after the other, `PRINT` written, `UPDATE` and `CHANGE` both, each as a step of its own;
with `_AT` the function touches the memory itself, all at once;
`ALONE` goes on from there to memory that only libc knows, and who comes meanwhile makes the search incomplete; `STATE` and `STATE_OF` belong to libc, which has a lock for them: only the order matters; `HOLDS` is the same where the function makes system calls under that lock; `ENVIRONMENT` is looked at for a variable, `ZONE_AGAIN` and `ZONE_OF` look there for the time zone, which they may set; `fills` stores as much as
there is. The fortified forms (`__..._chk`) do the same.

Functions of stdio are operations on their stream, too: `output`, `uses the stream` and `looks at
the stream`, which changes nothing. Of libstdc++.so
those of `src/runtime/system/libstdcxx.def` are announced in the same way. Functions that are not
listed, and libraries without hooks, touch memory unseen.
"""


def rows(text):
    """(group, name, accesses, file) of each row of functions.def."""
    for line in text.splitlines():
        hand = re.match(r'PL_BY_HAND\((\w+), ([\w.]+), "([^"]*)", (.*)\)$', line)
        if hand:
            for name in hand[4].split(", "):
                yield hand[1], name, hand[3], hand[2]
        elif re.match(r"PL_(FUNCTION|SIMPLE|FINDS|GIVES|FILLS|SCATTERS)\(", line):
            fields = split(line[line.index("(") + 1:-1])
            accesses = f"`{fields[5]}`" if fields[5] else ""
            if line.startswith(("PL_FILLS", "PL_SCATTERS")):
                accesses += (", " if accesses else "") + f"fills `{fields[6]}`"
            yield fields[0], fields[2], accesses, "functions.def"


def stream_rows(text):
    """The same of each row of streams.def."""
    for line in text.splitlines():
        kind = re.match(r"PL_STREAM(_ONLY|_FILLS|_PRINTS)?\(", line)
        if not kind:
            continue
        fields = split(line[line.index("(") + 1:-1])
        if kind[1] == "_ONLY":
            fields.insert(0, "void")
        accesses = f"`{fields[-1]}`" if fields[-1] and kind[1] != "_FILLS" else ""
        if kind[1] == "_FILLS":
            accesses = f"fills `{fields[6]}`"
        use = "output" if kind[1] == "_PRINTS" else \
            "looks at the stream" if "LOOKS" in fields[5] else "uses the stream"
        yield "stdio", fields[1], use + (", " if accesses else "") + accesses, "functions.def"


def split(fields):
    """At commas that are in no parentheses."""
    result, depth = [""], 0
    for c in fields:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            result.append("")
        else:
            result[-1] += c
    return [f.strip() for f in result]


def page(root, problems):
    tests = {os.path.basename(n): tree.text(root, n) for n in tree.files(root)
             if re.match(TESTS, n)}
    sources = {os.path.basename(n): tree.text(root, n) for n in tree.files(root)
               if n.startswith("src/runtime/")}
    groups, seen = {}, set()
    for group, name, accesses, file in (*rows(tree.text(root, TABLE)),
                                        *stream_rows(tree.text(root, STREAMS))):
        if name in seen:
            problems.append(f"{name} has two rows")
        seen.add(name)
        if file != "functions.def" and not re.search(rf"\b{name}\b[,()]", sources.get(file, "")):
            problems.append(f"{name} is not in {file}")
        if name.startswith("__"):
            continue
        users = sorted(t for t, text in tests.items()
                       if re.search(rf"&order_{name}\b" if "order_" in text else rf"\b{name}\(", text))
        if not users and accesses != "`POINT`":  # which touches nothing: a place to be cancelled
            problems.append(f"{name}: no program shows both orders")
        groups.setdefault(group, []).append((name, accesses, ", ".join(users)))
    text = HEAD
    for group in sorted(groups):
        text += f"\n## {group}\n\n| function | accesses | shown by |\n|---|---|---|\n"
        for name, accesses, test in sorted(groups[group]):
            text += f"| `{name}` | {accesses.replace('|', chr(92) + '|')} | {test} |\n"
    return text, len(seen)


def main():
    root = tree.root_argument()
    problems = []
    text, n = page(root, problems)
    path = os.path.join(root, PAGE)
    if "--update" in sys.argv:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    elif not os.path.exists(path) or tree.text(root, PAGE) != text:
        problems.append(f"{PAGE} is not what {TABLE} says: functions.py {root} --update")
    tree.finish(problems, f"{n} functions")


main()
