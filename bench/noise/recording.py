#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: bench/noise/recording.py BUILD [--turns N] [--only 1,2b] [--update-docs]

What recording costs in each experiment: the time from the first thread to the end, without noise, as a
multiple of the plain program's.  All forms take turns; each figure is the median of those executions
that came to their end.  Writes BUILD/noise-recording.json.
"""
import argparse
import os
import statistics
import tempfile

import common
from common import report

LEVELS = ("none", "light", "full")
BATCH = 20  # executions of each form in a turn


def forms_of(tool, watch, experiment):
    """Per form something to call that makes a batch of executions."""
    def native(form):
        program = [tool.example(experiment.program, form, watch.flags()), *experiment.arguments]
        return lambda: [tool.native(program, watch.env) for _ in range(BATCH)]

    def recorded(level):
        program = [tool.example(experiment.program, "plait", watch.flags()),
                   *experiment.arguments]
        noise = f"none,record={level}"
        return lambda: tool.campaign(program, noise, ["-k", "-n", str(BATCH)], watch.env)

    forms = {"plain": native("plain"), "instrumented": native("plait")}
    forms.update({level: recorded(level) for level in LEVELS})
    return forms


def measure(tool, watch, experiment, turns):
    forms = forms_of(tool, watch, experiment)
    times = {name: [] for name in forms}
    for _ in range(turns):
        for name, batch in forms.items():
            batch()
            times[name] += [wall for wall, _ in watch.take()]
    medians = {name: statistics.median(values) for name, values in times.items() if values}
    common.say(f"{experiment.number:3} " + " ".join(f"{n} {1e6 * m:.0f} us"
                                                    for n, m in medians.items()))
    return medians


def table_of(rows):
    forms = ["instrumented", *(f"record={level}" for level in LEVELS)]
    table = [["experiment", "plain", *forms]]
    for experiment, medians in rows:
        plain = medians["plain"]
        name = " ".join([experiment.number, f"`{experiment.program}.c`", *experiment.arguments])
        others = [medians.get(f) for f in ("instrumented", *LEVELS)]
        table.append([name, f"{1e6 * plain:.0f} µs",
                      *(f"{m / plain:.2f} x" if m else "–" for m in others)])
    return table


def parse():
    parser = argparse.ArgumentParser(description="What recording costs.")
    parser.add_argument("build")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--only", default="", help="numbers or names")
    parser.add_argument("--update-docs", action="store_true")
    return parser.parse_args()


def main():
    options = parse()
    with tempfile.TemporaryDirectory(prefix="plait-noise-") as work:
        tool = common.Tool(options.build, work)
        watch = common.Stopwatch(tool)
        rows = [(e, measure(tool, watch, e, options.turns)) for e in common.chosen(options.only)]
    table = table_of(rows)
    print(report.aligned(table))
    common.report.write_json(
        os.path.join(options.build, "noise-recording.json"),
        {"turns": options.turns, "batch": BATCH, "machine": common.report.machine(),
         "experiments": [{"number": e.number, "program": e.program, "seconds": m}
                         for e, m in rows]})
    if options.update_docs:
        common.update_docs("recording", f"{common.conditions()} {options.turns} turns of {BATCH} "
                           f"executions.\n\n{report.markdown_table(table)}")


if __name__ == "__main__":
    main()
