#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: bench/noise/overhead.py BUILD [--turns N] [--update-docs]

What the free carrier costs without noise, with coverage on, beside a plain build and ThreadSanitizer:
in code that does little but load and store, and in code with short critical sections.  The forms take
turns; a figure is the median over the turns of the ratio to the plain build of the same turn, of wall and of
processor time from the first thread to the end.  The limits are for both; a miss of wall time alone, on a machine
that does other things, says little.  Writes BUILD/noise-overhead.json; exits with 1 when a limit is missed.
"""
import argparse
import os
import statistics
import sys
import tempfile

import common
from common import report

LEVELS = ("none", "light", "full")
BATCH = 2  # executions of each form in a turn; the shortest counts, since others only make it longer
HANG = 60  # seconds; nothing takes that long
ROUNDS = {"access_heavy": 200, "lock_heavy": 100}
TITLES = {"access_heavy": "loads and stores", "lock_heavy": "critical sections"}
LOCK_LIMIT = 1.10  # of the plain build


def forms_of(tool, watch, name, rounds):
    source = os.path.join(common.FOLDER, name + ".c")

    def program(form):
        return [tool.build(source, form, watch.flags()), str(rounds)]

    def native(form):
        return lambda: [tool.native(program(form), watch.env, HANG) for _ in range(BATCH)]

    def free(form, level):
        options = ["-k", "-n", str(BATCH), "--hang-time", f"{HANG}s"]
        noise = f"none,record={level}"
        return lambda: tool.campaign(program(form), noise, options, watch.env)

    forms = {form: native(form) for form in ("plain", "plait", "tsan")}
    forms["preloaded"] = free("plain", "none")
    forms.update({level: free("plait", level) for level in LEVELS})
    return forms


def measure(tool, watch, name, options):
    """Per form the shortest wall and processor time of each turn."""
    forms = forms_of(tool, watch, name, ROUNDS[name] // options.divide)
    times = {form: [] for form in forms}
    for turn in range(options.turns):
        for form, batch in forms.items():
            batch()
            taken = watch.take()
            if len(taken) != BATCH:
                raise RuntimeError(f"{name}, {form}: {len(taken)} of {BATCH} executions ended")
            times[form].append(tuple(map(min, zip(*taken))))
        common.say(f"{name}, turn {turn + 1}: " +
                   " ".join(f"{f} {1e3 * t[-1][0]:.1f}" for f, t in times.items()) + " ms")
    return times


def ratios_of(times, which):
    """Per form the median ratio to the plain build; `which` is 0 for wall and 1 for processor time."""
    plain = [t[which] for t in times["plain"]]
    return {form: common.median_ratio([t[which] for t in taken], plain)
            for form, taken in times.items()}


FORMS = {"plain": "plain build, native", "plait": "instrumented build, native",
         "tsan": "ThreadSanitizer", "preloaded": "plain build, `none,record=none`",
         "none": "instrumented, `none,record=none`", "light": "instrumented, `none,record=light`",
         "full": "instrumented, `none,record=full`"}


def table_of(results):
    table = [["form", *(f"{TITLES[n]}, {t}" for n in results for t in ("wall", "processor"))]]
    for form, title in FORMS.items():
        cells = [title]
        for ratios in results.values():
            cells += [f"{ratios[which][form]:.2f}" for which in (0, 1)]
        table.append(cells)
    return table


def misses(results):
    said = []
    for which, kind in ((0, "wall"), (1, "processor")):
        access, lock = (results[n][which] for n in ("access_heavy", "lock_heavy"))
        if access["none"] > access["tsan"]:
            said.append(f"loads and stores, {kind}: {access['none']:.3f} is more than "
                        f"ThreadSanitizer's {access['tsan']:.3f}")
        if lock["none"] > LOCK_LIMIT:
            said.append(f"critical sections, {kind}: {lock['none']:.3f} is more than "
                        f"{LOCK_LIMIT:.2f}")
    return said


def parse():
    parser = argparse.ArgumentParser(description="What the free carrier costs.")
    parser.add_argument("build")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--divide", type=int, default=1, help="shorter programs by this factor")
    parser.add_argument("--update-docs", action="store_true")
    return parser.parse_args()


def main():
    options = parse()
    results, raw = {}, {}
    with tempfile.TemporaryDirectory(prefix="plait-noise-") as work:
        tool = common.Tool(options.build, work)
        watch = common.Stopwatch(tool)
        for name in ROUNDS:
            raw[name] = measure(tool, watch, name, options)
            results[name] = (ratios_of(raw[name], 0), ratios_of(raw[name], 1))
    table = table_of(results)
    print(report.aligned(table))
    plain = {n: statistics.median(t[0] for t in raw[n]["plain"]) for n in raw}
    common.report.write_json(os.path.join(options.build, "noise-overhead.json"),
                             {"turns": options.turns, "machine": common.report.machine(),
                              "plain_seconds": plain, "times": raw,
                              "ratios": {n: {"wall": w, "processor": p}
                                         for n, (w, p) in results.items()}})
    if options.update_docs:
        common.update_docs("overhead", f"{common.conditions()} {options.turns} turns.\n\n"
                           f"{report.markdown_table(table)}")
    problems = misses(results)
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
