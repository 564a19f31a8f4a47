# SPDX-License-Identifier: MIT
"""`make bench`: one run, one table, one JSON file.  run.sh has the usage."""
import argparse
import os
import subprocess
import sys
import tempfile

import growth
import measure
import native
import report
import speed

PARTS = (speed.executions, speed.costs, speed.jobs, native.slow_down, growth.long_campaign)


def read_arguments():
    parser = argparse.ArgumentParser(prog="bench/run.sh")
    parser.add_argument("build", nargs="?", default="build", help="the build folder")
    parser.add_argument("--short", action="store_const", dest="mode", const="short",
                        default="full", help="two minutes at most")
    parser.add_argument("--smoke", action="store_const", dest="mode", const="smoke",
                        help="every row, but no figure that means anything")
    parser.add_argument("--json", metavar="FILE", help="(default BUILD/bench.json)")
    parser.add_argument("--update-docs", action="store_true",
                        help="put the table into docs/performance.md")
    return parser.parse_args()


def take(bench):
    sections = []
    try:
        for part in PARTS:
            sections += part(bench)
    finally:
        bench.progress.wipe()
    return sections


def main():
    options = read_arguments()
    build = os.path.abspath(options.build)
    with tempfile.TemporaryDirectory(prefix="plait-bench-") as work:
        bench = measure.Bench(build, work, measure.MODES[options.mode])
        try:
            sections = take(bench)
        except (OSError, RuntimeError, subprocess.CalledProcessError) as problem:
            sys.exit(f"bench: {problem}")
    doc = report.document(options.mode, sections)
    report.print_table(doc, sections)
    report.write_json(options.json or os.path.join(build, "bench.json"), doc)
    if options.update_docs:
        docs = os.path.join(bench.source, "..", "docs", "performance.md")
        report.update_docs(docs, doc, sections)


main()
