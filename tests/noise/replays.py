# SPDX-License-Identifier: MIT
"""usage: replays.py ROOT BUILD [--recordings N] [--replays N] [--only 1,2b] [--noise LIST] [--jobs N]
                  [--update-docs]

A failure that full recording has seen is the failure that is replayed: of each experiment some failing
executions are recorded, each with another seed, and every replay of each, on fibers and on OS
threads, must show the same finding without leaving the schedule.
"""
import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(ROOT, "bench", "noise"))

import common  # noqa: E402
from common import report  # noqa: E402

CARRIERS = ("fiber", "thread")
SAME = 1  # exit status of `plait replay`: the finding that was recorded
SEEDS = 40  # tried at most for each recording


def record(tool, experiment, options):
    """Schedules of failing executions, as many as asked for."""
    program = [tool.example(experiment.program), *experiment.arguments]
    found = []
    for seed in range(1, SEEDS * options.recordings + 1):
        result = tool.campaign(program, options.noise, ["-n", "1000", "--seed", str(seed)])
        for finding in result["findings"]:
            kept = os.path.join(tool.work, f"{experiment.number}-{len(found)}.plait")
            shutil.copy(os.path.join(tool.work, finding["schedule"]), kept)
            found.append((kept, finding["kind"]))
        if len(found) >= options.recordings:
            break
    return found[:options.recordings]


def replay(tool, schedule, carrier):
    done = subprocess.run([tool.plait, "replay", "--carrier", carrier, schedule], cwd=tool.work,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return done.returncode, done.stdout


def check(tool, experiment, options, table):
    """What went wrong with the replays of an experiment; adds a row to the table."""
    recordings = record(tool, experiment, options)
    if len(recordings) < options.recordings:
        yield f"experiment {experiment.number}: only {len(recordings)} failing executions"
    jobs = [(schedule, carrier) for schedule, _ in recordings for carrier in CARRIERS
            for _ in range(options.replays)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda job: replay(tool, *job), jobs))
    same = {carrier: 0 for carrier in CARRIERS}
    for (schedule, carrier), (status, printed) in zip(jobs, results):
        same[carrier] += status == SAME
        if status != SAME:
            yield (f"experiment {experiment.number}: exit status {status} on {carrier}, "
                   f"{os.path.basename(schedule)}\n{printed[-1500:]}")
    wanted = len(recordings) * options.replays
    table.append([" ".join([experiment.number, f"`{experiment.program}.c`", *experiment.arguments]),
                  str(len(recordings)), *(f"{same[c]:,} of {wanted:,}" for c in CARRIERS)])
    print(f"{experiment.number:3} {experiment.program:15} {len(recordings)} recordings, "
          + ", ".join(f"{same[c]} of {wanted} the same on {c}" for c in CARRIERS), flush=True)


def parse():
    parser = argparse.ArgumentParser(description="Replays of what was recorded under noise.")
    parser.add_argument("root")
    parser.add_argument("build")
    parser.add_argument("--recordings", type=int, default=5)
    parser.add_argument("--replays", type=int, default=5)
    parser.add_argument("--only", default="", help="numbers or names")
    parser.add_argument("--noise", default="mixed,record=full")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--update-docs", action="store_true")
    return parser.parse_args()


def main():
    options = parse()
    problems, table = 0, [["experiment", "recordings", "the same on fibers", "on OS threads"]]
    with tempfile.TemporaryDirectory(prefix="plait-replays-") as work:
        tool = common.Tool(options.build, work)
        for experiment in common.chosen(options.only):
            for problem in check(tool, experiment, options, table):
                problems += 1
                print(problem)
    if options.update_docs:
        common.update_docs("replays", f"`--noise {options.noise}`, {options.replays} replays of each "
                           f"recording.\n\n{report.markdown_table(table)}")
    print(f"{problems} problem{'' if problems == 1 else 's'}")
    sys.exit(1 if problems else 0)


main()
