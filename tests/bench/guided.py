# SPDX-License-Identifier: MIT
"""The programs for guided search say of themselves what they must, with both of their inputs they have
their bug and without it none, and the script makes its tables and judges them.

That each has its bug under every kind of search is what tests/programs/guided is for.
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT, BUILD = sys.argv[1:]
FOLDER = os.path.join(ROOT, "bench", "guided")
sys.path[:0] = [FOLDER, os.path.dirname(FOLDER)]

import programs  # noqa: E402
import tables  # noqa: E402

PLAIT = os.path.join(os.path.abspath(BUILD), "bin", "plait")
SCRIPT = os.path.join(FOLDER, "run.py")


def problems_of_head(p):
    if p.type not in programs.TYPES:
        yield f"{p.name}: unknown type '{p.type}'"
    if len(p.inputs) != 2 or p.inputs[0] == p.inputs[1]:
        yield f"{p.name}: inputs {p.inputs}"
    if not os.path.exists(os.path.join(ROOT, "tests", "programs", "guided", f"guided_{p.name}.c")):
        yield f"{p.name}: no test in tests/programs/guided"


def findings(work, p, size, define, executions):
    exe, result = os.path.join(work, "prog"), os.path.join(work, "result.json")
    subprocess.run([PLAIT, "cc", "-std=gnu17", "-O1", "-g", "-Wall", "-Wextra", "-Werror",
                    "-pthread", *define, "-o", exe, p.path], check=True)
    subprocess.run([PLAIT, "test", "-q", "-s", "random", "-n", executions, "--no-minimize", "--json",
                    result, "-o", os.path.join(work, "out"), "--", exe, size],
                   check=False, stdout=subprocess.DEVNULL)
    with open(result, encoding="utf-8") as f:
        return [f["kind"] for f in json.load(f)["findings"]]


def problems_of_inputs(work, p):
    for size in p.inputs:
        found = findings(work, p, size, [], "5000")
        if len(found) != 1 or found[0] not in p.finds:
            yield f"{p.name} {size}: found {found} instead of {p.finds}"
        found = findings(work, p, size, ["-DFIXED"], "500")
        if found:
            yield f"{p.name} {size}: with -DFIXED found {found}"


def problems_of_script(work):
    path = os.path.join(work, "guided.json")
    done = subprocess.run(
        [sys.executable, "-B", SCRIPT, BUILD, "--seconds", "600", "--executions", "300", "--only",
         "scan,load_script", "--strategies", "dpor;pcb:bound=0;nonsense", "--json", path],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    with open(path, encoding="utf-8") as f:
        doc = json.load(f)
    if "nonsense: plait has no such strategy" not in done.stderr or \
            doc["strategies"] != ["dpor", "pcb:bound=0"]:
        yield "a strategy that plait does not have is not left out with a line"
    cells = {r["program"]: r["cells"] for r in doc["rows"]}
    if not cells["load_script"]["dpor"]["found"] or not cells["scan"]["dpor"]["over"]:
        yield f"dpor should find the small bug, and not the large one in 300 executions: {cells}"
    bounded = cells["scan"]["pcb:bound=0"]
    if bounded["found"] or bounded["over"] or not 0 < bounded["pairs"]["covered"]:
        yield f"without preemptions there is no bug, and an end: {bounded}"
    for word in (">300", tables.NEVER, "Executions and time to the bug", "Pairs of statements"):
        if word not in done.stdout:
            yield f"the tables lack '{word}'"


def row_of(program, size, guided, dpor):
    """A row as if measured; executions that found nothing are negative."""
    cells = {n: {"found": e if e > 0 else None, "executions": abs(e), "over": e < 0}
             for n, e in (("hapset", guided), ("dpor", dpor))}
    return {"program": program, "size": size, "cells": cells}


def holding(rows):
    return [holds for _, holds in tables.claims(rows, "hapset")]


def problems_of_claims():
    """Each promise must be able to fail."""
    good = [row_of("pool", "2", 5, 500), row_of("pool", "4", 10, -1000)]
    if holding(good) != [True, True, True]:
        yield f"what holds is denied: {tables.claims(good, 'hapset')}"
    bad = [row_of("pool", "2", 5, 500), row_of("pool", "4", 11, 1000), row_of("scan", None, -9, 9)]
    if holding(bad) != [False, False, False]:
        yield f"what does not hold is claimed: {tables.claims(bad, 'hapset')}"
    same = [{"program": "a", "alone": {"found": 5}, "after": {"found": 5},
             "after_good": {"found": 6}},
            {"program": "b", "alone": {"found": 1}, "after": {"found": None},
             "after_good": {"found": None}}]
    if any(holds for _, holds in tables.reuse_claims(same)):
        yield "nothing was saved and a bug was lost, but that is not said"


def main():
    known = programs.all_of()
    problems = [text for p in known for text in problems_of_head(p)] + list(problems_of_claims())
    with tempfile.TemporaryDirectory(prefix="plait-guided-") as work:
        for p in known:
            problems += problems_of_inputs(work, p)
        problems += problems_of_script(work)
    print("\n".join(problems + [f"{len(known)} programs, {len(problems)} problems"]))
    sys.exit(1 if problems else 0)


main()
