# SPDX-License-Identifier: MIT
"""The programs of the scoreboard have the bugs that they claim, with as many preemptions, and its
script makes both tables.

A bug is looked for with a fixed seed and far more executions than it takes; SafeStack's takes
hundreds of thousands and is left to the scoreboard itself.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT, BUILD = sys.argv[1:]
FOLDER = os.path.join(ROOT, "bench", "scoreboard")
sys.path.insert(0, FOLDER)

import programs  # noqa: E402

PLAIT = os.path.join(os.path.abspath(BUILD), "bin", "plait")
LONG = ("safestack",)


def problems_of_head(p):
    if p.kind not in ("bug", "growing"):
        yield f"{p.name}: unknown kind '{p.kind}'"
    if p.kind == "bug" and not p.finds:
        yield f"{p.name}: nothing to find"
    if p.finds and (p.preemptions is None or not p.order):
        yield f"{p.name}: has a bug without PREEMPTIONS or ORDER"
    if p.kind == "growing" and not p.classes:
        yield f"{p.name}: grows, but no number of classes is known"
    for word in {w for pair in p.order for w in pair} - set(p.lines):
        yield f"{p.name}: no line is marked {word}"


def campaign(work, p, compiler, define, options):
    exe, result = os.path.join(work, "prog"), os.path.join(work, "result.json")
    subprocess.run([PLAIT, "cc", "-std=gnu17", "-O1", "-g", "-Wall", "-Wextra", "-Werror",
                    "-pthread", *define, "-o", exe, p.name + ".c"],
                   check=True, cwd=FOLDER, env=dict(os.environ, PLAIT_CC=compiler))
    subprocess.run([PLAIT, "test", "-q", *options, "--json", result,
                    "-o", os.path.join(work, "out"), "--", exe],
                   check=False, stdout=subprocess.DEVNULL)
    with open(result, encoding="utf-8") as f:
        return json.load(f)


def lines_shown(work, finding, name):
    """The lines of the program in the order of the events of a finding's schedule."""
    shown = subprocess.run([PLAIT, "show", "--all", finding["schedule"]], cwd=work, check=True,
                           text=True, stdout=subprocess.PIPE).stdout
    return [int(n) for n in re.findall(r"^ *\d+ .*?\b%s\.c:(\d+)" % name, shown, re.M)]


def problems_of_order(p, lines):
    """Of each pair some first line must come before some second one, or the second never."""
    for first, second in p.order:
        before = [i for i, n in enumerate(lines) if n in p.lines[first]]
        after = [i for i, n in enumerate(lines) if n in p.lines[second]]
        if not before or (after and min(before) > max(after)):
            yield f"{p.name}: it fails without {first} before {second}"


def problems_of_minimum(p, finding):
    """What is proven must be what the program claims, and nothing may be less."""
    n, word = finding["preemptions"], finding["minimal"]
    if n < p.preemptions or (word == "proven" and n != p.preemptions):
        yield f"{p.name}: {n} preemptions, {word}, instead of {p.preemptions}"


def problems_of_runs(work, p, compiler):
    found = campaign(work, p, compiler, [], ["-s", "random", "-n", "20000"])["findings"]
    kinds = {f["kind"] for f in found}
    if p.name not in LONG and kinds != set(p.finds):
        yield f"{p.name}, {compiler}: found {kinds or 'nothing'} instead of {p.finds or 'nothing'}"
    for finding in found:
        yield from problems_of_order(p, lines_shown(work, finding, p.name))
        yield from problems_of_minimum(p, finding)
    if p.has_fixed:
        fixed = campaign(work, p, compiler, ["-DFIXED"], ["-s", "random", "-n", "2000"])
        if fixed["findings"]:
            yield f"{p.name}, {compiler}: with -DFIXED it still fails"


def problems_of_script(work):
    result = os.path.join(work, "scoreboard.json")
    done = subprocess.run(
        [sys.executable, "-B", os.path.join(FOLDER, "run.py"), BUILD, "--short", "--seeds", "2",
         "--schedules", "300", "--seconds", "20", "--strategies", "random,dfs,nonsense:1", "--only",
         "account,deadlock01,philosophers", "--json", result],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    with open(result, encoding="utf-8") as f:
        doc = json.load(f)
    if "nonsense:1: plait has no such strategy" not in done.stderr or \
            doc["strategies"] != ["random", "dfs"]:
        yield "a strategy that plait does not have is not left out with a line"
    rows = {r["program"]: r for r in doc["bugs"]}
    if sorted(rows) != ["account", "deadlock01"]:
        yield f"rows for {sorted(rows)}"
    if len(rows["account"]["plait"]["random"]["found"]) != 2 or \
            rows["account"]["published"] != [1, 1, 6, 10, 4]:
        yield f"account is {rows['account']}"
    if rows["deadlock01"]["plait"]["dfs"]["found"] == [None]:
        yield "dfs does not find the deadlock"
    first = doc["classes"][0]
    if (first["program"], first["size"], first["classes"]) != ("philosophers", 2, 3):
        yield f"the first row of classes is {first}"
    for word in ("account", "philosophers 2", "Schedules to the first bug", "All classes"):
        if word not in done.stdout:
            yield f"the tables lack '{word}'"


def main():
    known = programs.all_of()
    problems = [text for p in known.values() for text in problems_of_head(p)]
    with open(os.path.join(FOLDER, "published.json"), encoding="utf-8") as f:
        for row in json.load(f)["rows"]:
            p = known.get(row["program"])
            if p is None or row.get("size") not in p.sizes:
                problems.append(f"published, but not here: {row}")
    with tempfile.TemporaryDirectory(prefix="plait-scoreboard-") as work:
        for i, p in enumerate(known.values()):
            problems += problems_of_runs(work, p, ("gcc", "clang")[i % 2])
        problems += problems_of_script(work)
    print("\n".join(problems + [f"{len(known)} programs, {len(problems)} problems"]))
    sys.exit(1 if problems else 0)


main()
