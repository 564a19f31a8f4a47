# SPDX-License-Identifier: MIT
"""How a campaign of several workers ends: always, for all of them, and for the right reason.

usage: ends.py BIN
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

import campaign

# A shell lets what it starts in the background ignore it, and so would plait.
signal.signal(signal.SIGINT, signal.default_int_handler)

ALONE = "int main(void) { return 0; }"

EARLY = """
#include <assert.h>
#include <pthread.h>
static void *work(void *arg) { return arg; }
int main(int argc, char **argv)
{
    pthread_t t;
    assert(argc > 1);
    pthread_create(&t, NULL, work, argv);
    return pthread_join(t, NULL);
}
"""

LOST_UPDATE = """
#include <pthread.h>
#include <stdio.h>
static int n;
static void *work(void *arg) { n++; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    n++;
    pthread_join(t, NULL);
    printf("%d\\n", n);
    return 0;
}
"""

# Longer than the time of the campaign before there is a thread.
SLOW = """
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static void *work(void *arg) { return arg; }
int main(void)
{
    struct timespec time = {0, 300000000};
    pthread_t t;
    syscall(SYS_nanosleep, &time, NULL);
    pthread_create(&t, NULL, work, NULL);
    return pthread_join(t, NULL);
}
"""

ENDLESS = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int early;
static void *work(void *arg) { early = 1; return arg; }
int main(void)
{
    pthread_t t;
    volatile unsigned rounds = 0;
    pthread_create(&t, NULL, work, NULL);
    if (early == 0)
        for (;;)
            rounds++;
    pthread_join(t, NULL);
    return 0;
}
"""


def check(fact, what):
    if not fact:
        raise AssertionError(what)


def refused(bin_dir, *options):
    done = subprocess.run(campaign.command(bin_dir, "./split", *options),
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    check(done.returncode == 2, "%s: exit status %d" % (options, done.returncode))
    check(done.stderr.count(b"\n") == 1, "%s: %s" % (options, done.stderr))


def nothing_is_left(work):
    """No process has a program of this folder open."""
    for name in os.listdir("/proc"):
        try:
            path = os.readlink("/proc/%s/exe" % name) if name.isdigit() else ""
        except OSError:
            continue
        check(not path.startswith(work + "/"), "process %s of %s is left" % (name, path))


def more_workers_than_work(bin_dir):
    found = campaign.explore(bin_dir, "./split", "-s", "random", "-n", "3", "-j", "8")
    check(found["executions"] == 3 and found["jobs"] == 8, "not 3 executions by 8")
    for options in (("-s", "random", "-n", "100"), ("-s", "dfs")):
        found = campaign.explore(bin_dir, "./alone", "-j", "4", *options, statuses=(3,))  # no threads
        check(found["executions"] == 1 and not found["complete"], "nothing under control, yet more")
    found = campaign.explore(bin_dir, "./split", "-s", "dfs", "-n", "500", "-j", "3")
    check(found["executions"] == 500 and not found["complete"], "dfs went beyond its limit")


def a_limit_that_is_just_enough_is_complete(bin_dir):
    every = campaign.explore(bin_dir, "./split", "-s", "dfs")["executions"]
    found = campaign.explore(bin_dir, "./split", "-s", "dfs", "-n", str(every), "-j", "3")
    check(found["complete"] and found["executions"] == every, "the limit came before the end")


def verdict(bin_dir, *options):
    """The first line of the summary."""
    done = subprocess.run([os.path.join(bin_dir, "plait"), "test", "-o", "results", *options],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    check(done.returncode == 0, "%s: exit status %d" % (options, done.returncode))
    return done.stdout.decode().splitlines()[0]


def a_bound_is_no_more_than_it_is(bin_dir):
    """What a bounded search says of itself, however it ends, with any number of workers."""
    for jobs in ("1", "3"):
        line = verdict(bin_dir, "-s", "pcb:1", "-j", jobs, "./split")
        check(line.endswith("not complete beyond the bound: every execution with at most 1 preemption has been seen"),
              line)
        line = verdict(bin_dir, "-s", "delay:bound=2", "-j", jobs, "./split")
        check(line.endswith("not complete beyond the bound: every execution with at most 2 delays has been seen"),
              line)
        line = verdict(bin_dir, "-s", "pcb", "-n", "1000", "-j", jobs, "./split")
        check("limit of 1000 executions" in line and line.endswith("preemptions has been seen"),
              line)
        check(verdict(bin_dir, "-s", "pcb:0", "-n", "1", "-j", jobs, "./split").endswith(
            "not complete: the limit of 1 execution was reached"), "more than was seen")
    found = campaign.explore(bin_dir, "./split", "-s", "pcb", "-n", "1000")
    every = campaign.explore(bin_dir, "./split", "-s", "pcb:%d" % found["bound"])
    check(every["search_executions"] <= 1000, "a bound that was not reached")
    line = verdict(bin_dir, "-s", "pcb:0", "./blind")
    check("every order of synchronisation within the bound was tried" in line, line)


def findings_stop_everybody(bin_dir):
    found = campaign.explore(bin_dir, "./lost_update", "-s", "random", "-j", "3", "-n", "100000",
                             "--expect-output", "expected")
    check([f["kind"] for f in found["findings"]] == ["output"], "no output finding")
    check(found["findings"][0]["replays"], "it does not replay")
    check(found["executions"] < 100000, "not stopped by a finding")
    found = campaign.explore(bin_dir, "./early", "-j", "3")
    check([(f["kind"], f["count"]) for f in found["findings"]] == [("assertion", 1)],
          "a finding before the first thread: %s" % found["findings"])
    found = campaign.explore(bin_dir, "./endless", "-s", "random", "-j", "2", "-n", "20",
                             "--hang-time", "2s")
    check([f["kind"] for f in found["findings"]] == ["hang"], "no hang: %s" % found["findings"])


def time_stops_everybody(bin_dir):
    found = campaign.explore(bin_dir, "./split", "-s", "random", "-n", "1000000000", "-j", "2",
                             "-t", "500ms")
    check(found["executions"] > 0 and not found["interrupted"], "time")
    for jobs in ("1", "2"):
        found = campaign.explore(bin_dir, "./slow", "-s", "random", "-n", "1000000000", "-j", jobs,
                                 "-t", "1ms")
        check(found["executions"] > 0, "a program that was not executed is called clean")


def catches_signals(pid):
    with open("/proc/%d/status" % pid, encoding="ascii", errors="replace") as file:
        caught = [int(line.split()[1], 16) for line in file if line.startswith("SigCgt:")]
    return caught[0] >> (signal.SIGINT - 1) & 1


def signals_stop_everybody(bin_dir):
    tool = subprocess.Popen(campaign.command(bin_dir, "./split", "-s", "random", "-j", "2",
                                             "-n", "1000000000"),
                            stdin=subprocess.DEVNULL)
    while not catches_signals(tool.pid):
        check(tool.poll() is None, "it ended by itself")
        time.sleep(0.01)
    time.sleep(0.5)  # so that it has mostly begun
    tool.send_signal(signal.SIGINT)
    check(tool.wait(300) == 130, "exit status of an interrupted campaign")
    check(campaign.result()["interrupted"], "not interrupted")


def main():
    bin_dir = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="plait-workers-") as work:
        os.chdir(work)
        campaign.build(bin_dir, "split", campaign.SPLIT, "-DROUNDS=2")
        for name, text in (("alone", ALONE), ("early", EARLY), ("lost_update", LOST_UPDATE),
                           ("endless", ENDLESS), ("slow", SLOW)):
            campaign.build(bin_dir, name, text)
        with open("blind.c", "w", encoding="ascii") as file:
            file.write(campaign.SPLIT)
        subprocess.run(["cc", "-DROUNDS=2", "-pthread", "-o", "blind", "blind.c"], check=True)
        with open("expected", "w", encoding="ascii") as file:
            file.write("2\n")
        for options in (("-j", "0"), ("-j", "65"), ("-j", "two"), ("-s", "dfs:x=1", "-j", "3"),
                        ("-s", "pcb:x", "-j", "3"), ("-s", "delay:1,2"), ("-s", "dpor:x"),
                        ("-s", "dpor:source,classic")):
            refused(bin_dir, *options)
        more_workers_than_work(bin_dir)
        a_limit_that_is_just_enough_is_complete(bin_dir)
        a_bound_is_no_more_than_it_is(bin_dir)
        findings_stop_everybody(bin_dir)
        time_stops_everybody(bin_dir)
        signals_stop_everybody(bin_dir)
        nothing_is_left(os.path.realpath(work))
        os.chdir("/")
    print("all ends are as they should be")


if __name__ == "__main__":
    sys.exit(main())
