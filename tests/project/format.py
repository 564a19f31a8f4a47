# SPDX-License-Identifier: MIT
"""C and C++ files look as clang-format would write them."""
import re
import shutil
import subprocess
import sys

import tree

FOLDERS = ("include/", "src/", "tests/", "bench/", "examples/")


def main():
    root = tree.root_argument()
    tool = shutil.which("clang-format")
    version = re.search(r"version (\d+)", subprocess.getoutput(f"{tool} --version")) if tool else None
    if not version or int(version[1]) < 14:
        print("clang-format 14 or newer is not there")
        sys.exit(tree.SKIP)
    names = [n for n in tree.files(root)
             if n.startswith(FOLDERS) and re.search(r"\.(c|h|cc|cpp)$", n)]
    result = subprocess.run([tool, "--dry-run", "-Werror", "--style=file"] + names, cwd=root,
                            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            check=False)
    bad = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", result.stdout, re.M)))
    problems = [f"{n}: clang-format -i {n}" for n in bad]
    if result.returncode != 0 and not bad:
        problems = [result.stdout]
    tree.finish(problems, f"format of {len(names)} files")


main()
