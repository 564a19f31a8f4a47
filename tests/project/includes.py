# SPDX-License-Identifier: MIT
"""Checks every #include of src/ against the rooms of ARCHITECTURE.md, and that no two rooms need each other.

The tables there are what is read: rows `| `src/ROOM` | ... | may include |`.  A room may include its own files and
what its row names: other rooms (with all that is below them) and single files.
"""
import os
import re
import sys

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def circle(graph):
    """Rooms that need each other, as a list that comes back to its beginning; None if there are none."""
    state, path = {}, []

    def visit(room):
        state[room] = "open"
        path.append(room)
        for other in sorted(graph.get(room, ())):
            if state.get(other) == "open":
                return path[path.index(other):] + [other]
            if other not in state:
                found = visit(other)
                if found:
                    return found
        path.pop()
        state[room] = "done"
        return None

    for room in sorted(graph):
        if room not in state:
            found = visit(room)
            if found:
                return found
    return None


def main():
    root = tree.root_argument()
    table = tree.rooms(root)
    if len(table) < 20:
        sys.exit("ARCHITECTURE.md has no table of rooms that this check can read")
    problems = []
    checked = 0
    graph = {}
    for name in tree.files(root):
        if not name.startswith("src/") or not re.search(r"\.(c|h|S|def|inc)$", name):
            continue
        checked += 1
        room = os.path.dirname(name)[4:]
        if room not in table:
            problems.append(f"{name}: src/{room} is no room of ARCHITECTURE.md")
            continue
        for target in INCLUDE.findall(tree.text(root, name)):
            other = os.path.dirname(target)
            if other != room and not tree.may(table[room], target):
                problems.append(f"{name}: may not include \"{target}\"")
            if other != room and other in table:
                graph.setdefault(room, set()).add(other)
    found = circle(graph)
    if found:
        problems.append("rooms that need each other: " + " -> ".join(found))
    tree.finish(problems, f"includes of {checked} files")


main()
