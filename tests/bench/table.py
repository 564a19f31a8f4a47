# SPDX-License-Identifier: MIT
"""bench/run.sh works, and its JSON has all rows.  No figure is looked at: it has no time to be right."""
import json
import os
import subprocess
import sys
import tempfile

PROGRAMS = ("split", "operations", "heap64", "heap1", "setup")
WAYS = ("start", "rollback", "fork", "exec")
NATIVE = ("matrix", "sort", "chase", "calls", "locks", "atomics", "map")
OTHERS = ("loop.fork", "loop.fork64", "loop.fibers", "cost.switch", "cost.point.lock",
          "cost.point.atomic", "cost.point.plain", "cost.hook.private", "cost.hook.shared",
          "jobs.2", "growth.worker", "growth.tool", "growth.descriptors", "growth.rate")

# What the rows must be compared with: (row, a word of the ratio).
RATIOS = [(f"{p}.{w}", word) for p in PROGRAMS for w in WAYS[1:]
          for word in ("natively", "fork-wait")]
RATIOS += [("split.rollback", "fiber"), ("heap64.rollback", "1 MB")]


def native_rows(rows):
    """All programs with each compiler whose ThreadSanitizer works."""
    compilers = [c for c in ("gcc", "clang") if f"native.{c}.missing" not in rows]
    return [f"native.{c}.{n}" for c in compilers for n in NATIVE]


def problems_of(rows):
    native = native_rows(rows)
    expected = [f"{p}.{w}" for p in PROGRAMS for w in WAYS] + list(OTHERS) + native
    expected += [f"{id_}.tsan" for id_ in native]
    problems = [f"no row {id_}" for id_ in expected if id_ not in rows]
    for id_, word in RATIOS + [(id_, "ThreadSanitizer") for id_ in native]:
        if not any(word in r["to"] for r in rows.get(id_, {"ratios": []})["ratios"]):
            problems.append(f"{id_} is not compared with '{word}'")
    problems += [f"{r['id']} has neither value nor note" for r in rows.values()
                 if r["value"] is None and not r["note"]]
    return problems


def main():
    root, build = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        result = os.path.join(work, "bench.json")
        out = subprocess.run(["sh", os.path.join(root, "bench", "run.sh"), build, "--smoke",
                              "--json", result], text=True, stdout=subprocess.PIPE, check=True)
        with open(result, encoding="utf-8") as f:
            doc = json.load(f)
    rows = {r["id"]: r for s in doc["sections"] for r in s["rows"]}
    problems = problems_of(rows)
    problems += [f"the table lacks '{r['what']}'" for r in rows.values()
                 if r["what"] not in out.stdout]
    print("\n".join(problems + [f"{len(rows)} rows, {len(problems)} problems"]))
    sys.exit(1 if problems else 0)


main()
