# SPDX-License-Identifier: MIT
"""What `auto` promises: bugs within few executions whatever the seed, an end where there is one,
and an honest statement elsewhere.

Every program of the scoreboard with a bug, but SafeStack, which takes hundreds of thousands of
executions; those without one whose number of classes is known; and the corrected form of every
program of tests/programs/bugs.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

ROOT, BUILD = sys.argv[1:]
FOLDER = os.path.join(ROOT, "bench", "scoreboard")
BUGS = os.path.join(ROOT, "tests", "programs", "bugs")
sys.path.insert(0, FOLDER)

import programs  # noqa: E402

PLAIT = os.path.join(os.path.abspath(BUILD), "bin", "plait")
LONG = ("safestack",)
SEEDS = range(1, 3)
WITHIN = 2000  # executions; twenty seeds took 944 at most
CLASSES = 1000  # programs with more are left to the scoreboard
STOPPED = 500  # executions of a program that has no bug


def build(work, path, *flags):
    exe = os.path.join(work, "prog")
    subprocess.run([PLAIT, "cc", "-std=gnu17", "-O1", "-g", "-pthread", *flags, "-o", exe, path],
                   check=True)
    return exe


def campaign(work, exe, *options):
    result = os.path.join(work, "result.json")
    subprocess.run([PLAIT, "test", "-q", *options, "--json", result,
                    "-o", os.path.join(work, "out"), "--", exe],
                   check=False, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    with open(result, encoding="utf-8") as f:
        return json.load(f)


def problems_of_bug(work, p, size):
    name = f"{p.name} {size or ''}".strip()
    exe = build(work, p.path, *([] if size is None else [f"-DN={size}"]))
    for seed in SEEDS:
        result = campaign(work, exe, "-n", str(WITHIN), "--seed", str(seed))
        kinds = {f["kind"] for f in result["findings"]}
        if not kinds or not kinds <= set(p.finds):
            yield f"{name}, seed {seed}: found {kinds or 'nothing'} instead of {p.finds}"
    again = campaign(work, exe, "-n", str(WITHIN), "--seed", str(SEEDS[-1]))
    if (again["executions"], again["classes"]) != (result["executions"], result["classes"]):
        yield f"{name}: another {again['executions']} executions with the same seed"


def problems_of_classes(work, p, size, classes, fixed):
    name = f"{p.name} {size}{' fixed' if fixed else ''}"
    exe = build(work, p.path, f"-DN={size}", *(["-DFIXED"] if fixed else []))
    for jobs in ("1", "2"):
        result = campaign(work, exe, "-k", "-j", jobs)
        if not result["complete"] or result["classes"] != classes:
            yield (f"{name}, {jobs} jobs: {result['classes']} of {classes} classes, "
                   f"{'' if result['complete'] else 'not '}complete")


def problems_of_clean(work, path):
    name = os.path.basename(path)
    result = campaign(work, build(work, path, "-DFIXED=1"), "-n", str(STOPPED))
    said = result["coverage"]
    if result["findings"]:
        yield f"{name}: a finding in the corrected program: {result['findings'][0]['message']}"
    if result["complete"]:
        return
    if result["executions"] != STOPPED:
        yield f"{name}: it stopped after {result['executions']} executions and is not complete"
    if said["samples"] + said["searched"] != result["search_executions"]:
        yield f"{name}: {said} are not {result['search_executions']} executions"
    if not result["estimate"] or result["estimate"]["of"] != "new-class":
        yield f"{name}: no estimate of what is still new"


def has_corrected_form(path):
    with open(path, encoding="utf-8") as f:
        return "-DFIXED=1 plait test" in f.read()


def main():
    problems, checked = [], 0
    with tempfile.TemporaryDirectory(prefix="plait-auto-") as work:
        for p in programs.all_of().values():
            if p.kind == "bug" and p.name not in LONG:
                for size in p.sizes:
                    problems += problems_of_bug(work, p, size)
                    checked += 1
            for fixed, known in ((False, p.classes), (True, p.fixed_classes)):
                for size, classes in known.items():
                    if classes <= CLASSES:
                        problems += problems_of_classes(work, p, size, classes, fixed)
                        checked += 1
        for path in sorted(glob.glob(os.path.join(BUGS, "*.c"))):
            if has_corrected_form(path):
                problems += problems_of_clean(work, path)
                checked += 1
    print("\n".join(problems + [f"{checked} programs, {len(problems)} problems"]))
    sys.exit(1 if problems or checked < 50 else 0)


main()
