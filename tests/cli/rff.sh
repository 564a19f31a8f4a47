#!/bin/sh
# SPDX-License-Identifier: MIT
# rff: who read from whom is kept in the results folder, merged, and given to a later campaign, which then
# tries something else; workers together; what makes no sense is refused.
# PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

# With "late" the reader comes when all is written, so that campaigns are good and teach.  What a watcher
# reads may come from elsewhere, too, and is no bug; that is known then.
cat >stages.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define EACH(do) do(0) do(2) do(4) do(6) do(8) do(10) do(12) do(14) do(16) do(18) do(20) do(22)
#define SET(i) atomic_store(&other[i], 1);
#define GET(i) (void)atomic_load(&other[i]);

enum { WRITERS = 6 };

static atomic_int first, second, other[24];

static void *writer(void *arg)
{
    EACH(SET)
    atomic_store(&first, 1);
    atomic_store(&second, 1);
    return arg;
}

static void *watcher(void *arg)
{
    EACH(GET)
    return arg;
}

static void *reader(void *arg)
{
    int one = atomic_load(&first), two = atomic_load(&second);

    assert(one == 0 || two == 1);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t threads[WRITERS + 1], last;
    int late = argc > 1 && strcmp(argv[1], "late") == 0;

    for (int i = 0; i < WRITERS; i++)
        pthread_create(&threads[i], NULL, writer, NULL);
    pthread_create(&threads[WRITERS], NULL, watcher, NULL);
    if (!late)
        pthread_create(&last, NULL, reader, NULL);
    for (int i = 0; i <= WRITERS; i++)
        pthread_join(threads[i], NULL);
    if (late)
        pthread_create(&last, NULL, reader, NULL);
    pthread_join(last, NULL);
    return 0;
}
END
plait cc -g -O1 stages.c -o stages || exit 1

expect 0 "no finding in 60 executions" plait test -s rff -n 60 -o a -- ./stages late
grep -q '"reads":\[\[' a/coverage.json || fail "nobody read from anybody"
grep -q '"first_reads":\[\[' a/coverage.json || fail "nobody read a first value"

# explore OPTIONS...: what the campaign came to, which the seed decides and what is given.
explore() {
    expect 1 "assertion" plait test -s rff -n 60 -k --seed 2 --no-minimize "$@" -- ./stages
    explored=$(grep explored out.txt)
}

explore -o b
plain=$explored
explore -o b2
[ "$explored" = "$plain" ] || fail "the same seed gave something else"
explore --coverage a -o b3
[ "$explored" != "$plain" ] || fail "what is given changes nothing"

# The same once more is the same; other workers may help.
expect 1 "assertion" plait test -s rff -n 2000 --seed 3 -o c -- ./stages
once=$(executions)
expect 1 "assertion" plait test -s rff -n 2000 --seed 3 --restart fork -o c2 -- ./stages
[ "$(executions)" = "$once" ] || fail "$(executions) executions by fork, $once by rollback"
expect 1 "assertion" plait test -s rff -n 4000 -j 2 -o d -- ./stages

expect 0 "" plait coverage --merge all.json a b
expect 0 "" plait coverage --merge again.json b all.json a
cmp -s all.json again.json || fail "merging in another order gives another file"
sed 's/"reads":\[\[[0-9]*/"reads":[[999999/' a/coverage.json >damaged.json
expect 2 "is a damaged coverage file" plait test -s rff --coverage damaged.json -o e -- ./stages

for parameters in constraints=0 constraints=9 constraints=x context=5 other=1 4; do
    expect 2 "rff takes constraints=N" plait test -s "rff:$parameters" -o f -- ./stages
done

finish "who read from whom: all as expected"
