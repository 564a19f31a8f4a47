#!/bin/sh
# SPDX-License-Identifier: MIT
# Every strategy that plait lists: it finds a deadlock that two threads can come to, what it found
# is replayed, the same seed makes the same executions, and a program that does nothing wrong is
# left alone.  A new strategy is tested here by being listed.  PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

cp "$source/tests/programs/bugs/abba.c" .
cat >tidy.c <<'END'
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *arg)
{
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    return sum != 2;
}
END
plait cc -g -o abba abba.c && plait cc -g -o tidy tidy.c || exit 1
# What goes by static pairs needs programs that can be analysed.
if PLAIT_CC=clang plait cc --whole -g -o tidy.whole tidy.c 2>/dev/null; then
    PLAIT_CC=clang plait cc --whole -g -o abba.whole abba.c || exit 1
fi

# What a campaign of 300 executions at most came to, but for times and places.
campaign() {
    rm -rf results
    program=$2
    [ "$1" != values ] || program=$2.whole
    plait test -q -s "$1" -n 300 --no-minimize -o results --json result.json "./$program" >out.txt 2>&1
    echo "exit $?"
    python3 -c "import json; r = json.load(open('result.json'))
print(r['executions'], r['classes'], [f['kind'] for f in r['findings']])"
}

names=$(plait list strategies | cut -d ' ' -f 1)
[ "$(echo "$names" | wc -l)" -gt 10 ] || fail "few strategies are listed"
for name in $names; do
    if [ "$name" = values ]; then
        expect 3 'plait cc --whole' plait test -s values ./tidy
        [ -x tidy.whole ] || continue
    fi
    campaign "$name" tidy >tidy.txt
    grep -q '^exit 0$' tidy.txt || fail "$name finds something in a program that is right"
    # Of threads that run freely nothing else can be promised.
    plait test --cover 'a<b' -s "$name" ./tidy 2>&1 | grep -q 'run freely' && continue
    campaign "$name" abba >first.txt
    campaign "$name" abba >second.txt
    cmp -s first.txt second.txt || fail "$name makes other executions with the same seed"
    grep -q '^exit 1$' first.txt || fail "$name does not find the deadlock"
    grep -q deadlock first.txt || fail "$name finds something else"
    expect 1 deadlock plait replay results/*.plait
done

finish "$(echo "$names" | wc -l) strategies keep what all of them promise"
