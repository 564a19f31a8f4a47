#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sentences of one summary do not contradict each other, nor the result as JSON, whatever the strategy, the way to restart,
the limit and the program.

argument: the folder with plait and plait-cc.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

BIN = os.path.abspath(sys.argv[1])
problems = []

SOURCE = r"""
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int n;
static const char *how;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg)
{
    if (strcmp(how, "locks") == 0) {
        pthread_mutex_lock(arg ? &m : &o);
        pthread_mutex_lock(arg ? &o : &m);
        pthread_mutex_unlock(&m);
        pthread_mutex_unlock(&o);
    }
    if (strcmp(how, "writes") == 0) {
        FILE *f = fopen("o.txt", "a");
        if (f != NULL)
            fclose(f);
        usleep(10);
    }
    if (strcmp(how, "bad") == 0) {
        n++;
        return arg;
    }
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(int argc, char **argv)
{
    pthread_t t;
    how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "alone") == 0)
        return 0;
    pthread_create(&t, 0, work, 0);
    work(&t);
    pthread_join(t, 0);
    if (strcmp(how, "starts") == 0)
        n += system("true");
    assert(n == 2);
    return 0;
}
"""

# What cannot stand beside each other.
APART = [
    (r"clean, complete|the search is complete", r"has not come to its end|stopped at the first finding|executions? left\b"),
    (r"every order of synchronisation was tried", r"has not come to its end"),
    (r"no finding in|clean, complete", r"\(\d+ failed\)|^finding 1:"),
    (r"nothing was under control", r"every interleaving was covered|clean"),
    (r"by rollback", r"^ +(fork|exec), because"),
    (r"by fork", r"^ +(rollback|exec), because"),
    (r"by exec", r"^ +(rollback|fork), because"),
    (r"limit of \d+ executions? was reached", r"complete: every|the search is complete"),
]
ONE = re.compile(r"(?<![\d.,])1 (executions|findings|samples|classes|threads|paths|pairs|choices|orders|campaigns|attempts)\b")


def look(words, printed, result):
    shown = f"plait test {' '.join(words)}:\n{printed}"
    for one, other in APART:
        if re.search(one, printed, re.M) and re.search(other, printed, re.M):
            problems.append(f"'{one}' beside '{other}': {shown}")
    if ONE.search(printed):
        problems.append(f"'{ONE.search(printed).group()}': {shown}")
    said = re.search(r"(clean, complete|the search is complete)(: | if what|\n)", printed) is not None
    if result is not None and said != result["complete"]:
        problems.append(f"the result says complete={result['complete']}: {shown}")
    if result is not None and len(result["findings"]) != len(re.findall(r"^finding \d+: ", printed, re.M)):
        problems.append(f"the result has {len(result['findings'])} findings: {shown}")


def run(*words):
    if os.path.exists("r.json"):
        os.remove("r.json")
    done = subprocess.run([os.path.join(BIN, "plait"), "test", "--no-minimize", "-o", "results", "--json", "r.json", *words],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
    result = json.load(open("r.json", encoding="utf-8")) if os.path.exists("r.json") else None
    if done.returncode not in (0, 1, 3, 4, 5):
        problems.append(f"exit status {done.returncode}: {words} {done.stdout}")
    look(words, done.stdout, result)


def main():
    with open("prog.c", "w", encoding="utf-8") as f:
        f.write(SOURCE)
    subprocess.run([os.path.join(BIN, "plait-cc"), "-g", "-O1", "-o", "prog", "prog.c"], check=True)
    subprocess.run(["gcc", "-g", "-o", "plain", "prog.c"], check=True)
    runs = [["-s", s, "-n", n, *k, "./prog", how] for s in ("auto", "random", "dfs", "dpor", "hapset", "pcb", "rff")
            for n, k in (("1", []), ("40", ["-k"])) for how in ("fine", "bad", "locks")]
    runs += [["-n", "40", *more, "./prog", how] for how in ("fine", "writes", "starts", "alone")
             for more in ([], ["--restart", "fork"], ["--restart", "exec"], ["--time-outs", "never"], ["-j", "2", "-s", "dfs"])]
    runs += [["-n", "40", "./plain", how] for how in ("fine", "bad", "alone", "locks")]
    runs += [["--max-operations", "1", "-s", "dfs", "./prog", "fine"], ["--detect", "+race,+lock-order", "-s", "dfs", "./prog", "locks"],
             ["-s", "noise", "-n", "3", "./prog", "fine"], ["-s", "exitblock", "./prog", "bad"], ["-s", "exitblock", "./prog", "fine"],
             ["--until", "plateau=5", "-s", "random", "./prog", "fine"], ["--cover", "main<work", "-n", "20", "./prog", "fine"],
             ["--require-complete", "-s", "dfs", "-n", "2", "./prog", "fine"], ["-t", "100ms", "./prog", "fine"]]
    for words in runs:
        run(*words)
    for problem in problems:
        print("FAILED", problem)
    print(f"{len(runs)} summaries, {len(problems)} contradictions")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        main()
        os.chdir("/")
    sys.exit(1 if problems else 0)
