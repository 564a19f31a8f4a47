# SPDX-License-Identifier: MIT
"""The programs of this folder, by what their leading comments say.

TYPE:    the type of the bug: atomicity, order, race or deadlock
FINDS:   the kinds of findings that are the bug, with |
INPUTS:  two arguments; what is learned from the first is used for the second
SIZES:   arguments that get a row each; without them the program runs once, without arguments
"""
import dataclasses
import os
import re

FOLDER = os.path.dirname(os.path.abspath(__file__))
TYPES = ("atomicity", "order", "race", "deadlock")


@dataclasses.dataclass
class Program:
    name: str
    path: str
    type: str
    finds: list
    inputs: list
    sizes: list  # [None] when there is one size only


def read(path):
    with open(path, encoding="utf-8") as f:
        head = dict(re.findall(r"^ \* (BUG|TYPE|FINDS|INPUTS|SIZES): (.*)$", f.read(), re.M))
    return Program(name=os.path.splitext(os.path.basename(path))[0], path=path, type=head["TYPE"],
                   finds=head["FINDS"].split("|"), inputs=head["INPUTS"].split(),
                   sizes=head.get("SIZES", "").split() or [None])


def all_of():
    """Every program: those with sizes first, then by name."""
    names = sorted(n for n in os.listdir(FOLDER) if n.endswith(".c"))
    known = [read(os.path.join(FOLDER, n)) for n in names]
    return sorted(known, key=lambda p: p.sizes == [None])
