# SPDX-License-Identifier: MIT
"""usage: processes.py ROOT BUILD [--replays N]

Processes that the program forks are disturbed and recorded with it, and replayed together: a bug
between two children and their parent is found, and each replay of its recording shows it, with a
column for each thread of each process.  Programs that are right stay clean, and no process is left.
A search with --follow-children has them in one schedule.
"""
import argparse
import fcntl
import glob
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

import bench as shared
from bench import Failed, check

FOUND, CLEAN = 1, 0


class Bench(shared.Bench):
    def __init__(self, build, work):
        super().__init__(build, work, "processes")

    def program(self, name, flags=(), form="plait"):
        return super().program(name, ("-O1", *flags), form)

    def campaign(self, executions, *program):
        return self.test(("-s", "noise", "-n", str(executions)), *program)

    def search(self, executions, *program):
        return self.test(("--follow-children", "--hang-time", "10s", "-n", str(executions)), *program)

    def show(self, schedule, width):
        """What `plait show` prints on a terminal that is so wide."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
        with subprocess.Popen([self.tool.plait, "show", "--color", "never", schedule], stdin=subprocess.DEVNULL,
                              stdout=slave, cwd=self.work) as tool:
            os.close(slave)
            text = b""
            try:
                while piece := os.read(master, 65536):
                    text += piece
            except OSError:  # nobody is left at the other end
                pass
            os.close(master)
            tool.wait()
        return text.decode("utf-8", "replace").replace("\r\n", "\n")

    def record(self, name, *words):
        """A schedule of the failure of the program with these words, and the result."""
        program = (self.program(name), *words)
        status, printed, result = self.campaign(200, *program)
        check(status == FOUND and len(result["findings"]) == 1, f"{name}: not found", printed)
        finding = result["findings"][0]
        check(finding["kind"] == "assertion" and finding["replays"], f"{name}: another finding", printed)
        kept = os.path.join(self.work, f"{name}.plait")
        shutil.copy(os.path.join(self.work, finding["schedule"]), kept)
        return kept, result


def left(program):
    """Processes that execute the program."""
    found = []
    for link in glob.glob("/proc/[0-9]*/exe"):
        try:
            if os.readlink(link) == os.path.realpath(program):
                found.append(link)
        except OSError:
            pass
    return found


def replay(bench, schedule, replays, name):
    for carrier, times in (("fiber", replays), ("thread", replays // 5)):
        for _ in range(times):
            done = bench.run("replay", "--carrier", carrier, schedule)
            check(done.returncode == FOUND and "the same finding, as recorded" in done.stdout,
                  f"{name}: not replayed on {carrier}", done.stdout)


def failures_are_found_and_replayed(bench, replays):
    for name, threads in (("shared", 3), ("pipe", 3), ("polled", 5), ("both", 7)):
        schedule, result = bench.record(name)
        check(result["max_threads"] == threads, f"{name}: {result['max_threads']} threads")
        check(result["control"]["followed"] >= 2 and result["control"]["processes"] == 0, f"{name}: not under control")
        replay(bench, schedule, replays, name)


# How a child becomes another program: its threads while it does, and whether a shell stands between.
WAYS = {"fork": 5, "spawn": 5, "vfork": 5, "name": 5, "thread": 9, "close": 5, "fail": 5, "popen": 5, "system": 7}


def other_programs_are_followed(bench, replays):
    adds = bench.program("adds")
    for way, threads in WAYS.items():
        schedule, result = bench.record("becomes", way, adds)
        check(result["max_threads"] == threads, f"{way}: {result['max_threads']} threads")
        shells = way in ("popen", "system")
        check(result["control"]["followed"] >= 2 and (result["control"]["processes"] > 0) == shells and
              result["control"].get("strangers", "") == ("sh" if shells else ""), f"{way}: {result['control']}")
        replay(bench, schedule, replays, way)
    with open(schedule, encoding="utf-8") as f:
        text = f.read()
    name = os.path.basename(adds)
    check(text.startswith("plait-schedule 4\n") and re.search(rf"^thread 0\S* add 1 {name}$", text, re.M),
          "threads without their program", text[:800])
    shown = bench.show(schedule, 300)
    check(re.search(r" p1:0\S* adds", shown), "no column named by program", shown)


def deadlocks_of_processes_are_proven(bench, replays):
    for words, processes in (("locks",), 3), (("locks", "both"), 2), (("pipes",), 3), (("pipes", "both"), 2):
        status, printed, result = bench.campaign(300, bench.program("locked"), *words)
        check(status == FOUND and len(result["findings"]) == 1, f"{words}: not found", printed)
        finding = result["findings"][0]
        check(finding["kind"] == "deadlock" and finding["replays"] and len(finding["threads"]) == processes and
              f"{processes} processes wait for each other" in printed, f"{words}: not proven", printed)
        replay(bench, os.path.join(bench.work, finding["schedule"]), replays, words)


def right_other_programs_stay_clean(bench, _):
    adds = bench.program("adds", ["-DFIXED=1"])
    for way in WAYS:
        status, printed, _result = bench.campaign(10, bench.program("becomes", ["-DFIXED=1"]), way, adds)
        check(status == CLEAN, f"{way}: accused", printed)
    plain = bench.program("adds", ["-DFIXED=1"], "plain")
    status, printed, result = bench.campaign(3, bench.program("becomes", ["-DFIXED=1"]), "fork", plain)
    check(status == CLEAN and result["control"]["strangers"] == os.path.basename(plain), "a plain program", printed)


def each_thread_has_a_column(bench, _):
    schedule = bench.record("both")[0]
    with open(schedule, encoding="utf-8") as f:
        text = f.read()
    check(text.startswith("plait-schedule 3\n"), "another format", text[:40])
    check("\nthread 0.1 main 1\n" in text and "\nthread 0.2 main 2\n" in text and
          "\nthread 0.1.1 earn 1\n" in text, "threads without their process", text[:800])
    shown = bench.show(schedule, 240)
    headings = re.search(r"^ +0 main .*", shown, re.MULTILINE)
    check(headings is not None, "no columns", shown)
    for thread in ("p1:0.1 main", "p1:0.1.1 earn", "p1:0.1.2 earn", "p2:0.2 main", "p2:0.2.1 earn", "p2:0.2.2 earn"):
        check(thread in headings.group(), f"no column for {thread}", shown)
    check("p1:0.1.1" in bench.show(schedule, 60), "no threads in a narrow table")
    check("write" in shown and "fork" in shown and "end of the process" in shown, "no operations", shown)


def right_programs_stay_clean(bench, _):
    for name, flags in (("shared", ["-DFIXED=1"]), ("pipe", ["-DFIXED=1"]), ("both", ["-DFIXED=1"]), ("sync", [])):
        status, printed, _result = bench.campaign(20, bench.program(name, flags))
        check(status == CLEAN, f"{name}: accused", printed)


def ends_of_children_are_known(bench, _):
    program = bench.program("ways")
    for way in ("status", "killed", "exec", "no-exec", "forks"):
        status, printed, result = bench.campaign(5, program, way)
        check(status == CLEAN, f"{way}: accused", printed)
        check(result["control"].get("strangers", "") == ("true" if way == "exec" else ""), f"{way}: strangers", printed)
        check(("not under control: true" in printed) == (way == "exec"), f"{way}: not said", printed)
    for way, kind in (("crash", "crash"), ("assert", "assertion")):
        status, printed, result = bench.campaign(5, program, way)
        check(status == FOUND and result["findings"][0]["kind"] == kind, f"{way}: not found", printed)
        check(result["findings"][0]["thread"] == "0.1" and result["findings"][0]["replays"], f"{way}: where", printed)


def what_is_lost_is_said(bench, _):
    program = bench.program("ways")
    name = os.path.basename(program)
    for way, followed, strangers in (("itself", 0, name), ("shell", 1, f"sh, {name}")):
        status, printed, result = bench.campaign(1, program, way)
        check(status == CLEAN and result["control"]["strangers"] == strangers and
              result["control"].get("followed", 0) == followed, f"{way}: not said", printed)
        check(f"not under control: {strangers}\n" in printed, f"{way}: not printed", printed)


def bad_input_is_told(bench, _):
    schedule = bench.record("shared")[0]
    with open(schedule, encoding="utf-8") as f:
        text = f.read()
    other = os.path.join(bench.work, "other.plait")
    for old, new, said in ((" main 1\n", " main 64\n", "one process, from 1 to 63"),
                           (" main 1\n", " main 1 2\n", "one process"),
                           ("plait-schedule 3", "plait-schedule 2", "one start function")):
        with open(other, "w", encoding="utf-8") as f:
            f.write(text.replace(old, new, 1))
        done = bench.run("replay", other)
        check(done.returncode == 2 and said in done.stdout, f"{new}: not told", done.stdout)
    # The program is another now, and forks nobody.
    program = os.path.join(bench.work, "changing")
    shutil.copy(bench.program("shared"), program)
    status, printed, result = bench.campaign(200, program)
    check(status == FOUND, "not found", printed)
    shutil.copy(bench.program("ways"), program)
    done = bench.run("replay", os.path.join(bench.work, result["findings"][0]["schedule"]))
    check(done.returncode not in (FOUND, 70) and "rebuilt" in done.stdout and "did not replay" in done.stdout,
          "another program is replayed", done.stdout)


def nothing_is_left(bench, _):
    program = bench.program("ways")
    bench.run("test", "-s", "noise", "-t", "1s", "-o", os.path.join(bench.work, "out"), "--", program, "endless")
    check(not left(program), "-t leaves processes")
    with subprocess.Popen([bench.tool.plait, "test", "-s", "noise", "-o", os.path.join(bench.work, "out"), "--", program,
                           "endless"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, cwd=bench.work) as tool:
        for _ in range(200):
            if len(left(program)) >= 2:
                break
            time.sleep(0.05)
        tool.send_signal(signal.SIGINT)
        tool.wait(60)
    check(not left(program), "an interrupt leaves processes")


def searches_follow_children(bench, _):
    """In one schedule with their parent, where nobody is disturbed."""
    adds = bench.program("adds")
    for name, words, kind in (("shared", (), "assertion"), ("pipe", (), "assertion"), ("both", (), "assertion"),
                              ("locked", ("locks",), "deadlock"), ("locked", ("pipes", "both"), "deadlock"),
                              ("becomes", ("fork", adds), "assertion"), ("becomes", ("popen", adds), "assertion")):
        status, printed, result = bench.search(60, bench.program(name), *words)
        check(status == FOUND and result["findings"][0]["kind"] == kind, f"{name} {words}: not found", printed)
        check(result["control"]["followed"] > 0, f"{name} {words}: not under control", printed)
        replay(bench, os.path.join(bench.work, result["findings"][0]["schedule"]), 2, name)
    for name in ("shared", "pipe", "both", "sync"):
        status, printed, result = bench.search(15, bench.program(name, ["-DFIXED=1"]))
        check(status == CLEAN and result["executions"] == 15, f"{name}: accused", printed)
    check(bench.search(15, bench.program("shared", ["-DFIXED=1"]))[2]["classes"] > 10, "orders of processes are one class")
    for way in ("status", "killed", "exec", "no-exec", "forks"):
        status, printed, result = bench.search(5, bench.program("ways"), way)
        check(status == CLEAN and result["executions"] == 5, f"{way}: accused, or called complete", printed)
    done = bench.run("test", "--follow-children", "-s", "dfs", "--", bench.program("ways"), "status")
    check(done.returncode == 2 and "random and noise" in done.stdout, "dfs takes it", done.stdout)


TESTS = (failures_are_found_and_replayed, searches_follow_children, deadlocks_of_processes_are_proven, other_programs_are_followed,
         right_other_programs_stay_clean, each_thread_has_a_column, right_programs_stay_clean,
         ends_of_children_are_known, what_is_lost_is_said, bad_input_is_told, nothing_is_left)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root")
    parser.add_argument("build")
    parser.add_argument("--replays", type=int, default=50)
    options = parser.parse_args()
    wrong = 0
    for test in TESTS:
        with tempfile.TemporaryDirectory() as work:
            try:
                test(Bench(options.build, work), options.replays)
            except Failed as e:
                wrong += 1
                print(f"{test.__name__}: {e}")
    print(f"several processes: {len(TESTS)} tests, {wrong} failed")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
