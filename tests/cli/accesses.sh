#!/bin/sh
# SPDX-License-Identifier: MIT
# Findings about two accesses, as a user meets them: the text, the JSON, the table, the replay, what
# minimize makes of them, and how they stand beside a failure of the same execution.
set -eu
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# expect CODE PATTERN COMMAND...: the exit code, and what it says
expect() {
    code=$1 pattern=$2
    shift 2
    rc=0
    "$@" >out.txt 2>err.txt </dev/null || rc=$?
    [ "$rc" = "$code" ] || fail "'$*' exits with $rc, not $code: $(cat out.txt err.txt)"
    grep -q -- "$pattern" err.txt out.txt || fail "'$*' does not say '$pattern': $(cat out.txt err.txt)"
}

json() {
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

cat >count.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int counter;
static char text[16];
static void add(void)
{
    counter++;
}
static void *careful(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_rwlock_rdlock(&rw);
    add();
    memset(text, 1, sizeof(text));
    pthread_rwlock_unlock(&rw);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *careless(void *arg)
{
    add();
    text[3] = 2;
    return arg;
}
int main(int argc, char **argv)
{
    pthread_t t, u;
    pthread_create(&t, 0, careful, 0);
    pthread_create(&u, 0, careless, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(argc == 1 || counter == 2);
    (void)argv;
    return 0;
}
C
plait-cc -g -O0 -o count count.c

# The text of a report, to the letter.
expect 1 'lockset' plait test -s dfs --risk off --detect lockset -o out ./count
cat >expected.txt <<'T'
finding 1: lockset: shared memory that no lock protects
  counter (4 bytes), in execution 2
  thread 0.1 writes it at count.c:10 (add), holding mutex m since count.c:14 and rwlock rw for reading since count.c:15
      called from count.c:16 (careful)
  thread 0.2 writes it at count.c:10 (add), holding nothing
      called from count.c:24 (careless)
  minimised: 0 preemptions, 3 switches
  why: it shows because thread 0.1 reads counter (count.c:10) before thread 0.2 writes it (count.c:10)
       otherwise it does not: plait replay out/passing-001-lockset.plait
  replay: plait replay out/finding-001-lockset.plait
  show:   plait show out/finding-001-lockset.plait

finding 2: lockset: shared memory that no lock protects
  text+3 (1 byte), in execution 2
T
head -n 14 out.txt | sed 's/text\[3\]/text+3/' >is.txt
diff expected.txt is.txt || fail "the report reads differently"
grep -q 'thread 0.1 writes text.* (16 bytes) at count.c:17 (careful), holding mutex m' out.txt ||
    fail "what is larger than the common part is not named: $(cat out.txt)"
grep -q '2 findings in 2 executions' out.txt || fail "the summary: $(cat out.txt)"
grep -q 'explored  2 executions (1 with findings)' out.txt || fail "the summary: $(cat out.txt)"

# The same as a table, and again.
expect 0 'thread 0.2 writes it at count.c:10 (add), holding nothing' plait show out/latest/finding-001-lockset.plait
grep -q '^  counter (4 bytes)$' out.txt || fail "the table does not name it: $(cat out.txt)"
grep -q '^ *[0-9]* .*libplait\|init.c' out.txt && fail "the table shows code of plait"
for carrier in fiber thread; do
    expect 1 'the same finding, as recorded' plait replay --carrier $carrier out/latest/finding-001-lockset.plait
    expect 1 'the same finding, as recorded' plait replay --carrier $carrier out/latest/finding-002-lockset.plait
    grep -q 'text.3.* (1 byte)' out.txt || fail "replay shows another finding: $(cat out.txt)"
    grep -q 'counter' out.txt && fail "replay shows what was not promised: $(cat out.txt)"
done
expect 0 'minimised: 0 preemptions' plait minimize -o min.plait out/latest/finding-002-lockset.plait
expect 1 'as recorded' plait replay min.plait
# A detector that looks for something else does not find it.
sed 's/^option detect lockset/option detect deadlock/' out/latest/finding-001-lockset.plait >other.plait
cmp -s out/latest/finding-001-lockset.plait other.plait && fail "the schedule does not say which detectors"

# JSON: both accesses with their locks and callers.
expect 1 'lockset' plait test -q -s dfs --risk off --detect lockset --json out.json -o out ./count
is=$(json out.json '[(a["thread"], a["operation"], a["size"], a["object"], a["location"], a["stack"])
    for a in r["findings"][0]["accesses"]]')
[ "$is" = "[('0.1', 'write', 4, 'counter', 'count.c:10 (add)', ['count.c:16 (careful)']), \
('0.2', 'write', 4, 'counter', 'count.c:10 (add)', ['count.c:24 (careless)'])]" ] || fail "JSON: $is"
is=$(json out.json '[[(l["kind"], l["object"], l["shared"], l["since"]) for l in a["locks"]]
    for a in r["findings"][0]["accesses"]]')
[ "$is" = "[[('mutex', 'm', False, 'count.c:14'), ('rwlock', 'rw', True, 'count.c:15')], []]" ] ||
    fail "JSON: $is"
is=$(json out.json '(r["failures"], [f["count"] for f in r["findings"]], r["findings"][0]["message"])')
[ "$is" = "(1, [1, 1], 'shared memory that no lock protects')" ] || fail "JSON: $is"

# With a failure in the same execution: both are found, each replays and is explained on its own.
expect 1 'assertion' plait test -s dfs -k --detect +lockset -o both --json both.json ./count check
[ "$(json both.json 'sorted(f["kind"] for f in r["findings"])')" = "['assertion', 'lockset', 'lockset']" ] ||
    fail "with a failure: $(cat out.txt)"
[ "$(json both.json 'all(f["replays"] for f in r["findings"])')" = True ] || fail "$(cat out.txt)"
[ "$(json both.json 'r["complete"]')" = True ] || fail "not complete"
grep -q 'why: it fails because thread 0.[12] reads counter' out.txt || fail "no reason: $(cat out.txt)"
f=$(json both.json '[f for f in r["findings"] if f["kind"] == "assertion"][0]["schedule"]')
passing=$(json both.json '[f for f in r["findings"] if f["kind"] == "assertion"][0]["explanation"]["passing"]')
expect 1 'the same finding, as recorded' plait replay "$f"
grep -q 'finding 1: assertion' out.txt || fail "replay shows another finding: $(cat out.txt)"
# It passes, although it is no better protected; that is said, too.
expect 0 'it ends well in spite of that, as recorded' plait replay "$passing"
grep -q 'finding 1: lockset' out.txt || fail "what was noted is not shown: $(cat out.txt)"

# With several workers, and without minimising.
expect 1 'with findings' plait test -s dfs -k -j 2 --detect lockset --no-minimize -o jobs --json jobs.json ./count
[ "$(json jobs.json '[(f["kind"], f["replays"]) for f in r["findings"]]')" = \
  "[('lockset', True), ('lockset', True)]" ] || fail "with two workers: $(cat out.txt)"
[ "$(json jobs.json 'r["failures"]')" -lt "$(json jobs.json 'r["executions"]')" ] || fail "$(cat out.txt)"
[ "$(json jobs.json 'r["executions"]')" = "$(json both.json 'r["executions"]')" ] || fail "$(cat out.txt)"

# Without the detector there is nothing.
expect 0 'clean, complete' plait test -s dfs ./count

# More than there is room for in one execution: that is said, and a crash is not lost behind it.
{
    echo '#include <pthread.h>'
    for i in $(seq 40); do echo "static volatile int v$i;"; done
    echo 'static void *run(void *arg) {'
    for i in $(seq 40); do echo "v$i = 1;"; done
    echo 'return arg; } int main(void) { pthread_t t; run(0); pthread_create(&t, 0, run, 0);'
    echo 'pthread_join(t, 0); *(volatile int *)8 = 1; }'
} >many.c
plait-cc -g -o many many.c
expect 1 'at least 1 more finding did not fit' plait test --detect lockset --no-minimize --json many.json ./many
[ "$(json many.json 'sorted(set(f["kind"] for f in r["findings"]))')" = "['crash', 'lockset']" ] ||
    fail "the crash is lost: $(cat out.txt)"

# One variable is one race, whichever statements meet there, and so are the same two lines; an
# array's elements are one variable.  What cannot be confirmed can be left out.
cat >one.c <<'C'
#include <pthread.h>
static volatile int now, other, slots[4];
static void *tick(void *arg)
{
    now = 1;
    now = 2;
    other = now;
    slots[1] = 1;
    return arg;
}
static void *look(void *arg)
{
    int seen = now;
    seen += now;
    seen += slots[1];
    slots[2] = other;
    slots[3] = seen;
    return arg;
}
int main(void)
{
    pthread_t t, u, v;
    pthread_create(&t, 0, tick, 0);
    pthread_create(&u, 0, look, 0);
    pthread_create(&v, 0, look, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_join(v, 0);
}
C
plait-cc -g -o one one.c
expect 1 'pairs of statements race there' plait test -s random -n 5 -k --detect race --no-minimize --drive 20 --json one.json ./one
[ "$(json one.json 'sorted(f["object"].split("[")[0] for f in r["findings"])')" = "['now', 'other', 'slots']" ] ||
    fail "a variable is not one race: $(cat out.txt)"
[ "$(json one.json '[f["pairs"] > 1 and len(f["accesses"]) > 2 for f in r["findings"] if f["object"] == "now"]')" = "[True]" ] ||
    fail "the accesses of a race are not listed: $(cat out.txt)"
expect 1 'also: thread 0.* reads it at one.c:1[34]' plait test -s random -n 5 --detect race --no-minimize --drive 0 ./one
expect 0 '[0-9]* races that could not be confirmed left out' \
    plait test -s random -n 5 --detect race --no-minimize --drive 0 --confirmed ./one
expect 1 'confirmed in either order' plait test -s random -n 5 --detect race --no-minimize --drive 20 --confirmed ./one

# A library without hooks may order what hooks announce: such a race is told once both orders have been seen.
cat >lock.c <<'C'
#include <sched.h>
static int word;
void take(void) { while (__atomic_exchange_n(&word, 1, __ATOMIC_ACQUIRE)) sched_yield(); }
void give(void) { __atomic_store_n(&word, 0, __ATOMIC_RELEASE); }
C
cat >locked.c <<'C'
#include <pthread.h>
void take(void), give(void);
int a, b;
static void *work(void *arg)
{
    take();
    a++;
    give();
#ifdef BUG
    b++;
#endif
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
}
C
gcc -g -O1 -shared -fPIC -o liblock.so lock.c
plait-cc -g -O1 -o locked locked.c ./liblock.so
plait-cc -g -O1 -DBUG -o bug locked.c ./liblock.so
expect 0 '1 race left out: no try has shown both orders, and a library without hooks may order the accesses' \
    plait test -s random -n 5 -k --detect race --no-minimize --drive 20 --json locked.json ./locked
[ "$(json locked.json 'r["doubtful"], len(r["findings"])')" = "(1, 0)" ] || fail "not left out: $(cat out.txt)"
expect 1 'not confirmed in 20 tries' \
    plait test -s random -n 5 -k --detect race --no-minimize --drive 20 --unconfirmed ./locked
expect 1 '1 race left out' plait test -s random -n 5 -k --detect race --no-minimize --drive 20 --json bug.json ./bug
[ "$(json bug.json '[f["object"] for f in r["findings"]]')" = "['b']" ] || fail "the true one is lost: $(cat out.txt)"
