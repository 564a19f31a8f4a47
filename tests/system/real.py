# SPDX-License-Identifier: MIT
"""real.py BUILD SOURCES --package NAME [--time SECONDS] [--keep FOLDER]: a whole program, built by plait, does a job.

It does it by the default strategy, with noise, and with the detector of races, for that long each; what it writes is
compared with what went in.  Prints a row of docs/real-programs.md for each.  Nothing must be found but races that are
known (docs/real-programs.md).  What plait said is kept in FOLDER.  Exits with 77 when sources or libraries cannot be
had.  A new program is a row of real_programs.py.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import packages
from real_programs import PROGRAMS

JOBS = pathlib.Path(packages.HERE) / "jobs"
NOTHING_ENDED = 4
PATIENT = 8  # times as long for a job of which nothing came to its end
WAYS = {"default": [], "noise": ["-s", "noise"], "default, +race": ["--detect", "+race", "-k"]}


def is_known(program, finding):
    return finding["kind"] == "race" and any(name in json.dumps(finding) for name in program.known)


def shell(words, bin_, folder):
    return words.format(cc=bin_ + "/plait-cc", cxx=bin_ + "/plait-c++", jobs=JOBS, here=packages.HERE, folder=folder)


def unpack(options, program, folder):
    """A copy of the source, and what it may work on."""
    if program.source:
        packages.fetch(options, program.source)
        shutil.copytree(os.path.join(os.path.abspath(options.sources), program.source), folder, symlinks=True)
    else:
        os.makedirs(folder)
    text = "".join("%d\n" % n for n in range(300000))
    pathlib.Path(folder, "input").write_text(text[:200000], encoding="ascii")
    pathlib.Path(folder, "small").write_text(text[:24000], encoding="ascii")
    pathlib.Path(folder, "large").write_text(text[:1500000], encoding="ascii")


def build(program, bin_, folder):
    """Programs on top of installed libraries are left out where those are not; what has its source must build."""
    done = subprocess.run(["sh", "-ec", shell(program.build, bin_, folder)], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode != 0:
        packages.fail("%s\n%s" % (program.build, done.stdout[-4000:]))


def keep(options, number, way, text):
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        name = "%s-%d-%s.txt" % (options.package, number, way.replace(", ", "-"))
        pathlib.Path(options.keep, name).write_text(text, encoding="utf-8")


def more_options(job, plait, folder):
    """What the job itself asks for."""
    more = ["--check", job.check] if job.check else []
    more += ["--client", shell(job.client, os.path.dirname(plait), folder)] if job.client else []
    return more


def explore(options, plait, folder, number, job):
    """Rows of the table.  Which ways came to something unknown."""
    program = PROGRAMS[options.package]
    more = more_options(job, plait, folder)
    wrong = []
    for way, words in WAYS.items():
        if options.way and options.way not in way:
            continue
        path = os.path.join(folder, "result.json")
        for seconds in (options.time, options.time * PATIENT):
            done = subprocess.run([plait, "test", "-t", f"{seconds}s", "--no-minimize", "--hang-time", "10m", *words,
                                   *([] if way == "noise" else job.options), *more, "--json", path, "-o", "results", "--",
                                   *job.command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", timeout=seconds + packages.SLACK)
            if done.returncode != NOTHING_ENDED:
                break
        keep(options, number, way, done.stdout)
        if done.returncode not in (0, 1):
            print("%s, %s: exit status %d\n%s" % (job.what, way, done.returncode, done.stdout), flush=True)
            wrong.append(way)
            continue
        result = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        print("| %s | %s | %s | %d | %.1f | %s | %d | %d |" % (
            options.package, job.what, way, result["executions"],
            result["executions"] / max(result["seconds"], 0.001), result["restart"], result["classes"],
            len(result["findings"])), flush=True)
        if not all(is_known(program, f) for f in result["findings"]):
            print(done.stdout, flush=True)
            wrong.append(way)
    return ["%s, %s" % (job.what, way) for way in wrong]


def main():
    parser = packages.arguments(PROGRAMS, "pigz", 20, 0, 0)
    parser.add_argument("--keep")
    parser.add_argument("--way")
    parser.add_argument("--job", type=int)
    parser.add_argument("--folder", help="is built and kept there")
    options = parser.parse_args()
    program = PROGRAMS[options.package]
    bin_ = os.path.abspath(options.build) + "/bin"
    work = options.folder or tempfile.mkdtemp(prefix="plait-real-")
    folder = os.path.join(work, "source")
    try:
        if not os.path.exists(folder):
            unpack(options, program, folder)
            build(program, bin_, folder)
        wrong = []
        for number, job in enumerate(program.jobs):
            if options.job is None or options.job == number:
                wrong += explore(options, bin_ + "/plait", folder, number, job)
        if wrong:
            packages.fail("wrong: " + "; ".join(wrong))
    finally:
        if not options.folder:
            shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
