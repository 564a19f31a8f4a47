#!/bin/sh
# SPDX-License-Identifier: MIT
# Paths: `plait test --paths` and -v list what was explored, each execution once, whatever the
# strategy and the restart; `plait show --segments` prints one.  PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

explore() {
    plait test --no-minimize --json result.json "$@" >out.txt 2>&1
    grep '^path ' out.txt >paths.txt
}

executions() {
    python3 -c "import json; print(json.load(open('result.json'))['executions'])"
}

cp "$source/tests/programs/bugs/abba.c" .
plait cc -g -o abba abba.c || exit 1
plait cc -g -o lastzero "$source/tests/programs/counts/count_lastzero.c" || exit 1

# ---------------------------------------------------------------- the lines

cat >expected.txt <<'END'
path 0 finished: 0 <thread create 0.1, mutex unlock a> 0.1 <mutex lock b, thread exit> 0 <thread join 0.1, exit>
path 1 finished: 0 <thread create 0.1, mutex unlock b> 0.1 <mutex lock b> 0 <mutex unlock a> 0.1 <mutex lock a, thread exit> 0 <thread join 0.1, exit>
path 2 finished, deadlock: 0 <thread create 0.1, mutex lock a> 0.1 <mutex lock b>
path 3 finished: 0 <thread create 0.1> 0.1 <mutex lock b, thread exit> 0 <mutex lock a, exit>
path 4 finished: 0 <thread create 0.1> 0.1 <mutex lock b, mutex unlock a> 0 <mutex lock a> 0.1 <mutex unlock b, thread exit> 0 <mutex lock b, exit>
path 5 finished, deadlock: 0 <thread create 0.1> 0.1 <mutex lock b> 0 <mutex lock a>
END
for how in '--paths all' '-v' '--paths 6' '--paths all --restart fork' '--paths all --restart exec' \
    '--paths all --checkpoints always' '--paths all --carrier thread'; do
    explore -s dfs --risk off -k $how ./abba
    cmp -s expected.txt paths.txt || fail "$how lists something else"
    grep -q 'no more than' out.txt && fail "$how says that something is missing"
done
explore -s dfs -k ./abba
[ -s paths.txt ] && fail "paths are listed although nobody asked"
explore -s dfs -k --paths 2 ./abba
[ "$(wc -l <paths.txt)" -eq 2 ] || fail "--paths 2 lists others"
grep -q 'no more than 2 paths are listed; --paths all lists every one' out.txt ||
    fail "--paths 2 does not say that there are more"
explore -s dfs -k --paths 0 -v ./abba
[ -s paths.txt ] && fail "--paths 0 does not turn the listing off"

# What was cut, and a thread that was held back.
explore -k -s dfs --max-operations 2 --paths all ./abba
grep -q '^path [0-9]* cut, 0\(\.1\)\? ran too long at abba.c:[0-9]* ([a-z_]*): 0 <thread create 0.1' paths.txt ||
    fail "no path was cut"

# ---------------------------------------------------------------- every one, once

# all HOW...: as many different numbers, from 0 on, as executions.
all() {
    explore --paths all "$@" ./lastzero
    n=$(executions)
    cut -d ' ' -f 2 paths.txt | sort -n >numbers.txt
    seq 0 $((n - 1)) | cmp -s - numbers.txt || fail "$*: not each of $n paths once"
}
all -s dfs
sort paths.txt >by_rollback.txt
all -s dfs --checkpoints always
sort paths.txt | cmp -s - by_rollback.txt || fail "checkpoints change the paths"
all -s dfs -j 2
all -s dfs --restart fork -n 500
sort paths.txt >by_fork.txt
all -s dfs -n 500
sort paths.txt | cmp -s - by_fork.txt || fail "fork changes the paths"
for strategy in random pct pos surw pairs auto dpor pcb:1 delay:1; do
    all -s $strategy -n 300
done
explore -s dfs -v ./lastzero
[ "$(wc -l <paths.txt)" -eq 1000 ] || fail "-v does not list 1000 paths"
grep -q 'no more than 1000 paths' out.txt || fail "-v does not say that there are more"

# A reader that takes its time is waited for, and nothing is taken for a hang meanwhile.
plait test -s dfs --paths all --hang-time 1s ./lastzero 2>&1 | { sleep 2 && cat; } >out.txt
grep -q 'clean, complete' out.txt || fail "not clean with a slow reader"
[ "$(grep -c '^path ' out.txt)" -eq "$(wc -l <by_rollback.txt)" ] || fail "paths are lost with a slow reader"

for bad in x -1 1x ''; do
    plait test --paths="$bad" ./abba >out.txt 2>&1
    [ $? -eq 2 ] || fail "--paths=$bad is not refused"
done

# ---------------------------------------------------------------- plait show

plait test -q -s dfs -o found ./abba >out.txt 2>&1
plait show --segments found/latest/finding-001-deadlock.plait >out.txt 2>&1 || fail "show --segments fails"
grep -qx '  1  0    <thread create (abba.c:[0-9]*), mutex lock a (abba.c:[0-9]*)>' out.txt &&
    grep -qx '  2  0.1  <mutex lock b (abba.c:[0-9]*)>' out.txt || fail "other segments"
grep -q 'deadlock: 2 threads' out.txt || fail "the finding is missing"
grep -q -- '----\|────' out.txt && fail "there is a table, too"
plait show --segments >out.txt 2>&1
[ $? -eq 2 ] || fail "show without a file is not refused"

# ---------------------------------------------------------------- call stacks

cat >deep.c <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void take(void) { pthread_mutex_lock(&m); }
static void give(void) { pthread_mutex_unlock(&m); }
static int get(void) { take(); int v = n; give(); return v; }
static void set(int v) { take(); n = v; give(); }
static void bump(void) { set(get() + 1); }
static void *run(void *a) { bump(); return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    bump();
    pthread_join(t, 0);
    assert(n == 2);
    return 0;
}
END
plait cc -g -o deep deep.c || exit 1
for how in '' '--restart fork' '--checkpoints always' '--carrier thread'; do
    explore -s exitblock --paths all,stacks -o stacks $how ./deep
    sed -n '/^path 0 /,/^path 1 /p' out.txt >first.txt
    grep -qx '      to   deep.c:6 (give), called at deep.c:8 (set), deep.c:9 (bump), deep.c:15 (main)' first.txt ||
        fail "$how: not the stack at the end of a segment"
    grep -qx '      from deep.c:5 (take), called at deep.c:7 (get), deep.c:9 (bump), deep.c:10 (run)' first.txt ||
        fail "$how: not the stack at the beginning of a segment"
done
plait show --segments stacks/latest/finding-001-assertion.plait >out.txt
grep -qx ' *to   deep.c:6 (give), called at deep.c:7 (get), deep.c:9 (bump), deep.c:15 (main)' out.txt &&
    grep -qx ' *from deep.c:5 (take), called at deep.c:8 (set), deep.c:9 (bump), deep.c:15 (main)' out.txt ||
    fail "show --segments has no stacks"
plait replay stacks/latest/finding-001-assertion.plait >out.txt 2>&1
[ $? -eq 1 ] || fail "a schedule with stacks is not replayed"

finish "paths are listed"
