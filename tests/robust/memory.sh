#!/bin/sh
# SPDX-License-Identifier: MIT
# 10,000 executions of 4 threads with 200 operations: memory of tool and worker does not grow.
. "$2/common.sh"
cat >ops.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *work(void *arg)
{
    for (int i = 0; i < 17; i++) {
        pthread_mutex_lock(&lock);
        n++;
        pthread_mutex_unlock(&lock);
        free(malloc(100));
    }
    return arg;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
C
plait-cc -g -o memory_eater ops.c
# A listing that is read slowly holds the campaign up, so it is known how far it is.
python3 - <<'P'
import json
import subprocess

EARLY, LATE, ALL = 1000, 9000, 10000
ALLOWED = 2048  # KB; 10,000 classes are kept in the common: two tables of 8 bytes for each slot


def rss(pid):
    """Private and shared memory of a process in KB."""
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def child(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
        return int(children.read().split()[0])


def memory(tool):
    keeper = child(tool)
    return {"tool": rss(tool), "keeper": rss(keeper), "runner": rss(child(keeper))}


tool = subprocess.Popen(["plait", "test", "-s", "random", "-n", str(ALL), "--paths", "all", "--json",
                         "r.json", "./memory_eater"], stdout=subprocess.PIPE)
paths, seen = 0, {}
for line in tool.stdout:
    paths += line.startswith(b"path ")
    if paths in (EARLY, LATE) and paths not in seen:
        seen[paths] = memory(tool.pid)
assert tool.wait() == 0, "plait test failed"
with open("r.json", encoding="utf-8") as report:
    result = json.load(report)
assert result["executions"] == paths == ALL, f"{paths} paths, {result['executions']} executions"
for name, before in seen[EARLY].items():
    after = seen[LATE][name]
    print(f"{name} {before} -> {after} KB")
    assert after <= before + ALLOWED, f"the {name} grew"
print(result["points_per_execution"], "points")
P
