# SPDX-License-Identifier: MIT
"""What comments and documents refer to exists.

A file's name (`path.h`, runtime/core/sched.c) must be the end of a path of the tree, a name that
begins with pl_ or PL_ must occur in code, and a link in Markdown must lead to a file.  Documents
are looked at within backticks and links, sources within comments.  NAME, FILE and the like in
capitals stand for any name; single letters (a.c) are examples.
"""
import os
import re

import tree

SOURCE = re.compile(r"\.(c|h|S|def)$")
SCRIPT = re.compile(r"\.(py|sh|map|txt|cmake)$")
FILE = re.compile(r"(?<![\w./<*-])[\w./-]*\w\.(?:c|h|S|def|py|sh|md)\b(?!\.\w|[\w>*(]|:\d)")
NAME = re.compile(r"\bpl_\w+|\bPL_\w+")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
TOKEN = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
PLACEHOLDER = re.compile(r"NAME|FILE|_VERB|_X\b|_X_|_ONE$|_name$|_$")


def comments(text):
    """Each comment of a source, with its offset."""
    return [(m.start(), m[0]) for m in TOKEN.finditer(text) if m[0].startswith("/*")]


def without_comments(text):
    return TOKEN.sub(lambda m: " " if m[0].startswith("/*") else m[0], text)


def quoted(text):
    """What stands in backticks in a document, with its offset; listings are left out."""
    plain = re.sub(r"^```.*?^```", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.M | re.S)
    return [(m.start(), m[1]) for m in re.finditer(r"`([^`\n]+)`", plain)]


def file_exists(name, known):
    stem = os.path.basename(name).rsplit(".", 1)[0]
    return len(stem) == 1 or PLACEHOLDER.search(name) is not None or name.lstrip("./") in known


def look(where, text, pieces, known, names):
    """Problems of one file; known: ends of paths, names: identifiers of the code."""
    problems = []
    for start, piece in pieces:
        line = text.count("\n", 0, start) + 1
        for m in FILE.finditer(piece):
            if not file_exists(m[0], known):
                problems.append(f"{where}:{line}: there is no file {m[0]}")
        for m in NAME.finditer(piece):
            if m[0] not in names and not PLACEHOLDER.search(m[0]):
                problems.append(f"{where}:{line}: there is no {m[0]}")
    return problems


def links(root, where, text):
    folder = os.path.dirname(os.path.join(root, where))
    return [f"{where}: there is no {m[1]} to link to" for m in LINK.finditer(text)
            if not os.path.exists(os.path.join(folder, m[1]))]


def try_itself():
    """The check finds what is wrong, and only that."""
    text = "/* See gone.c, pl_gone() and core/gone.h.  Here.c:1, <a/b.h>, here.c, pl_here exist. */"
    found = look("x", text, comments(text), {"here.c"}, {"pl_here"})
    assert len(found) == 3, found
    text = "`gone.c` and `pl_gone()` and `core/here.c`, but `here.c` and gone.c"
    found = look("x", text, quoted(text), {"here.c"}, {"pl_here"})
    assert len(found) == 3, found
    assert len(links("/nowhere", "x.md", "[a](gone.md) [b](https://example.org/x.md)")) == 1


def main():
    try_itself()
    root = tree.root_argument()
    files = tree.files(root)
    known, names = set(), set()
    for name in files:
        parts = name.split("/")
        known.update("/".join(parts[i:]) for i in range(len(parts)))
        if SOURCE.search(name):
            names.update(re.findall(r"\w+", without_comments(tree.text(root, name))))
        elif SCRIPT.search(name):
            names.update(re.findall(r"\w+", tree.text(root, name)))
    problems, looked = [], 0
    for name in files:
        if name.endswith(".md") and name != "CHANGELOG.md":
            text = tree.text(root, name)
            problems += look(name, text, quoted(text), known, names) + links(root, name, text)
        elif SOURCE.search(name) and name.startswith(("src/", "include/", "tests/unit/")):
            text = tree.text(root, name)
            problems += look(name, text, comments(text), known, names)
        else:
            continue
        looked += 1
    tree.finish(problems, f"references in {looked} files")


main()
