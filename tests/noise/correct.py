#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: correct.py ROOT BUILD [--each 1] [--executions 20] [--time 60s] [--words open,pipe,...] [--only NAME]

Noise accuses nobody: programs that are right are executed under noise, and nothing may be found.

The programs are those of tests/programs that use files, pipes, sockets, timers or children, each as
it is built by a RUN line that expects it to be clean whatever the schedule.  What a program may do
natively, such as end with another status, it is told by the options of that line.  --each 5 takes
every fifth of them.  One that sleeps does so for seconds in each execution: of such there are as many as --time
has room for.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(ROOT, "tests"))

import run_program  # noqa: E402

WORDS = ("open,fopen,tmpfile,read,write,pipe,socketpair,socket,accept,poll,select,epoll_wait,eventfd,timerfd_create,"
         "timer_create,alarm,setitimer,nanosleep,usleep,sleep,clock_gettime,pthread_cond_timedwait,fork,waitpid,"
         "posix_spawn,system,popen,signal,sigaction,kill,pthread_kill,mmap,printf,fprintf,puts,fputs,getline")
# What says how to judge a program; all else of a line is about another strategy.
KEPT = {"--expect-exit": 1, "--check": 1}
CONTROLLED = ("--spurious", "--weak-cas", "--max-steps", "--max-operations", "--points")
# Not right without control: by file, the flags that make it so (None: any), and why.
LEFT_OUT = {
    "time_runs_out.c": ("-DFACE=1", "two wait and one is signalled: natively the other waits for seventy years"),
    "numbers_asked.c": (None, "plait's own descriptors are hidden only where system calls are watched"),
    "signalfd_own.c": ("-DTAKE=preadv2(fd,pieces,2,-1,0)", "so is what stands in for the descriptor of signals"),
}
LIMIT = 300  # seconds for one program
WRONG = (1, 2, 70)  # exit statuses: a finding, no such option, a bug in plait; children may be beyond control

Case = collections.namedtuple("Case", "path flags options arguments")


def is_right(run):
    """Whether the line says that no schedule fails."""
    words = run.expect["words"]
    return "clean" in words and "complete" in words and not run.native and not any(
        o.split("=")[0] in CONTROLLED or "%t" in o for o in run.options + run.arguments)


def is_left_out(path, flags):
    flag, _why = LEFT_OUT.get(os.path.basename(path), ("", ""))
    return flag is None or flag in flags


def kept(options):
    """The options that say what is right."""
    out, i = [], 0
    while i < len(options):
        name = options[i].split("=")[0]
        n = KEPT.get(name, 0) if "=" not in options[i] else 0
        if name in KEPT:
            out += options[i:i + n + 1]
        i += n + 1
    return out


def cases(words):
    pattern = re.compile(r"\b(?:%s)\(" % "|".join(map(re.escape, words)))
    folder = os.path.join(ROOT, "tests", "programs")
    for path in sorted(os.path.join(f, n) for f, _, names in os.walk(folder) for n in names):
        if not path.endswith((".c", ".cpp")):
            continue
        with open(path, encoding="utf-8") as file:
            if not pattern.search(file.read()):
                continue
        runs, *_ = run_program.parse_program(path)
        seen = set()
        for run in runs:
            key = tuple(run.flags)
            if is_right(run) and not run.selectors and key not in seen and not is_left_out(path, run.flags):
                seen.add(key)
                yield Case(path, run.flags, kept(run.options), run.arguments)


def check(case, number, plait, work, options):
    """What is wrong, or None."""
    name = f"p{number}"
    compiler = "c++" if case.path.endswith(".cpp") else "cc"
    folder = os.path.join(work, f"d{number}")
    os.mkdir(folder)
    built = subprocess.run([plait, compiler, "-g", "-O1", "-w", *case.flags, case.path, "-o", name, "-pthread", "-I",
                            os.path.join(ROOT, "include"), "-lrt", "-ldl", "-lm"], cwd=folder,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           check=False)
    if built.returncode != 0:
        return f"not built: {built.stdout[-300:]}"
    done = subprocess.run([plait, "test", "-s", "noise", "-n", str(options.executions), "-t", options.time, "-o", "out",
                           *case.options, "--", "./" + name, *case.arguments], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT,
                          check=False)
    noted = "did not come again" in done.stdout  # a finding that no replay shows
    return done.stdout[-1500:] if done.returncode in WRONG or noted else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root")
    parser.add_argument("build")
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--executions", type=int, default=20)
    parser.add_argument("--time", default="60s")
    parser.add_argument("--words", default=WORDS)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    plait = os.path.join(os.path.abspath(options.build), "bin", "plait")
    wanted = [c for c in cases(options.words.split(",")) if options.only in c.path][::options.each]
    wrong = 0
    with tempfile.TemporaryDirectory() as work:
        for i, case in enumerate(wanted):
            text = check(case, i, plait, work, options)
            if text is not None:
                wrong += 1
                print(f"{os.path.relpath(case.path, ROOT)} {' '.join(case.flags)}: {text}\n", flush=True)
    print(f"{len(wanted)} programs that are right, {options.executions} executions or {options.time} each: "
          f"{wrong} with a finding")
    sys.exit(wrong != 0 or not wanted)


main()
