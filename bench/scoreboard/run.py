#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: bench/scoreboard/run.py BUILD [--short] [--update-docs] [--strategies A,B] [--only P,Q]

Counts the schedules that each strategy takes to the first bug of each program, and those that an
exhaustive one takes for all classes of the programs that have none; prints both beside what is
published, and writes BUILD/scoreboard.json.  Fails when `auto` falls short of what is claimed of it.
"""
import argparse
import dataclasses
import json
import os
import statistics
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
sys.path[:0] = [FOLDER, os.path.dirname(FOLDER)]

import programs  # noqa: E402
import report  # noqa: E402

STRATEGIES = "dpor,pairs,hapset,rff,auto"
EXHAUSTIVE = ("dpor", "dfs")  # the first that plait has
SEEDLESS = (*EXHAUSTIVE, "hapset")  # their answer does not depend on the seed
CLAIMED = "auto"  # of which something is claimed; it alone gets programs with a larger budget
DOCS = os.path.join(ROOT, "docs", "scoreboard.md")
NEVER = "✗"


@dataclasses.dataclass
class Mode:
    name: str
    seeds: int
    schedules: int  # to find a bug; a program's BUDGET is in relation to 10,000
    seconds: int  # for one campaign


FULL = Mode("full", 20, 10000, 120)
SHORT = Mode("short", 5, 2000, 10)


def say(text):
    print(text, file=sys.stderr, flush=True)


class Board:
    """Compiles programs and runs campaigns."""

    def __init__(self, build, mode, work):
        self.plait = os.path.join(os.path.abspath(build), "bin", "plait")
        self.mode, self.work, self.built = mode, work, {}
        listed = subprocess.run([self.plait, "list", "strategies"], text=True, check=True,
                                stdout=subprocess.PIPE).stdout
        self.known = [line.split()[0] for line in listed.splitlines() if line.strip()]

    def has(self, strategy):
        return strategy.split(":")[0] in self.known

    def build(self, program, size, fixed):
        key = (program.name, size, fixed)
        if key not in self.built:
            out = os.path.join(self.work, f"{program.name}_{len(self.built)}")
            define = ["-DFIXED"] * fixed + ([] if size is None else [f"-DN={size}"])
            subprocess.run([self.plait, "cc", "-std=gnu17", "-O1", "-g", "-pthread", *define,
                            "-o", out, program.path], check=True)
            self.built[key] = out
        return self.built[key]

    def seconds(self, program):
        """For one campaign; more for a program with a larger budget."""
        return self.mode.seconds * (5 if program.budget else 1)

    def campaign(self, program, size, strategy, options, fixed=False):
        """The result of `plait test` as a dictionary."""
        result = os.path.join(self.work, "result.json")
        done = subprocess.run(
            [self.plait, "test", "-q", "-s", strategy, "-t", f"{self.seconds(program)}s",
             "--no-minimize", "--drive=0", *options, "--json", result, "-o", os.path.join(self.work, "out"),
             "--", self.build(program, size, fixed)],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{program.name}, {strategy}: exit status {done.returncode}\n"
                               f"{done.stderr}")
        with open(result, encoding="utf-8") as f:
            return json.load(f)


def budget_of(program, mode):
    return mode.schedules * max(program.budget, 10000) // 10000


def first_bug(board, program, size, strategy):
    """Per seed the execution that showed the bug, None where none did."""
    limit = budget_of(program, board.mode)
    seeds = 1 if strategy.split(":")[0] in SEEDLESS else board.mode.seeds
    found, seconds, executions = [], 0, 0
    for seed in range(1, seeds + 1):
        result = board.campaign(program, size, strategy, ["-n", str(limit), "--seed", str(seed)])
        at = [f["execution"] for f in result["findings"] if f["kind"] in program.finds]
        found.append(min(at) if at else None)
        seconds += result["seconds"]
        executions += result["executions"]
    return {"found": found, "seconds": seconds, "executions": executions}


def summary(found):
    """Median and worst; a median that is not there counts as later than all others."""
    ranked = sorted(f if f is not None else float("inf") for f in found)
    middle = statistics.median_low(ranked)
    return tuple(None if v == float("inf") else int(v) for v in (middle, ranked[-1]))


def bug_rows(board, strategies, published, only):
    known = programs.all_of()
    figures = {(r["program"], r.get("size")): r["figures"] for r in published["rows"]}
    rows = []
    for program in known.values():
        if program.kind != "bug" or (only and program.name not in only):
            continue
        if program.budget and board.mode.name == "short":
            say(f"{program.name}: left out, it takes too many schedules for the short mode")
            continue
        for size in program.sizes:
            row = {"program": program.name, "size": size, "plait": {},
                   "budget": budget_of(program, board.mode),
                   "published": figures.get((program.name, size))}
            for strategy in strategies:
                if program.budget and strategy != CLAIMED:
                    continue
                row["plait"][strategy] = first_bug(board, program, size, strategy)
                median, worst = summary(row["plait"][strategy]["found"])
                say(f"{name_of(row):22} {strategy:10} {text(median):>7} {text(worst):>7}")
            rows.append(row)
    return rows


def class_rows(board, only):
    """What an exhaustive strategy makes of the programs with known numbers of classes."""
    rows = []
    for program in programs.all_of().values():
        if only and program.name not in only:
            continue
        for fixed, known in ((False, program.classes), (True, program.fixed_classes)):
            for size, classes in sorted(known.items()):
                rows.append(class_row(board, program, size, fixed, classes))
                if not rows[-1]["complete"]:
                    break  # larger ones would take no less
    return rows


def class_row(board, program, size, fixed, classes):
    strategy = next(s for s in EXHAUSTIVE if board.has(s))
    result = board.campaign(program, size, strategy, ["-k"], fixed)
    row = {"program": program.name, "size": size, "fixed": fixed, "strategy": strategy,
           "classes_known": classes}
    row.update((k, result[k]) for k in ("classes", "executions", "complete", "seconds",
                                        "executions_per_second"))
    say(f"{name_of(row):22} {strategy:10} {row['executions']} executions, "
        f"{row['classes']} of {classes} classes")
    return row


def name_of(row):
    size = "" if row["size"] is None else f" {row['size']}"
    return row["program"].replace("_", " ") + size + (" fixed" if row.get("fixed") else "")


def text(value):
    return NEVER if value is None else f"{value:,}"


def cell(measured):
    """What one strategy took: the median, and the worst where there is more than one seed."""
    median, worst = summary(measured["found"])
    return text(median) if len(measured["found"]) == 1 else f"{text(median)} ({text(worst)})"


def best_of(row):
    """The best published figure, None when there is none."""
    return min((v for v in row["published"] or [] if v is not None), default=None)


def median_of(row):
    """Of the strategy of which something is claimed; None when it found nothing."""
    return summary(row["plait"][CLAIMED]["found"])[0]


def judged(row):
    return CLAIMED in row["plait"] and best_of(row) is not None


def verdict(row):
    """How the median compares with the best published figure."""
    if not judged(row):
        return "–"
    median, best = median_of(row), best_of(row)
    if median is None or median > 2 * best:
        return "more"
    return "best" if median <= best else "twice"


def grows(rows, name):
    """Whether the largest size takes more than twice what the smallest one does."""
    sizes = sorted((r for r in rows if r["program"] == name and judged(r)),
                   key=lambda r: r["size"])
    return median_of(sizes[-1]) is None or median_of(sizes[-1]) > 2 * median_of(sizes[0])


def claims(rows):
    """What is claimed of `auto`, each with whether it holds."""
    verdicts = [verdict(r) for r in rows if judged(r)]
    best, twice = verdicts.count("best"), verdicts.count("twice")
    yield (f"{CLAIMED}: {best} of {len(verdicts)} medians at most the best published figure "
           f"(three quarters are claimed)", 4 * best >= 3 * len(verdicts))
    yield (f"{CLAIMED}: {twice} of the others at most twice that, {len(verdicts) - best - twice} "
           f"above (none is claimed)", best + twice == len(verdicts))
    for name in ("reorder", "twostage"):
        if any(r["program"] == name and judged(r) for r in rows):
            yield f"{CLAIMED}: {name} does not grow with the number of threads", \
                not grows(rows, name)


def bug_table(rows, strategies, tools):
    yield ["program", *tools, *(f"plait {s}" for s in strategies), f"{CLAIMED} is"]
    for row in rows:
        published = ["–"] * len(tools)
        if row["published"]:
            published = [text(v) for v in row["published"]]
        yield [name_of(row), *published,
               *(cell(row["plait"][s]) if s in row["plait"] else "–" for s in strategies),
               verdict(row)]


def class_table(rows):
    yield ["program", "classes", "found", "executions", "time", "executions/s", "complete"]
    for row in rows:
        yield [name_of(row), text(row["classes_known"]), text(row["classes"]),
               text(row["executions"]), f"{row['seconds']:.2f} s",
               f"{row['executions_per_second']:,.0f}", "yes" if row["complete"] else "no"]


def update_docs(doc, tables):
    parts = [f"{report.headline(doc)}. Measured on {doc['date']}, {doc['mode']} mode: "
             f"{doc['seeds']} seeds, {doc['schedules']:,} schedules at most."]
    for title, table in tables:
        parts += [f"**{title}**", report.markdown_table(table)]
    report.put_between(DOCS, "scoreboard", "\n\n".join(parts))


def parse():
    parser = argparse.ArgumentParser(description="Run the scoreboard.")
    parser.add_argument("build")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--schedules", type=int, help="at most, to the first bug")
    parser.add_argument("--seconds", type=int, help="at most, for one campaign")
    parser.add_argument("--strategies", default=STRATEGIES)
    parser.add_argument("--only", default="", help="names of programs")
    parser.add_argument("--json")
    parser.add_argument("--update-docs", action="store_true")
    return parser.parse_args()


def mode_of(options):
    mode = SHORT if options.short else FULL
    return dataclasses.replace(mode, seeds=options.seeds or mode.seeds,
                               schedules=options.schedules or mode.schedules,
                               seconds=options.seconds or mode.seconds)


def strategies_of(board, wanted):
    """Those that plait has; a line for each of the others."""
    for strategy in wanted:
        if not board.has(strategy):
            say(f"{strategy}: plait has no such strategy, left out")
    return [s for s in wanted if board.has(s)]


def main():
    options = parse()
    mode = mode_of(options)
    only = [n for n in options.only.split(",") if n]
    with open(os.path.join(FOLDER, "published.json"), encoding="utf-8") as f:
        published = json.load(f)
    with tempfile.TemporaryDirectory(prefix="plait-scoreboard-") as work:
        board = Board(options.build, mode, work)
        strategies = strategies_of(board, options.strategies.split(","))
        bugs = bug_rows(board, strategies, published, only)
        classes = class_rows(board, only)
    doc = report.document(mode.name, [])
    del doc["sections"]
    doc.update(seeds=mode.seeds, schedules=mode.schedules, strategies=strategies,
               published=published, bugs=bugs, classes=classes)
    report.write_json(options.json or os.path.join(options.build, "scoreboard.json"), doc)
    tables = []
    if bugs:
        tables.append(("Schedules to the first bug: median (worst)",
                       list(bug_table(bugs, strategies, published["tools"]))))
    if classes:
        tables.append((f"All classes, by {classes[0]['strategy']}", list(class_table(classes))))
    for title, table in tables:
        print(f"\n{title}\n{report.aligned(table, right=True)}")
    claimed = list(claims(bugs)) if any(judged(row) for row in bugs) else []
    print()
    for claim, holds in claimed:
        print(f"{'holds' if holds else 'FAILS'}: {claim}")
    if options.update_docs:
        update_docs(doc, tables)
    # Few seeds say little about medians.
    sys.exit(0 if mode.name == "short" or all(holds for _, holds in claimed) else 1)


if __name__ == "__main__":
    main()
