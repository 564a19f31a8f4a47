# SPDX-License-Identifier: MIT
"""No file of the tree tells where it was written, and none puts work off."""
import os
import re

import tree

PUT_OFF = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X"]) + r")\b")


def places(root):
    """Folders of this machine that no file may name."""
    found = {root, os.path.realpath(root)}
    home = os.path.expanduser("~")
    if home != "/" and os.path.isabs(home):
        found.add(home.rstrip("/"))
    return found


def main():
    root = tree.root_argument()
    # A name in the middle of a longer path is another path.
    machine = re.compile(r"(?<![\w./-])(" + "|".join(re.escape(p) for p in sorted(places(root))) +
                         r"|/home/\w[\w.-]*|/Users/\w[\w.-]*)(?![\w.-])")
    problems = []
    names = tree.files(root)
    for name in names:
        for number, line in enumerate(tree.text(root, name).splitlines(), 1):
            hit = machine.search(line) or PUT_OFF.search(line)
            if hit:
                problems.append(f"{name}:{number}: '{hit[0]}' does not belong in the tree")
    tree.finish(problems, f"words of {len(names)} files")


main()
