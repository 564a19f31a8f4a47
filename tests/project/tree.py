# SPDX-License-Identifier: MIT
"""What the checks of this folder have in common: the files of the tree, and how to fail."""
import os
import re
import subprocess
import sys

SKIP = 77  # what CTest takes for "skipped"


def files(root):
    """Every file that belongs to the project, relative to its root, sorted."""
    git = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False) if has_git(root) else None
    if git is not None and git.returncode == 0:
        names = [n for n in git.stdout.decode().split("\0") if n]
    else:
        names = walk(root)
    return sorted(n for n in names if os.path.isfile(os.path.join(root, n)))


def has_git(root):
    if not os.path.exists(os.path.join(root, ".git")):
        return False
    return any(os.access(os.path.join(d, "git"), os.X_OK) for d in os.get_exec_path())


def walk(root):
    """The same without git: everything but build folders and results."""
    for folder, folders, names in os.walk(root):
        inside = os.path.relpath(folder, root)
        folders[:] = [f for f in folders
                      if f not in (".git", ".plait", "__pycache__") and
                      not (inside == "." and re.match(r"build(-|$)", f))]
        for name in names:
            yield os.path.normpath(os.path.join(inside, name))


def text(root, name):
    with open(os.path.join(root, name), encoding="utf-8", errors="replace") as f:
        return f.read()


def rooms(root):
    """Room of src/ -> the rooms and single files that it may include, by the table of ARCHITECTURE.md."""
    found = {}
    for line in text(root, "ARCHITECTURE.md").splitlines():
        row = re.match(r"\|\s*`src/([\w/]+)`\s*\|.*\|([^|]*)\|\s*$", line)
        if row:
            found[row[1]] = set(re.findall(r"[\w./]+", row[2]))
    return found


def may(allowed, target):
    return any(target == a or target.startswith(a + "/") for a in allowed)


def finish(problems, checked):
    """Print the problems and end; `checked` says what was looked at."""
    for problem in problems:
        print(problem)
    print(f"{checked}: {len(problems)} problem{'' if len(problems) == 1 else 's'}")
    sys.exit(1 if problems else 0)


def root_argument():
    return os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
