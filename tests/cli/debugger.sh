#!/bin/sh
# SPDX-License-Identifier: MIT
# The commands of docs/guide/debugging.md, as they stand there: gdb stops in the program, sees its threads, and time spent
# there is no hang.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

cat >total.c <<'C'
#include <assert.h>
#include <pthread.h>
static int total;
static void *add(void *arg)
{
    total++;
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(total == 2);
    return 0;
}
C
plait cc -g -O0 -o total total.c || exit 1
expect 1 'assertion' plait test ./total
awk '/^<!-- gdb -->/ { on = 1; next } on && /^```/ { if (begun) exit; begun = 1; next } begun' \
    "$source/docs/guide/debugging.md" >commands
grep -q '^run$' commands || fail "the guide has no commands"
# Longer in the debugger than a hang may take.
sed 's/^print total$/print total\nshell sleep 3/' commands >slow
DEBUGINFOD_URLS='' timeout 300 gdb -batch -nx -x slow --args plait replay --hang-time 1s --carrier thread \
    --restart exec .plait/total/latest/finding-001-assertion.plait >out.txt 2>&1 </dev/null
# The debugger followed the program and is done with it; plait still has to say what came of that.
for _ in $(seq 100); do
    grep -q '^./total: ' out.txt && break
    sleep 0.1
done
for text in 'hit Breakpoint 1.*add' '"total".*add (' '^\$1 = [01]' 'the same finding, as recorded'; do
    grep -q "$text" out.txt || fail "no '$text'"
done
finish "the commands of the guide work"
