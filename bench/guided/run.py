#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: bench/guided/run.py BUILD [--strategies A;B] [--executions N] [--seconds N] [--only P,Q]
                           [--reuse] [--update-docs] [--json FILE]

How many executions and how much time each strategy takes to the bug of each program, all with the
same budget, and how many ordered pairs of conflicting statements (M3) it has shown by then.  With
--reuse instead: how many it takes the guided strategy on a second input, without and with what it
has learned from a first one; from all of it, and from its good executions only.  Writes
BUILD/guided.json or BUILD/guided-reuse.json.

Exits with 1 when something that guidance promises does not hold.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
sys.path[:0] = [FOLDER, os.path.dirname(FOLDER)]

import programs  # noqa: E402
import report  # noqa: E402
import tables  # noqa: E402

GUIDED = "hapset"
STRATEGIES = (GUIDED, "dpor", "pcb:bound=0", "pcb:bound=1", "pcb:bound=2", "pcb:bound=3")
DOCS = os.path.join(ROOT, "docs", "guided-search.md")


def say(text):
    print(text, file=sys.stderr, flush=True)


class Tool:
    """A build of plait, a folder to work in, and what one cell of the table may cost."""

    def __init__(self, build, work, options):
        self.plait = os.path.join(os.path.abspath(build), "bin", "plait")
        self.work, self.options, self.built = work, options, {}
        listed = subprocess.run([self.plait, "list", "strategies"], text=True, check=True,
                                stdout=subprocess.PIPE).stdout
        self.known = [line.split()[0] for line in listed.splitlines() if line.strip()]

    def has(self, strategy):
        return strategy.split(":")[0] in self.known

    def build(self, program):
        if program.name not in self.built:
            out = os.path.join(self.work, program.name)
            subprocess.run([self.plait, "cc", "-std=gnu17", "-O1", "-g", "-pthread", "-o", out,
                            program.path], check=True)
            self.built[program.name] = out
        return self.built[program.name]

    def campaign(self, program, size, strategy, learned=None, out="out", executions=None):
        """What one campaign came to.  It knows of no other one, or only what was learned there."""
        folder, result = os.path.join(self.work, out), os.path.join(self.work, "result.json")
        shutil.rmtree(folder, ignore_errors=True)
        if os.path.exists(result):
            os.unlink(result)
        given = ["--coverage", learned] if learned else []
        done = subprocess.run(
            [self.plait, "test", "-q", "-s", strategy, "-n",
             str(executions or self.options.executions), "-t", f"{self.options.seconds}s", "--no-minimize", "--json", result, "-o", folder, *given,
             "--", self.build(program), *([size] if size else [])],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            check=False, cwd=self.work)
        if done.returncode not in (0, 1) or not os.path.exists(result):
            raise RuntimeError(f"{program.name}, {strategy}: exit status {done.returncode}\n"
                               f"{done.stderr}")
        with open(result, encoding="utf-8") as f:
            return cell_of(program, json.load(f), self.options)


def cell_of(program, result, options):
    """`found` is the execution that showed the bug; `over` says that the budget ended the search."""
    at = [f["execution"] for f in result["findings"] if f["kind"] in program.finds]
    over = result["executions"] >= options.executions or result["seconds"] >= options.seconds
    return {"found": min(at) if at else None, "over": not at and over,
            "other": [f["kind"] for f in result["findings"] if f["kind"] not in program.finds],
            **{k: result[k] for k in ("executions", "seconds", "classes", "complete")},
            "pairs": result["covered"]["m3"]}


def compare(tool, strategies, chosen):
    rows = []
    for program in chosen:
        for size in program.sizes:
            row = {"program": program.name, "size": size, "type": program.type, "cells": {}}
            for strategy in strategies:
                row["cells"][strategy] = tool.campaign(program, size, strategy)
                say(f"{tables.name_of(row):18} {strategy:12} "
                    f"{tables.taken(row['cells'][strategy])}")
            rows.append(row)
    return rows


def reuse(tool, chosen):
    """The guided strategy on a second input: alone, after a campaign on a first one, and after one
    that ended before its bug."""
    rows, learned = [], os.path.join(tool.work, "learned", "coverage.json")
    for program in chosen:
        first, second = program.inputs
        row = {"program": program.name, "size": None, "inputs": program.inputs}
        row["first"] = tool.campaign(program, first, GUIDED, out="learned")
        row["alone"] = tool.campaign(program, second, GUIDED)
        row["after"] = tool.campaign(program, second, GUIDED, learned=learned)
        tool.campaign(program, first, GUIDED, out="learned",
                      executions=(row["first"]["found"] or 2) - 1)
        row["after_good"] = tool.campaign(program, second, GUIDED, learned=learned)
        say(f"{program.name:18} " + ", ".join(f"{k} {tables.taken(row[k])}"
                                              for k in ("first", "alone", "after",
                                                        "after_good")))
        rows.append(row)
    return rows


def parse():
    parser = argparse.ArgumentParser(description="Compare guided search with what it is based on.")
    parser.add_argument("build")
    parser.add_argument("--strategies", default=";".join(STRATEGIES), help="separated by ;")
    parser.add_argument("--executions", type=int, default=1000000, help="at most, per cell")
    parser.add_argument("--seconds", type=int, default=20, help="at most, per cell")
    parser.add_argument("--only", default="", help="names of programs")
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("--update-docs", action="store_true")
    parser.add_argument("--json")
    return parser.parse_args()


def strategies_of(tool, wanted):
    """Those that plait has; a line for each of the others."""
    for strategy in wanted:
        if not tool.has(strategy):
            say(f"{strategy}: plait has no such strategy, left out")
    return [s for s in wanted if tool.has(s)]


def measured(tool, options, chosen):
    """The document's own part, its tables with their titles, and what was promised."""
    if options.reuse:
        rows = reuse(tool, chosen)
        shown = [("Executions on a second input", list(tables.reuse_table(rows)))]
        return {"rows": rows}, shown, tables.reuse_claims(rows)
    strategies = strategies_of(tool, options.strategies.split(";"))
    rows = compare(tool, strategies, chosen)
    shown = [("Executions and time to the bug", list(tables.bug_table(rows, strategies))),
             ("Pairs of statements shown, of those known (M3)",
              list(tables.pair_table(rows, strategies)))]
    claims = tables.claims(rows, GUIDED) if GUIDED in strategies else []
    return {"strategies": strategies, "rows": rows}, shown, claims


def main():
    options = parse()
    only = [n for n in options.only.split(",") if n]
    chosen = [p for p in programs.all_of() if not only or p.name in only]
    with tempfile.TemporaryDirectory(prefix="plait-guided-") as work:
        tool = Tool(options.build, work, options)
        if options.reuse and not tool.has(GUIDED):
            sys.exit(f"plait has no strategy {GUIDED}")
        part, shown, claims = measured(tool, options, chosen)
    doc = report.document("full", [])
    del doc["sections"], doc["mode"]
    doc.update(executions=options.executions, seconds=options.seconds, **part,
               claims=[{"what": what, "holds": holds} for what, holds in claims])
    name = "guided-reuse" if options.reuse else "guided"
    report.write_json(options.json or os.path.join(options.build, name + ".json"), doc)
    print(tables.plain(shown, claims))
    if options.update_docs:
        report.put_between(DOCS, name, tables.page(report.headline(doc), doc, shown, claims))
    sys.exit(0 if all(holds for _, holds in claims) else 1)


if __name__ == "__main__":
    main()
