# SPDX-License-Identifier: MIT
"""What the tables of src/model list is in a manual page, and what can be tested is in a test.

A finding counts as one that can be tested when some source file outside src/model reports it.
"""
import re

import tree


def rows(root, name, pattern):
    found = re.findall(pattern, tree.text(root, f"src/model/{name}"), re.M)
    assert found, f"src/model/{name} has no rows that this check can read"
    return found


def main():
    root = tree.root_argument()
    names = tree.files(root)
    pages = "\n".join(tree.text(root, n) for n in names if n.startswith("docs/man/"))
    tests = "\n".join(tree.text(root, n) for n in names
                      if n.startswith("tests/") and n != "tests/project/tables.py")
    sources = "\n".join(tree.text(root, n) for n in names
                        if re.match(r"src/(?!model/).*\.[ch]$", n))
    problems = []

    def in_page(what, pattern):
        if not re.search(pattern, pages, re.M):
            problems.append(f"{what} is in no manual page")

    def in_test(what, pattern):
        if not re.search(pattern, tests):
            problems.append(f"{what} is in no test")

    checked = 0
    for name, in rows_of_one(root, "options.def", r'^PL_OPTION\(\w+, "([^"]+)"'):
        in_page(f"option --{name}", rf"^\.It .*Fl -{re.escape(name)}(\s|$)")
        in_test(f"option --{name}", rf"--{re.escape(name)}(?![\w-])")
        checked += 1
    for name, in rows_of_one(root, "strategies.def", r"^PL_STRATEGY\((\w+),"):
        in_page(f"strategy {name}", rf"^\.It Cm {name}$")
        in_test(f"strategy {name}", rf"\b{name}\b")
        checked += 1
    for name, in rows_of_one(root, "detectors.def", r'^PL_DETECTOR\(\w+, "([^"]+)"'):
        in_page(f"detector {name}", rf"^\.It Cm {name}$")
        in_test(f"detector {name}", rf"(?<![\w-])-?{name}(?![\w-])")
        checked += 1
    for symbol, name in rows(root, "finding.def", r'^PL_FINDING\((\w+), "([^"]+)"'):
        in_page(f"finding {name}", rf"^\.(It )?Cm {name}( \.)?$")
        if symbol != "NONE" and re.search(rf"\bPL_FINDING_{symbol}\b", sources):
            in_test(f"finding {name}", rf"(?<![\w-]){name}(?![\w-])")
        checked += 1
    for name, in rows_of_one(root, "operation.def", r'^PL_OP\(\w+, "([^"]+)"'):
        in_page(f"operation {name}", rf"^\.It Cm {re.escape(name)}$")
        checked += 1
    for table in ("src/model/result.def", "src/result/finding.def"):
        for key in keys(tree.text(root, table)):
            in_page(f"member {key} of JSON", rf"^\.(It )?Li (.*[ ,])?{key}([ ,]|$)")
            checked += 1
    tree.finish(problems, f"{checked} rows of tables")


def keys(table):
    """The keys of a table's rows, without the object around them."""
    rows_with_key = re.findall(r'^PL_(?:RESULT|OF)_\w+\([^"]*"([\w.]+)"', table, re.M)
    assert rows_with_key, "a table of results has no keys that this check can read"
    return sorted({key.split(".")[-1] for key in rows_with_key})


def rows_of_one(root, name, pattern):
    return [(row,) for row in rows(root, name, pattern)]


main()
