# SPDX-License-Identifier: MIT
"""Does what README.md says, in an empty folder, and compares what comes out.

usage: readme.py ROOT BUILD [--update]

A block after <!-- file: NAME --> is the content of a file.  In a `console` block, lines that begin
with `$ ` are run and the lines after them must be what they print; an ellipsis (...) stands for
anything within a line, and alone on a line for any number of lines.  --update replaces the shown output by the real one.
Numbers that change from machine to machine (times, rates, memory) are compared as if all were equal.
"""
import os
import re
import subprocess
import sys
import tempfile

import tree

BLOCK = re.compile(r"(?:<!-- file: (\S+) -->\n)?^```(\w*)\n(.*?)^```$", re.M | re.S)
VARIES = [
    (r"\d[\d,.]*( ?)(ns|us|µs|ms|s|seconds?|minutes?)\b", r"N\1\2"),
    (r"\d[\d,.]*( ?)(/s|per second|executions/s|executions per second)", r"N\1\2"),
    (r"\d[\d,.]*( ?)(kB|KB|KiB|MB|MiB)\b", r"N\1\2"),
]


def steady(line):
    for pattern, replacement in VARIES:
        line = re.sub(pattern, replacement, line)
    return line.rstrip()


def fits(shown, real):
    """Whether the lines shown are the lines printed, ellipses taken into account."""
    if not shown:
        return not real
    if shown[0].strip() == "...":
        return any(fits(shown[1:], real[i:]) for i in range(len(real) + 1))
    if not real:
        return False
    pattern = ".*".join(re.escape(part) for part in steady(shown[0]).split("..."))
    return re.fullmatch(pattern, steady(real[0])) is not None and fits(shown[1:], real[1:])


def run(command, folder, environment):
    result = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, timeout=600, check=False)
    return result.stdout.rstrip("\n").splitlines()


def steps(block):
    """The commands of a console block, each with the lines shown after it."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def strip_blank(lines):
    """Without empty lines at the end: they separate commands."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def main():
    root = tree.root_argument()
    build = os.path.abspath(sys.argv[2])
    update = "--update" in sys.argv
    readme = tree.text(root, "README.md")
    environment = dict(os.environ, PATH=f"{build}/bin:{os.environ['PATH']}", NO_COLOR="1", LC_ALL="C.UTF-8")
    problems = []
    commands = 0
    for wanted in ("make demo", "make test"):
        if wanted not in readme:
            problems.append(f"README.md does not mention `{wanted}`")
    with tempfile.TemporaryDirectory() as folder:
        updated = readme
        for match in BLOCK.finditer(readme):
            name, language, block = match.groups()
            if name:
                with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                    f.write(block)
            elif language == "console":
                text = []
                for command, shown in steps(block):
                    commands += 1
                    real = run(command, folder, environment)
                    text += [f"$ {command}"] + real
                    if not update and not fits(strip_blank(shown), strip_blank(real)):
                        problems.append(f"README.md shows other output of `{command}`:\n" +
                                        "\n".join(real))
                updated = updated.replace(match[0], match[0].replace(block, "\n".join(text) + "\n"))
    if update:
        with open(os.path.join(root, "README.md"), "w", encoding="utf-8") as f:
            f.write(updated)
    elif commands == 0:
        problems.append("README.md has no commands to run")
    tree.finish(problems, f"{commands} commands of README.md")


main()
