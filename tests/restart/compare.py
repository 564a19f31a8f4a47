#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the restarts: how an execution gets a fresh program must not change what it does.

    compare.py --plait BUILD/bin/plait [--part K/N] [--compiler gcc] [--opt 2] PATH ...

PATH is a test program or a folder of them; of all, sorted, each Nth from the Kth on is taken.
Their RUN lines (see ../run_program.py) are executed by rollback without checkpoints and with one
at every choice, by fork and by exec, as many executions of each and with -k, so that campaigns go on over executions that failed.  Equal must be: the exit
status, executions, points and classes, the findings with their counts and signatures, the
schedules to the byte, and what `plait show` makes of them; and the first schedule that one
restart wrote must be replayed by the others.

Two things differ for a reason: the line of a schedule that names the restart, and with it the
checksum at the end.  A restart that plait refuses for a program is left out; when that is
rollback, the restart that plait chooses by itself takes its place.
"""

import argparse
import os
import re
import shlex
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import run_program as programs

EXECUTIONS = 40
KINDS = ("rollback", "checkpoints", "fork", "exec")
CHECKPOINTS = {"rollback": "off", "checkpoints": "always"}
# Pairs that are left out: a carrier or a restart is what they are about, and where a limit of
# time is needed, executions are too long to be made three times.
FOREIGN = ("--carrier", "--restart", "-t")
# With these an execution may last as long as they say: the pair's own limits are kept.
LASTING = ("--hang-time", "--max-steps")


def options_for_all(options):
    """A pair's options with the number of executions that all restarts make."""
    if any(o.split("=")[0] in LASTING for o in options):
        return list(options)
    kept = ["-k", "-n", str(EXECUTIONS)]
    following = iter(options)
    for option in following:
        if option == "-n":
            next(following)
        elif option not in ("-k", "-q"):
            kept.append(option)
    return kept


def variants(runs, driver):
    """The different campaigns of a program: flags, options, arguments, in the file's order."""
    seen = []
    for run in runs:
        if run.native or any(o.split("=")[0] in FOREIGN for o in run.options):
            continue
        if any(o.split(":")[0] == "noise" for o in run.options):
            continue  # what threads do that run freely is never the same
        if any(s not in (driver.compiler, "O" + driver.opt) for s in run.selectors):
            continue
        variant = (run.flags, options_for_all(run.options), run.arguments)
        if variant not in seen:
            seen.append(variant)
    return seen


class Outcome:
    """What one campaign came to, without what may differ."""

    def __init__(self, driver, campaign):
        self.command, status, _, self.result = campaign
        self.facts = {"exit status": status}
        for key in programs.SAME:
            self.facts[key] = self.result[key]
        if self.result.get("too_slow"):  # how far an execution comes in so much processor time is never the same
            self.facts["points_per_execution"] = None
        self.facts["control"] = self.result["control"]
        findings = self.result["findings"]
        for key in programs.SAME_OF_FINDING:
            self.facts["%s of findings" % key] = [f[key] for f in findings]
        texts = [t.decode(errors="replace") for t in driver.schedules(campaign)]
        self.facts["schedules"] = [without_restart(t) for t in texts]
        self.schedules = [os.path.join(driver.work, f["schedule"]) for f in findings]
        self.facts["table"] = []
        if self.schedules:
            show = [driver.plait, "show", "--all", "--color", "never", self.schedules[0]]
            status, table = driver.command(show)
            if status != 0:
                raise driver.failed(show, table, "plait show failed")
            self.facts["table"] = [table]


def without_restart(text):
    text, named = re.subn(r"^option restart \w+\n", "", text, flags=re.M)
    text, ends = re.subn(r"^(end \d+) [0-9a-f]{16}\n\Z", r"\1\n", text, flags=re.M)
    if named > 1 or ends != 1:
        raise programs.Failure("a schedule that is none:\n%s" % text)
    return text


def campaign(driver, variant, kind):
    """The outcome under a restart, or None when plait refuses it; None as kind lets it choose."""
    flags, options, arguments = variant
    options = [o.replace("%t", driver.work) for o in options]
    name, restart = kind or "default", "rollback" if kind in CHECKPOINTS else kind
    options += ["--restart", restart] if kind else []
    options += ["--no-minimize"]  # how far that goes depends on the restart
    options += ["--checkpoints", CHECKPOINTS[kind]] if kind in CHECKPOINTS else []
    done = driver.campaign(name, options, driver.build(flags), arguments)
    command, status, printed, result = done
    if status == 3 and (result is None or not result["findings"]):
        if kind is None or not re.search(r"\b%s\b" % restart, printed):
            raise driver.failed(command, printed, "exit status 3 without a reason")
        return None
    if kind is not None and result["restart"] != restart:
        raise driver.failed(command, printed, "it went over to %s" % result["restart"])
    return Outcome(driver, done)


def differences(one, other):
    """All that differs, in words; of texts the first line that does."""
    found = []
    for key, value in one.facts.items():
        second = other.facts[key]
        if key in ("schedules", "table") and value != second:
            lines = ["\n".join(v).splitlines() + ["nothing more"] for v in (value, second)]
            value, second = next((a, b) for a, b in zip(*lines) if a != b)
        if value != second:
            found.append("%s: %s\n    instead of %s" % (key, second, value))
    return found


def replay(driver, outcome, kind, options):
    """The first finding of a campaign must be found again under another restart."""
    judging = [o.replace("%t", driver.work) for o in options
               if o.split("=")[0] in programs.JUDGING]
    command = [driver.plait, "replay", "--restart", kind] + judging + [outcome.schedules[0]]
    status, printed = driver.command(command)
    if status != 1:
        raise driver.failed(command, printed, "replay by %s ended with status %d" % (kind, status))


def compare(driver, variant):
    """How many campaigns and findings were compared."""
    outcomes = {kind: campaign(driver, variant, kind) for kind in KINDS}
    if outcomes["rollback"] is None:
        outcomes["default"] = campaign(driver, variant, None)
    left = {kind: outcome for kind, outcome in outcomes.items() if outcome is not None}
    if len(left) < 2 or "exec" not in left:
        raise programs.Failure("only %s suits this program" % ", ".join(left))
    first, *others = left
    for kind in others:
        found = differences(left[first], left[kind])
        if found:
            raise programs.Failure("%s is not as %s\n  in: %s\n  %s" % (
                kind, first, shlex.join(left[kind].command), "\n  ".join(found)))
    findings = len(left[first].schedules)
    if findings and left[first].result["findings"][0]["replays"]:
        for kind, outcome in left.items():
            for other in left:
                if other not in (kind, "default", "checkpoints"):
                    replay(driver, outcome, other, variant[1])
    return len(left), findings


def check(options, path):
    """Compare all variants of a program; returns campaigns, findings and failures."""
    options.file = path
    campaigns = findings = 0
    failures = []
    with tempfile.TemporaryDirectory(prefix="plait-restart-") as work:
        driver = programs.Driver(options, work)
        runs, output, _ = programs.parse_program(path)
        with open(os.path.join(work, "expected"), "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in output)
        for variant in variants(runs, driver):
            try:
                n, found = compare(driver, variant)
                campaigns, findings = campaigns + n, findings + found
            except programs.Failure as failure:
                failures.append("%s: %s" % (os.path.relpath(path, programs.ROOT), failure))
    return campaigns, findings, failures


def programs_of(paths):
    for path in paths:
        if os.path.isdir(path):
            names = [n for n in os.listdir(path) if n.endswith((".c", ".cpp"))]
            yield from (os.path.join(path, n) for n in sorted(names))
        else:
            yield path


def main():
    parser = argparse.ArgumentParser(description="Compare the restarts.")
    parser.add_argument("--plait", required=True)
    parser.add_argument("--compiler", choices=("gcc", "clang"), default="gcc")
    parser.add_argument("--opt", default="2")
    parser.add_argument("--part", default="1/1", metavar="K/N")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("paths", nargs="+", metavar="PATH")
    options = parser.parse_args()

    first, step = (int(n) for n in options.part.split("/"))
    files = list(programs_of(options.paths))[first - 1 :: step]
    campaigns = findings = 0
    failures = []
    for path in files:
        n, found, wrong = check(options, path)
        campaigns, findings, failures = campaigns + n, findings + found, failures + wrong
        for failure in wrong:
            print("FAILED %s" % failure, flush=True)
    print("%d programs, %d campaigns, %d findings, %d differences"
          % (len(files), campaigns, findings, len(failures)))
    return 1 if failures or not campaigns else 0


if __name__ == "__main__":
    sys.exit(main())
