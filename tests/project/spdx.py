# SPDX-License-Identifier: MIT
"""Every source file names its licence once, in one of its first three lines."""
import re

import tree

SOURCE = re.compile(r"(\.(c|h|cc|cpp|hpp|S|def|inc|py|sh|cmake|map|css|js|bash|fish|[1-9]))$"
                    r"|(^|/)(CMakeLists\.txt|Makefile|_plait)$|^tools/setup$|^\.ci/run$|\.pc\.in$")
MARK = "SPDX-License" + "-Identifier: MIT"


def main():
    root = tree.root_argument()
    problems = []
    sources = [n for n in tree.files(root) if SOURCE.search(n)]
    for name in sources:
        lines = tree.text(root, name).splitlines()
        if sum(MARK in line for line in lines) != 1:
            problems.append(f"{name}: must have exactly one line with '{MARK}'")
        elif not any(MARK in line for line in lines[:3]):
            problems.append(f"{name}: the licence must be in the first three lines")
    tree.finish(problems, f"licence lines of {len(sources)} files")


main()
