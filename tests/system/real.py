# SPDX-License-Identifier: MIT
"""real.py BUILD SOURCES --package NAME [--time SECONDS]: a whole program from Debian's sources, built by plait.

It does a job with a few threads, by the default strategy, with noise, and with the detector of races, for that long
each; what it writes is compared with what went in.  Prints a row of docs/real-programs.md for each.  Nothing must be
found but races that are known (docs/real-programs.md).  Exits with 77 when the sources cannot be had.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import packages

JOBS = pathlib.Path(packages.HERE) / "jobs"
WAYS = {"default": [], "noise": ["-s", "noise"], "default, +race": ["--detect", "+race", "-k"]}

# How it is built in a copy of its source, and what it is asked to do there: arguments, and how to unpack what it
# writes to its output.  {cc} and {cxx} are the compilers.
PROGRAMS = {
    "pigz": ("make -s CC={cc} pigz", [(["./pigz", "-p", "3", "-b", "32", "-k", "-c", "input"], "gzip -dc")]),
    "pbzip2": ("make -s CXX={cxx} pbzip2", [(["./pbzip2", "-p3", "-b1", "-k", "-c", "input"], "bzip2 -dc")]),
    "sqlite3": ("./configure -q >/dev/null && make -s sqlite3.c >/dev/null && {cc} -g -O0 -w -DSQLITE_THREADSAFE=1 "
                "-DSQLITE_OMIT_LOAD_EXTENSION -I. {jobs}/sqlite_two.c sqlite3.c -o job -lpthread -lm",
                [(["./job"], None), (["./job", "wal"], None)]),
}

# Races that have been looked at, by a function of theirs.
KNOWN = {"sqlite3": ["walIndexTryHdr"]}  # the header is there twice, and read again where the two differ


def is_known(options, finding):
    return finding["kind"] == "race" and any(name in json.dumps(finding) for name in KNOWN.get(options.package, []))


def build(options, bin_, folder):
    words = PROGRAMS[options.package][0].format(cc=bin_ + "/plait-cc", cxx=bin_ + "/plait-c++", jobs=JOBS)
    packages.run(["sh", "-c", words], cwd=folder)


def explore(options, plait, folder, job, unpack):
    check = ["--check", unpack + " | cmp - input"] if unpack else []
    for way, words in WAYS.items():
        path = os.path.join(folder, "result.json")
        done = subprocess.run([plait, "test", "-t", f"{options.time}s", "--no-minimize", "--hang-time", "10m", *words,
                               *check, "--json", path, "-o", "results", "--", *job], cwd=folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=options.time + packages.SLACK)
        if done.returncode not in (0, 1):
            packages.fail("%s: exit status %d\n%s" % (" ".join(job), done.returncode, done.stdout))
        result = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        print("| %s | %s | %s | %d | %.1f | %s | %d | %d |" % (
            options.package, " ".join(job), way, result["executions"],
            result["executions"] / max(result["seconds"], 0.001), result["restart"], result["classes"],
            len(result["findings"])), flush=True)
        if not all(is_known(options, f) for f in result["findings"]):
            packages.fail(done.stdout)


def main():
    options = packages.arguments(PROGRAMS, "pigz", 20, 0, 0).parse_args()
    packages.fetch(options)
    bin_ = os.path.abspath(options.build) + "/bin"
    work = tempfile.mkdtemp(prefix="plait-real-")
    folder = os.path.join(work, "source")
    try:
        shutil.copytree(os.path.join(os.path.abspath(options.sources), options.package), folder, symlinks=True)
        build(options, bin_, folder)
        pathlib.Path(folder, "input").write_text("".join("%d\n" % n for n in range(60000))[:200000], encoding="ascii")
        for job, unpack in PROGRAMS[options.package][1]:
            explore(options, bin_ + "/plait", folder, job, unpack)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
