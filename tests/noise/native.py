# SPDX-License-Identifier: MIT
"""usage: native.py ROOT BUILD

Threads of which nothing is recorded (record=none) run on libc's own functions: right programs stay right,
wrong ones are found, and what costs little does.  And whatever comes to a standstill says where every
thread is, on every carrier.
"""
import os
import re
import sys
import tempfile

from bench import Bench, Failed, check, common

NOTHING = "recorded nothing: --noise record=none"
LEVELS = ("none", "light", "full")
FORMS = ("plait", "plain")
# A test must hold on a machine that is busy with others; bench/noise/overhead.py has the limits.
LOCKS_AT_MOST, ACCESSES_AT_MOST = 2.0, 2.0


def show(bench, schedule):
    return bench.run("show", schedule).stdout


def right_programs(bench):
    for form in FORMS:
        for noise in ("none", "sleep", "mixed"):
            program = bench.program("clean", form=form)
            status, printed, result = bench.test(
                ["-s", f"noise:{noise},record=none", "-n", "6", "--hang-time", "60s"], program)
            check(status == 0 and not result["findings"], f"clean, {form}, {noise}", printed)


def stack_of(finding, function):
    """The callers of the thread that stands in a function."""
    for thread in finding["threads"]:
        if thread["location"].endswith(f"({function})"):
            return [frame.rsplit("(", 1)[-1].rstrip(")") for frame in thread["stack"]]
    return None


def deadlocks(bench):
    for form in FORMS:
        for level in LEVELS:
            what = f"transfer, {form}, {level}"
            status, printed, result = bench.test(
                ["-s", f"noise:none,record={level}", "-n", "40", "--hang-time", "5s",
                 "--no-minimize"], bench.program("transfer", form=form))
            check(status == 1 and len(result["findings"]) == 1, what, printed)
            finding = result["findings"][0]
            check(finding["kind"] == "deadlock" and len(finding["threads"]) == 2, what, printed)
            callers = sorted(tuple(frame.rsplit("(", 1)[-1].rstrip(")") for frame in t["stack"])
                             for t in finding["threads"])
            check(callers == [("back", "main"), ("forth",)], f"{what}: {callers}", printed)
            holders = {t["name"]: t["holder"] for t in finding["threads"]}
            check(holders == {"0": "0.1", "0.1": "0"}, f"{what}: {holders}", printed)
            check(re.search(r"^      called from \S*transfer\.c:\d+ \(back\)$", printed, re.M), what,
                  printed)
            if level == "none":
                check(f"no schedule: {NOTHING}" in printed and finding["unreplayed"] == NOTHING and
                      not finding["schedule"], what, printed)
            else:
                check("    called from" in show(bench, finding["schedule"]), f"{what}: plait show")


def standstills(bench):
    ways = [["-s", f"noise:none,record={level}"] for level in LEVELS] + [["--carrier", "thread"]]
    for form in FORMS:
        for way in ways:
            if form == "plait" and way[0] == "--carrier":
                continue  # a loop that nobody can end is seen at once
            what = f"standstill, {form}, {' '.join(way)}"
            _, printed, result = bench.test(
                [*way, "-n", "1", "--hang-time", "200ms", "--no-minimize"],
                bench.program("standstill", form=form))
            check(len(result["findings"]) == 1, what, printed)
            finding = result["findings"][0]
            check(finding["kind"] == "hang" and len(finding["threads"]) == 3, what, printed)
            check(stack_of(finding, "go_round") == ["rounder"] and
                  stack_of(finding, "wait_for_input") == ["reader"] and
                  stack_of(finding, "main") == [], what, printed)
            waits = {t["name"]: t["waits"] for t in finding["threads"]}
            check(waits["0"] == waits["0.2"] == "waits" and waits["0.1"] == "", f"{what}: {waits}",
                  printed)


def bad_ends(bench):
    expected = {"crash": "crash", "assertion": "assertion", "abort": "assertion", "exit": "exit",
                "kill": "crash"}
    for form in FORMS:
        for how, kind in expected.items():
            what = f"{how}, {form}"
            status, printed, result = bench.test(["-s", "noise:record=none", "-n", "2"],
                                                 bench.program("ends", form=form), how)
            check(status == 1 and [f["kind"] for f in result["findings"]] == [kind], what, printed)
            finding = result["findings"][0]
            check(finding["location"].endswith("(fall)") and finding["thread"] == "0.1", what,
                  printed)


def costs(bench):
    """What is measured depends on the machine, a ratio of the same minute less so."""
    watch = common.Stopwatch(bench.tool)

    def least(source, form, rounds, noise=None):
        program = [bench.tool.build(os.path.join(common.FOLDER, source + ".c"), form,
                                    watch.flags()), str(rounds)]
        for _ in range(3):
            if noise is None:
                bench.tool.native(program, watch.env, hang=60)
            else:
                bench.tool.campaign(program, noise, ["-n", "1", "--hang-time", "60s"], watch.env)
        return min(cpu for _, cpu in watch.take())

    none = "none,record=none"
    locks = least("lock_heavy", "plait", 25, none) / least("lock_heavy", "plain", 25)
    accesses = least("access_heavy", "plait", 200, none) / least("access_heavy", "tsan", 200)
    print(f"processor time: critical sections {locks:.2f} of the plain build, "
          f"loads and stores {accesses:.2f} of ThreadSanitizer")
    check(locks < LOCKS_AT_MOST, f"critical sections take {locks:.2f} times as long")
    check(accesses < ACCESSES_AT_MOST, f"loads and stores take {accesses:.2f} of ThreadSanitizer")


def what_does_not_replay_is_a_note(bench):
    """What an execution leaves behind is kept from the next one, unless files are real."""
    program, key = bench.program("once"), str(os.getpid())
    for level, expected in (("full", 3), ("light", 1)):
        status, printed, result = bench.test(["-s", f"noise:record={level}", "-n", "2", "--files", "real"], program, key)
        bench.tool.native([program, key, "remove"])
        check(status == expected and len(result["findings"]) == (level == "light"), f"once, {level}", printed)
        check(("did not come again" in printed) == (level == "full"), f"once, {level}: not said", printed)


def main():
    failures = 0
    with tempfile.TemporaryDirectory(prefix="plait-native-") as work:
        bench = Bench(sys.argv[2], work, "native")
        for test in (right_programs, deadlocks, standstills, bad_ends, what_does_not_replay_is_a_note, costs):
            try:
                test(bench)
                print(f"{test.__name__}: good", flush=True)
            except (Failed, KeyError, TypeError, RuntimeError) as e:
                print(f"{test.__name__}: {type(e).__name__} {e}", flush=True)
                failures += 1
    sys.exit(1 if failures else 0)


main()
