# SPDX-License-Identifier: MIT
"""The programs of this folder, by what their leading comments say.

KIND:         bug or growing
FINDS:        the kinds of findings that are the bug, with |; none for a program without one
SIZES:        values of -DN, none when the program has one size
CLASSES:      N=NUMBER ..., the known numbers of classes
FIXED_CLASSES: the same with -DFIXED
BUDGET:       schedules that the search for the bug may take, when more than usual
PREEMPTIONS:  the fewest that show the bug
ORDER:        @a before @b [and @c before @d ...], what shows it; the words mark lines
"""
import collections
import dataclasses
import os
import re

FOLDER = os.path.dirname(os.path.abspath(__file__))
FIELDS = ("BUG", "KIND", "FINDS", "SIZES", "CLASSES", "FIXED_CLASSES", "BUDGET", "PREEMPTIONS",
          "ORDER")


@dataclasses.dataclass
class Program:
    name: str
    path: str
    kind: str
    finds: list
    sizes: list  # [None] when there is one size only
    classes: dict  # known number of classes by size
    fixed_classes: dict
    budget: int  # 0: as usual
    preemptions: int  # None without a bug
    order: list  # pairs of words
    lines: dict  # the lines that a word marks
    has_fixed: bool


def head_of(text):
    """The fields of the leading comment; a text may go on in the next lines."""
    fields, last = {}, None
    comment = text[text.index("/*", text.index("*/")):]
    for line in comment[:comment.index("*/")].splitlines():
        line = line.strip().lstrip("/*").strip()
        found = re.match(r"(%s):\s*(.*)" % "|".join(FIELDS), line)
        if found:
            last = found[1]
            fields[last] = found[2]
        elif last and line:
            fields[last] += " " + line
        else:
            last = None
    return fields


def marked_lines(text):
    """The numbers of the lines with a word in a comment after code."""
    found = collections.defaultdict(list)
    for number, line in enumerate(text.splitlines(), 1):
        for word in re.findall(r"@\w+", line) if re.search(r"\S.*/\*.*@", line) else []:
            found[word].append(number)
    return dict(found)


def pairs_of(order):
    return re.findall(r"(@\w+) before (@\w+)", order)


def numbers_of(text):
    return dict(map(int, c.split("=")) for c in text.split())


def read(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    head = head_of(text)
    code = text[text.index("#include"):]
    classes = numbers_of(head.get("CLASSES", ""))
    sizes = [int(s) for s in head.get("SIZES", "").split()] or sorted(classes) or [None]
    return Program(
        name=os.path.splitext(os.path.basename(path))[0], path=path, kind=head["KIND"],
        finds=[k for k in head.get("FINDS", "").split("|") if k], sizes=sizes, classes=classes,
        fixed_classes=numbers_of(head.get("FIXED_CLASSES", "")),
        budget=int(head.get("BUDGET", 0)),
        preemptions=int(head["PREEMPTIONS"]) if "PREEMPTIONS" in head else None,
        order=pairs_of(head.get("ORDER", "")),
        lines=marked_lines(text),
        has_fixed="FIXED" in code)


def all_of():
    """Every program, by name."""
    names = sorted(n for n in os.listdir(FOLDER) if n.endswith(".c"))
    return {p.name: p for p in (read(os.path.join(FOLDER, n)) for n in names)}
