# SPDX-License-Identifier: MIT
"""Checks every #include of src/ against the layers of ARCHITECTURE.md.

The table there is the one that is read: a row `| `src/NAME` | ... | may include |`.
"""
import re
import sys

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def layers(root):
    """Layer -> the layers and single files that it may include."""
    found = {}
    for line in tree.text(root, "ARCHITECTURE.md").splitlines():
        row = re.match(r"\|\s*`src/(\w+)`\s*\|.*\|([^|]*)\|\s*$", line)
        if row:
            found[row[1]] = set(re.findall(r"[\w./]+", row[2]))
    return found


def main():
    root = tree.root_argument()
    table = layers(root)
    if len(table) < 10:
        sys.exit("ARCHITECTURE.md has no table of layers that this check can read")
    problems = []
    checked = 0
    for name in tree.files(root):
        part = name.split("/")
        if part[0] != "src" or not re.search(r"\.(c|h|S|def|inc)$", name):
            continue
        checked += 1
        layer = part[1]
        if layer not in table:
            problems.append(f"{name}: src/{layer} is no layer of ARCHITECTURE.md")
            continue
        for target in INCLUDE.findall(tree.text(root, name)):
            other = target.split("/")[0] if "/" in target else None
            fine = other == layer or other in table[layer] or target in table[layer]
            if not fine:
                problems.append(f"{name}: may not include \"{target}\"")
    tree.finish(problems, f"includes of {checked} files")


main()
