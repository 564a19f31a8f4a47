# SPDX-License-Identifier: MIT
"""Looks at the object files of the runtime: which calls which, room by room.

Includes cannot show everything: the runtime defines functions of libc, so whoever calls one of
those by its name calls upwards, into the room that interposes it.  The real one is in real.h.
"""
import os
import re
import subprocess
import sys

import tree


def objects(build):
    """Source file below src/ -> its object file."""
    found = {}
    for folder, _, names in os.walk(os.path.join(build, "src", "runtime")):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), os.path.join(build, "src"))
            parts = re.match(r"(.*)/CMakeFiles/[^/]+\.dir/(.*)\.o$", path)
            if parts:
                found[os.path.normpath(os.path.join(parts[1], parts[2].replace("__", "..")))] = \
                    os.path.join(folder, name)
    return found


def main():
    root = tree.root_argument()
    table = tree.rooms(root)
    defined, wanted = {}, {}
    for source, path in sorted(objects(sys.argv[2]).items()):
        output = subprocess.run(["nm", "--format=posix", path], text=True, stdout=subprocess.PIPE,
                                check=True).stdout
        for line in output.splitlines():
            name, kind = line.split()[:2]
            if kind == "U":
                wanted.setdefault(source, []).append(name)
            elif kind.isupper():
                defined[name] = source
    if len(wanted) < 50:
        sys.exit("there are no object files of the runtime in " + sys.argv[2])
    problems = []
    for source, names in wanted.items():
        room = os.path.dirname(source)
        for name in names:
            other = os.path.dirname(defined.get(name, source))
            # What others declare and the runtime defines (host.h, the table of strategies) is meant so.
            declared = name.startswith("pl_") and not source.startswith("runtime/")
            if other.startswith("runtime/") and other != room and not declared and \
                    not tree.may(table[room], other + "/"):
                problems.append(f"{source}: calls {name}() of {defined[name]}")
    tree.finish(problems, f"calls of {len(wanted)} object files")


main()
