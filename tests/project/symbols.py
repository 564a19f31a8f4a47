# SPDX-License-Identifier: MIT
"""Looks at what libplait.so gives to the program and takes from libc.

usage: symbols.py ROOT BUILD [--update]

Exported are functions that plait interposes, listed in allowed_exports.txt, and names that begin
with plait_.  Imported are the names of allowed_imports.txt: the runtime stands inside the program
under test, so each libc function that it relies on wants a second thought.  --update writes
allowed_imports.txt anew; look at the difference.
"""
import os
import subprocess
import sys

import tree

HERE = os.path.dirname(os.path.abspath(__file__))
IMPORTS = os.path.join(HERE, "allowed_imports.txt")
HEAD = """# What libplait.so may take from other libraries, a name a line.
# Written by tests/project/symbols.py --update.
"""


def symbols(library, *options):
    output = subprocess.run(["nm", "-D", "--format=posix", *options, library], text=True,
                            stdout=subprocess.PIPE, check=True).stdout
    return {line.split()[0].split("@")[0] for line in output.splitlines()}


def allowed(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as f:
        lines = (line.split("#")[0].split() for line in f)
        return {word for words in lines for word in words}


def main():
    build = os.path.abspath(sys.argv[2])
    library = os.path.join(build, "lib", "plait", "libplait.so")
    exports = symbols(library, "--defined-only")
    imports = symbols(library, "--undefined-only")
    if "--update" in sys.argv:
        with open(IMPORTS, "w", encoding="utf-8") as f:
            f.write(HEAD + "".join(f"{name}\n" for name in sorted(imports)))
        return
    may_export = allowed(os.path.join(HERE, "allowed_exports.txt"))
    may_import = allowed(IMPORTS)
    problems = [f"exports {name}" for name in sorted(exports - may_export)
                if not name.startswith("plait_")]
    if may_import is None:
        problems.append("allowed_imports.txt is missing: symbols.py ROOT BUILD --update writes it")
    else:
        problems += [f"imports {name}" for name in sorted(imports - may_import)]
        problems += [f"allowed_imports.txt lists {name}, which nobody imports"
                     for name in sorted(may_import - imports)]
    tree.finish(problems, f"{len(exports)} exported and {len(imports)} imported names")


main()
