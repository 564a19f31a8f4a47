#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A new user's week: ten campaigns of three programs, edits, fixes, interrupts, two campaigns at once, refused
starts, a full disk and a folder that cannot be written to.  In the end every finding that was ever announced
can still be replayed with the program that it was found in, or was removed by `plait clean`.

argument: the folder with plait and plait-cc.
"""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BIN = os.path.abspath(sys.argv[1])
PLAIT = os.path.join(BIN, "plait")
problems = []

PROGRAMS = {
    "count": """
#include <assert.h>
#include <pthread.h>
static int count;
static void *add(void *arg) { count++; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(count == 2);
    return 0;
}
""",
    "abba": """
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return pthread_join(t, 0);
}
""",
    "late": """
#include <pthread.h>
#include <stdio.h>
static int *box;
static int value = 3;
static void *reader(void *arg) { printf("got %d\\n", *box); return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    box = &value;
    return pthread_join(t, 0);
}
""",
}


def check(fine, what):
    if not fine:
        problems.append(what)
        print("FAILED", what)


def run(*words, code=None, **more):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300, check=False, **more)
    check(code is None or done.returncode == code,
          f"exit status {done.returncode}, not {code}: {' '.join(words)}\n{done.stdout}")
    return done.stdout


class Week:
    """What was announced: the schedule, and a copy of the program that it was found in."""

    def __init__(self):
        self.announced = {}
        self.builds = 0

    def build(self, name, change=lambda s: s, folder="."):
        source = os.path.join(folder, name + ".c")
        with open(source, "w", encoding="utf-8") as f:
            f.write(change(PROGRAMS[name]))
        program = os.path.join(folder, name)
        run(os.path.join(BIN, "plait-cc"), "-g", "-O1", "-o", program, source, code=0)
        self.builds += 1
        kept = os.path.abspath(f"kept/{self.builds}-{name}")
        shutil.copy(program, kept)
        return program, kept

    def take(self, printed, kept):
        """Note what a campaign says it has found."""
        found = [line.split("plait replay ", 1)[1] for line in printed.splitlines()
                 if line.startswith("  replay: plait replay ")]
        for schedule in found:
            check(schedule not in self.announced, f"{schedule} was announced before")
            self.announced[schedule] = kept
        return found

    def campaign(self, program, kept, *options, code=1, found=1):
        printed = run(PLAIT, "test", *options, program, code=code)
        check(len(self.take(printed, kept)) == found, f"not {found} findings: {printed}")
        return printed

    def replay_all(self, when):
        for schedule, kept in self.announced.items():
            printed = run(PLAIT, "replay", schedule, "--", kept)
            check("as recorded" in printed, f"{when}: {schedule} is lost: {printed}")


def refused_starts(program):
    """Nothing that is refused, or ended at once, touches what is there."""
    before = sorted(glob.glob(".plait/**", recursive=True))
    os.mkdir("damaged")
    with open("damaged/coverage.json", "w", encoding="utf-8") as f:
        f.write("{")
    with open("bad.supp", "w", encoding="utf-8") as f:
        f.write("nonsense\n")
    for words, code in [
            (["--cover", "nosuch<neither", program], 2), (["--section", "9", program], 2),
            (["--strategy", "none", program], 2), (["-s", "hapset", "--coverage", "damaged", program], 2),
            (["-o", "damaged", program], 2), (["--suppressions", "bad.supp", program], 2),
            (["--expect-output", "no-such-file", program], 2), (["--detect", "none", program], 2),
            (["-n", "0", program], 2), (["--jobs", "9999", program], 2), (["--until", "x", program], 2),
            (["-s", "pct:depth=none", program], 2), (["./no-such-program"], 3), (["./count.c"], 3),
            (["--check", "/no/such/check", program], 2), (["-s", "exitblock", "--trust", "nosuch", program], 2),
            (["--files", "no-such-folder/x", program], 2)]:
        run(PLAIT, "test", *words, code=code)
    for delay in (0.01, 0.03, 0.1):
        p = subprocess.Popen([PLAIT, "test", "-s", "random", "-n", "1000000000", "-t", "10m", "-k", "--detect", "-assertion", program],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        p.send_signal(signal.SIGINT)
        p.wait(60)
    lost = [f for f in before if not os.path.lexists(f)]
    check(not lost, f"refused starts removed {lost}")


def two_at_once(week, program, kept):
    words = [PLAIT, "test", "-s", "random", "-n", "300", "-k", program]
    both = [subprocess.Popen(words + ["--seed", str(seed)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True) for seed in (1, 2)]
    for p in both:
        printed = p.communicate(timeout=300)[0]
        check(p.returncode == 1, f"two at once: {printed}")
        check(len(week.take(printed, kept)) >= 1, f"two at once: {printed}")


def coverage_of_two():
    """Campaigns that run at the same time add to one file, and neither forgets the other."""
    words = [PLAIT, "test", "-q", "-s", "random", "-n", "200", "-k", "-o", "both", "./late"]
    both = [subprocess.Popen(words + ["--seed", str(s)], stdout=subprocess.DEVNULL) for s in range(4)]
    for p in both:
        p.wait(300)
    with open("both/coverage.json", encoding="utf-8") as f:
        campaigns = json.load(f)["campaigns"]
    check(len(campaigns) == 4, f"coverage of {len(campaigns)} campaigns, not of 4")
    check(os.path.exists("both/campaign") and len(glob.glob("both/00[2-4]")) == 3, f"not 4 folders: {os.listdir('both')}")


def full_disk(week, program, kept):
    """The finding counts, and what is full is named."""
    os.mkdir("full")
    script = (f"mount -t tmpfs -o size=16k none full && head -c 12k /dev/zero >full/junk && "
              f"{PLAIT} test --no-coverage -o full {program}; echo status $?")
    printed = run("unshare", "-rm", "sh", "-c", script)
    if "status" not in printed or "mount:" in printed:
        print("note: no file system can be made here; the full disk is not tried")
        return
    check("status 1" in printed, f"a full disk: {printed}")
    check("No space left" in printed or "room on the disk" in printed, f"the disk is not named: {printed}")
    check("varies" not in printed and "1 finding" in printed, f"a full disk: {printed}")
    check(not week.take(printed, kept), f"a full disk: {printed}")


def read_only(program):
    """A folder that is read-only, where results would go, and where plait stands; then one that is somebody else's."""
    os.mkdir("still")
    shutil.copy(program, "still/prog")
    script = (f"mount --bind still still && mount -o remount,bind,ro still && {PLAIT} test -o still/results {program}; echo status $?; "
              f"cd still && {PLAIT} test ./prog; echo status $?; {PLAIT} test -q -o ../elsewhere ./prog; echo status $?")
    printed = run("unshare", "-rm", "sh", "-c", script)
    if "mount:" in printed or "unshare:" in printed:
        print("note: nothing can be mounted here; the read-only folder is not tried")
    else:
        check(re.findall(r"^status (\d)", printed, re.M) == ["2", "2", "1"] and printed.count("--output") == 2, f"read-only: {printed}")
    os.mkdir("closed")
    os.chmod("closed", 0o555)
    if os.access("closed", os.W_OK):
        printed = run(PLAIT, "test", "-o", "/proc/self/results", program, code=2)
    else:
        printed = run(PLAIT, "test", "-o", "closed/results", program, code=2)
    check("Choose another" in printed, f"a folder that cannot be written to: {printed}")


def main():
    week = Week()
    os.mkdir("kept")
    count, count_1 = week.build("count")
    abba, abba_1 = week.build("abba")
    late, late_1 = week.build("late")
    week.campaign(count, count_1)
    week.campaign(abba, abba_1)
    week.campaign(late, late_1, "-k")
    week.replay_all("monday")
    refused_starts(count)
    week.replay_all("after refused starts")
    # Another program of the same name, elsewhere.
    os.mkdir("other")
    other, other_1 = week.build("count", folder="other")
    week.campaign(other, other_1)
    check(os.path.isdir(".plait/count-2/001"), "two programs of one name share a folder")
    two_at_once(week, count, count_1)
    coverage_of_two()
    # An edit; the old schedules are still there.
    count, count_2 = week.build("count", lambda s: "\n/* counts */\n" + s)
    week.campaign(count, count_2, "-s", "dfs")
    full_disk(week, count, count_2)
    read_only(count)
    # Interrupted with a finding in hand: it is written.
    p = subprocess.Popen([PLAIT, "test", "-s", "random", "-n", "1000000000", "-t", "10m", "-k", abba], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    printed = ""
    while "plait show" not in printed:
        printed += p.stdout.readline()
    p.send_signal(signal.SIGINT)
    printed += p.communicate(timeout=120)[0]
    check(p.returncode == 1, f"interrupted with a finding: {p.returncode}")
    check(len(week.take(printed, abba_1)) == 1, f"interrupted: {printed}")
    # A fix: nothing is found, and nothing is lost.
    count, count_3 = week.build("count", lambda s: s.replace("count++;", "__atomic_fetch_add(&count, 1, 5);"))
    week.campaign(count, count_3, code=0, found=0)
    check(not glob.glob(".plait/count/latest/finding-*"), "latest is not the newest campaign")
    week.replay_all("friday")
    listed = run(PLAIT, "list", "findings", code=0)
    for schedule in week.announced:
        check(schedule in listed, f"{schedule} is not listed: {listed}")
    # What is cleaned is gone, and only that.
    with open(".plait/count/001/mine.txt", "w", encoding="utf-8") as f:
        f.write("mine\n")
    before = len(week.announced)
    run(PLAIT, "clean", "--keep", "1", ".plait/count", code=0)
    week.announced = {s: k for s, k in week.announced.items() if os.path.exists(s)}
    check(0 < len(week.announced) < before, "plait clean removed nothing, or all")
    check(os.path.exists(".plait/count/001/mine.txt"), "a file of the user was removed")
    check(not any(s.startswith(".plait/count/") for s in week.announced), "plait clean left a campaign")
    week.replay_all("saturday")
    check(not [f for f in glob.glob(".plait/**/*", recursive=True)
               if os.path.isfile(f) and os.stat(f).st_mode & 0o077 and not f.endswith("mine.txt")],
          "others may read results")
    print(f"{before} findings were announced, and none was lost")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        main()
        os.chdir("/")
    sys.exit(1 if problems else 0)
