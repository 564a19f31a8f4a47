#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The exit statuses of plait(1), a function for each row of the table there; a row without one fails.

arguments: the folder with plait and plait-cc, and the manual page.
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

BIN = os.path.abspath(sys.argv[1])
PLAIT = os.path.join(BIN, "plait")
MANUAL = os.path.abspath(sys.argv[2])
problems = []

SOURCE = """
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int count, ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *arg) { count++; return arg; }
static void *careful(void *arg) { pthread_mutex_lock(&m); count++; pthread_mutex_unlock(&m); return arg; }
static void *spin(void *arg) { for (long i = 0; ; i++) if (__atomic_load_n(&ready, 5)) return arg; }
/* The program once more, in every way that there is. */
static int again(const char *self, const char *form)
{
    char *words[] = {(char *)self, "fine", 0}, *none[] = {0};
    posix_spawn_file_actions_t actions;
    pid_t child = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    setenv("PATH", "/nowhere:.:/bin", 1);
    if (strcmp(form, "spawn") == 0)
        return posix_spawn(&child, self, 0, 0, words, none) == 0 ? child : -1;
    if (strcmp(form, "spawnp") == 0)
        return posix_spawnp(&child, "prog", &actions, 0, words, environ) == 0 ? child : -1;
    if ((child = fork()) != 0)
        return child;
    if (strcmp(form, "closes") == 0)
        for (int fd = 3; fd < 2000; fd++)
            close(fd);
    if (strcmp(form, "execv") == 0 || strcmp(form, "closes") == 0)
        execv(self, words);
    if (strcmp(form, "execve") == 0)
        execve(self, words, none);
    if (strcmp(form, "execvp") == 0)
        execvp("prog", words);
    if (strcmp(form, "execvpe") == 0)
        execvpe(self, words, none);
    if (strcmp(form, "execl") == 0)
        execl(self, self, "fine", (char *)0);
    if (strcmp(form, "execlp") == 0)
        execlp("prog", self, "fine", (char *)0);
    if (strcmp(form, "execle") == 0)
        execle(self, self, "fine", (char *)0, none);
    if (strcmp(form, "fexecve") == 0)
        fexecve(open(self, O_RDONLY), words, none);
    _exit(9);
}
int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    pthread_t t[3];
    if (strcmp(how, "alone") == 0)
        return 0;
    if (strcmp(how, "again") == 0) {
        int ended = 0;
        pthread_create(&t[0], 0, careful, 0);
        pthread_join(t[0], 0);
        if (again(argv[0], argv[2]) < 0)
            return 8;
        wait(&ended);
        return ended != 0;
    }
    if (strcmp(how, "forks") == 0) {
        int ended = 0;
        if (fork() == 0) {
            pthread_create(&t[0], 0, careful, 0);
            _exit(pthread_join(t[0], 0));
        }
        wait(&ended);
        return ended != 0;
    }
    for (volatile long i = 0; strcmp(how, "late") == 0 && i >= 0; )
        i++;
    if (strcmp(how, "many") == 0) {
        for (int i = 0; i < 3; i++)
            pthread_create(&t[i], 0, careful, 0);
        for (int i = 0; i < 3; i++)
            pthread_join(t[i], 0);
        return 0;
    }
    pthread_create(&t[0], 0, strcmp(how, "fine") == 0 ? careful : add, 0);
    (strcmp(how, "fine") == 0 ? careful : add)(0);
    pthread_join(t[0], 0);
    printf("%d\\n", count);
    assert(count == (strcmp(how, "wrong") == 0 ? 3 : 2));
    return 0;
}
"""


def check(fine, what):
    if not fine:
        problems.append(what)
        print("FAILED", what)


def status(code, *words, says=None, quick=None):
    start = time.monotonic()
    done = subprocess.run([PLAIT, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
    shown = f"plait {' '.join(words)}: {done.stdout}"
    check(done.returncode == code, f"{done.returncode}, not {code}: {shown}")
    check(says is None or re.search(says, done.stdout), f"no '{says}': {shown}")
    check(quick is None or time.monotonic() - start < quick, f"took {time.monotonic() - start:.0f} s: {shown}")
    return done.stdout


def interrupted(number, *words, wait=b"", says=None):
    """Its status and what it printed, once the signal has come; `wait` is what it prints before."""
    p = subprocess.Popen([PLAIT, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    printed = b""
    if wait:
        while wait not in printed:
            printed += p.stdout.readline()
    else:
        children = f"/proc/{p.pid}/task/{p.pid}/children"
        while p.poll() is None and not open(children, encoding="ascii").read():
            time.sleep(0.02)
        time.sleep(0.3)
    p.send_signal(number)
    printed += p.communicate(timeout=120)[0]
    check(says is None or re.search(says, printed.decode()), f"no '{says}': {printed.decode()}")
    return p.returncode


# But for who is left alone with it.
ENDLESS = ["test", "-s", "random", "-n", "1000000000", "-t", "10m"]


def exit_0():
    status(0, "test", "./prog", "fine", says="clean, complete")
    status(0, "test", "-s", "random", "-n", "5", "./prog", "fine", says="no finding")
    status(0, "--help")
    status(0, "help", says="commands:")
    status(0, "help", "cc", says="usage: plait cc")
    status(0, "--version")
    status(0, "list", "findings", says="no findings")
    for command in ("test", "suite", "replay", "show", "pairs", "minimize", "clean", "coverage", "list"):
        printed = status(0, command, "--help", says="usage: plait " + command)
        check(printed == status(0, "help", command), f"help {command} is not {command} --help")
        check(max(map(len, printed.splitlines())) <= 100, f"wide lines in the help of {command}")
        # What a command offers is in its manual page, and what stands there it offers.
        with open(os.path.join(os.path.dirname(MANUAL), f"plait-{command}.1"), encoding="utf-8") as f:
            items = set(re.findall(r"Fl -([a-z][a-z-]+)", "\n".join(re.findall(r"^\.It .*", f.read(), re.M))))
        offered = set(re.findall(r"(?<![\w-])--([a-z][a-z-]+)", "\n".join(re.findall(r"^ +-.*", printed, re.M))))
        check(offered - {"help"} <= items, f"not in the manual of {command}: {sorted(offered - items)}")
        check(items <= offered | {"help"}, f"not offered by {command}: {sorted(items - offered)}")
    status(0, "suite", "list.txt")
    status(0, "coverage", ".plait/prog")
    status(0, "clean", "--keep", "100")
    for what in ("strategies", "detectors", "options"):
        status(0, "list", what)


def exit_1():
    status(1, "test", "-o", "one", "./prog", says="1 finding")
    status(1, "replay", "one/latest/finding-001-assertion.plait", says="as recorded")
    status(0, "show", "one/latest/finding-001-assertion.plait")
    status(0, "minimize", "-o", "min.plait", "one/latest/finding-001-assertion.plait")
    status(0, "replay", "one/latest/passing-001-assertion.plait", says="no finding, as recorded")
    status(1, "suite", "bad.txt", says="failed")
    # A finding counts for more than what else there is to say.
    status(1, "test", "--require-complete", "-q", "./prog")
    check(interrupted(signal.SIGINT, *ENDLESS, "-k", "./prog", wait=b"  show: ") == 1, "a finding, then SIGINT")


def exit_2():
    status(2, "test", says="no program was given")
    status(2, "nothing", says="no command")
    status(2, "tset", says="Did you mean test")
    status(2, "help", "nothing", says="no command")
    status(2, "test", "--nothing", "./prog", says="no option")
    status(2, "test", "--strategy", "none", "./prog")
    status(2, "test", "-o", "/proc/none", "./prog", says="--output")
    status(2, "replay", "none.plait", says="no file")
    status(2, "show", "list.txt", says="list.txt")
    status(2, "suite", "no-such-list")
    status(2, "clean", "no-such-folder", says="no folder")
    status(2, "list", "findings", "no-such-folder", says="no folder")
    status(2, "list", "nothing", says="'nothing' cannot be listed")
    status(2, "coverage", "no-such-folder")
    status(2, "minimize", "none.plait", says="no file")
    status(2, "pairs", says="name one program")
    status(2, "test", "--json", "-", "--sarif", "-", "./prog", says="only one")
    status(2, "suite", "--json", "-", "--junit", "-", "list.txt", says="only one")
    status(2, "test", "--json", "/no/such/file", "-s", "random", "-n", "2", "./prog", "fine", says="^plait: --json")
    status(2, "test", "--junit", ".", "./prog", says="^plait: --junit cannot be .: it is a folder")
    status(2, "minimize", "-o", "/no/such/file", "one/latest/finding-001-assertion.plait", says="^plait: --output")
    for words, says in (("test", "./prog", "fine"), "standard output"), (("list", "strategies"), "standard output"), \
            (("show", "one/latest/finding-001-assertion.plait"), "cannot write"), (("--help",), "standard output"):
        done = subprocess.run([PLAIT, *words], stdout=open("/dev/full", "w", encoding="ascii"), stderr=subprocess.PIPE, text=True,
                              timeout=60, check=False)
        check(done.returncode == 2 and says in done.stderr, f"plait {words} to a full disk: {done.returncode} {done.stderr}")
    status(2, "test", "--check", "exit 127", "./prog", "fine", says="could not be run")


def exit_3():
    status(3, "test", "./no-such-program", says="no file")
    status(3, "test", "./prog.c", says="executable|ELF")
    status(3, "test", "./prog", "alone", says="nothing was under control")
    status(3, "test", "./prog", "forks", says="1 thread.? of processes that it forks left control|threads of processes")
    # A framework that starts the program once more for each test, and closes what it does not know.
    for form in ("execv", "execve", "execvp", "execvpe", "execl", "execlp", "execle", "fexecve", "spawn", "spawnp", "closes"):
        status(3, "test", "-s", "random", "-n", "2", "./prog", "again", form, says="1 thread of processes that it forks left control")
    status(3, "suite", "alone.txt", says="no thread")
    status(3, "pairs", "./prog", says="no bitcode")
    with open("one/latest/finding-001-assertion.plait", encoding="utf-8") as f:
        text = f.read()
    check(text.count("./prog") == 1, text)
    status(3, "replay", "one/latest/finding-001-assertion.plait", "--", "./prog", "alone", says="left the schedule|did not|held|exists")


def exit_4():
    status(4, "test", "--require-complete", "-s", "dfs", "-n", "3", "./prog", "many", says="not complete")


def exit_5():
    status(5, "test", "--cover", "main<add", "-s", "random", "-n", "3", "./prog", "fine")


def exit_70():
    """A bug of plait, which a debugger makes: something that must hold does not."""
    done = subprocess.run(["gdb", "-batch", "-nx", "-ex", "set breakpoint pending on", "-ex", "break pl_campaign_run",
                           "-ex", "run", "-ex", "set var request->jobs = 0", "-ex", "continue", "--args", PLAIT, "test",
                           "./prog"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=120, check=False,
                          env=dict(os.environ, HOME=os.getcwd(), DEBUGINFOD_URLS=""))
    check("exited with code 0106" in done.stdout, f"not 70: {done.stdout}")


def exit_130():
    check(interrupted(signal.SIGINT, *ENDLESS, "./prog", "fine", says="interrupted|Ctrl") == 130, "SIGINT is not 130")
    # A check that does not end does not keep anybody from ending.
    check(interrupted(signal.SIGINT, "test", "--check", "sleep 1000", "./prog", "fine") == 130, "SIGINT during a check")
    check(interrupted(signal.SIGINT, "suite", "-n", "1000000000", "-t", "10m", "-s", "random", "list.txt") == 130, "SIGINT of a suite")


def exit_129():
    check(interrupted(signal.SIGHUP, *ENDLESS, "./prog", "fine", says="interrupted") == 129, "SIGHUP is not 129")


def exit_141():
    """Nobody reads on; what was found is there all the same, and counts."""
    for how, code in (("fine", 141), ("bad", 1)):
        p = subprocess.Popen([PLAIT, *ENDLESS, "-k", "--paths", "all", "-o", "unread-" + how, "./prog", how], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        p.stdout.readline()
        time.sleep(0.3)  # a finding may come meanwhile
        p.stdout.close()
        said = p.stderr.read().decode()
        p.stderr.close()
        check(p.wait(120) == code, f"nobody reads, {how}: {p.returncode} {said}")
        check(os.path.exists(f"unread-{how}/result.json"), f"no result of what nobody reads, {how}")
    status(1, "replay", "unread-bad/finding-001-assertion.plait", says="as recorded")


def closed_descriptors():
    """What is printed goes nowhere, and not into a file that has taken the number."""
    for closed in (">&-", "2>&-", "<&-", ">&- 2>&- <&-"):
        for how, code in (("fine", 0), ("bad", 1)):
            done = subprocess.run(["sh", "-c", f"'{PLAIT}' test -o closed ./prog {how} {closed}"], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
            check(done.returncode == code, f"{closed}, {how}: {done.returncode} {done.stdout}")


def exit_143():
    check(interrupted(signal.SIGTERM, *ENDLESS, "./prog", "fine") == 143, "SIGTERM is not 143")
    check(interrupted(signal.SIGTERM, "suite", "-n", "1000000000", "-t", "10m", "-s", "random", "list.txt") == 143, "SIGTERM of a suite")


def time_is_a_bound():
    """-t bounds all that a command does: a check that does not end, a program that does not begin."""
    status(4, "test", "-t", "1s", "--check", "sleep 1000", "./prog", "fine", quick=30)
    status(2, "test", "--hang-time", "1s", "--check", "sleep 1000", "./prog", "fine", says="did not end", quick=30)
    status(4, "test", "-t", "1s", "./prog", "late", quick=30)
    status(4, "test", "-t", "1s", "-s", "noise", "--check", "sleep 1000", "./prog", "fine", quick=30)
    # What comes after a finding is within the time as well.
    status(1, "test", "-t", "2s", "-k", "--detect", "+race", "--budget", "1000000", "--drive", "1000000", "./prog", quick=30)
    # Under noise in every execution: on a busy machine there are few within a second.
    status(1, "test", "-t", "1s", "-s", "noise", "-k", "--budget", "1000000", "-n", "1000000000", "./prog", "wrong", quick=30)
    status(1, "suite", "-t", "1s", "-k", "-o", "timed", "bad.txt", quick=30)
    status(3, "suite", "-t", "1s", "--check", "sleep 1000", "-o", "timed-2", "list.txt", quick=40)
    status(3, "suite", "--total-time", "1s", "--check", "sleep 1000", "-o", "timed-3", "list.txt", quick=40)
    schedule = "one/latest/finding-001-assertion.plait"
    status(3, "replay", "-t", "1s", schedule, "--", "./prog", "late", says="time was over", quick=30)
    status(3, "minimize", "-t", "1s", "-o", "m.plait", schedule, "--", "./prog", "late", says="time was over", quick=30)


def reports_agree():
    """JUnit and SARIF never call a success what the exit status does not."""
    def verdict():
        with open("r.xml", encoding="utf-8") as f:
            case = xml.etree.ElementTree.fromstring(f.read())[0][0]
        with open("r.sarif", encoding="utf-8") as f:
            return [e.tag for e in case], json.load(f)["runs"][0]["invocations"][0]["executionSuccessful"]

    both = ["test", "--junit", "r.xml", "--sarif", "r.sarif"]
    for code, words in ((0, ["./prog", "fine"]), (1, ["./prog"]), (3, ["./prog", "alone"]), (3, ["./prog", "forks"]), (3, ["./none"]),
                        (4, ["-t", "1s", "--check", "sleep 1000", "./prog", "fine"]),
                        (4, ["--require-complete", "-s", "dfs", "-n", "3", "./prog", "many"]),
                        (5, ["--cover", "main<add", "-s", "random", "-n", "3", "./prog", "fine"])):
        status(code, *both, *words)
        is_, fine = verdict()
        check(is_ == [{0: "system-out", 1: "failure"}.get(code, "error")] and fine == (code < 2), f"{code}, {words}: {is_} {fine}")
    check(interrupted(signal.SIGTERM, *both, *ENDLESS[1:], "./prog", "fine") == 143 and verdict() == (["error"], False),
          f"interrupted: {verdict()}")


def main():
    with open("prog.c", "w", encoding="utf-8") as f:
        f.write(SOURCE)
    subprocess.run([os.path.join(BIN, "plait-cc"), "-g", "-O1", "-o", "prog", "prog.c"], check=True)
    for name, line in (("list", "fine"), ("bad", ""), ("alone", "alone")):
        with open(name + ".txt", "w", encoding="utf-8") as f:
            f.write(f"./prog {line}\n")
    with open(MANUAL, encoding="utf-8") as f:
        table = f.read().split(".Sh EXIT STATUS", 1)[1].split(".Sh ", 1)[0]
    rows = [int(n) for n in re.findall(r"^\.It (\d+)$", table, re.M)]
    for row in rows:
        test = globals().get(f"exit_{row}")
        check(test is not None, f"no test of exit status {row}")
        if test is not None:
            test()
    closed_descriptors()
    time_is_a_bound()
    reports_agree()
    print(f"{len(rows)} exit statuses")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        main()
        os.chdir("/")
    sys.exit(1 if problems else 0)
