#!/bin/sh
# SPDX-License-Identifier: MIT
# hapset: sets that one input has taught are given to another and to a program that was built anew; what
# is no coverage is refused; parameters that make no sense are refused.  PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

cat >count.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items, done, sum, torn;

static void *work(void *arg)
{
    int n = atoi(arg);

    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&lock);
        items++;
        sum += i;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
    if (n > 2) { /* only with a larger input */
        int seen = torn;

        torn = seen + 1;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[3];

    (void)argc;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, argv[1]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(done == 3 && items == 3 * atoi(argv[1]));
    assert(atoi(argv[1]) <= 2 || torn == 3);
    return 0;
}
END
plait cc -g -O1 count.c -o count || exit 1

expect 0 "no uncovered order left" plait test -s hapset -o a -- ./count 2
grep -q '"predecessors":\[\[' a/coverage.json || fail "nothing was learned"

# What is known of the small input is not tried again with it: one execution, beside those that
# show what is shared; and the bug of the larger one is found with fewer executions.
expect 0 "no uncovered order left" plait test -s hapset --points all -o a2 -- ./count 2
without=$(executions)
expect 0 "no uncovered order left" plait test -s hapset --points all --coverage a -o a3 -- ./count 2
[ "$(executions)" = 1 ] || fail "known orders were tried again: $(executions) executions"
[ "$without" -gt 1 ] || fail "there was nothing to learn"
expect 1 "assertion" plait test -s hapset -o b -- ./count 3
without=$(executions)
expect 1 "assertion" plait test -s hapset --coverage a/coverage.json -o b2 -- ./count 3
[ "$(executions)" -le "$without" ] || fail "$(executions) executions with sets, $without without"

# What an execution that failed had is remembered.
grep -q '"failing":\[\[' b/coverage.json || fail "the failure was not remembered"
grep -q '"failing":\[\]' a/coverage.json || fail "a failure was remembered that there was not"

# Without callers there is one statement that takes the lock: it is known before and after itself at
# once, and the write and the read are in no race.  The order in which it fails is found all the same,
# with sets that good executions have taught, too, and at once if a failure is known.
cat >order.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int tally;
static atomic_int ready;

__attribute__((noinline)) static void count(void)
{
    pthread_mutex_lock(&lock);
    tally++;
    pthread_mutex_unlock(&lock);
}

static void *reader(void *arg)
{
    count();
    assert(ready);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, reader, NULL);
    count();
    ready = 1;
    count();
    pthread_join(t, NULL);
    return 0;
}
END
plait cc -g -O1 order.c -o order || exit 1
expect 1 "assertion" plait test -s hapset:context=0 --points all -o o -- ./order
least=$(executions)
expect 0 "limit of" plait test -s hapset:context=0 --points all -n $((least - 1)) -o o2 -- ./order
expect 1 "assertion" plait test -s hapset:context=0 --points all --coverage o2 -o o3 -- ./order
[ "$(executions)" -le "$least" ] || fail "$(executions) executions with sets, $least without"
expect 1 "in execution 2" plait test -s hapset:context=0 --points all --coverage o -o o4 -- ./order

# The same if the exhaustive search follows, which executes no class twice.
for then in context=0,then=dpor context=0,base=pcb,then=dpor; do
    expect 1 "assertion" plait test -s "hapset:$then" --points all -o "p-$then" -- ./order
    [ "$(executions)" -le "$least" ] || fail "$then: $(executions) executions, $least without going on"
    expect 1 "in execution 2" plait test -s "hapset:$then" --points all --coverage o -o "q-$then" -- ./order
    expect 1 "the search is complete" plait test -s "hapset:$then" --points all -k -o "r-$then" -- ./order
    classes=$(sed -n 's/.* executions ([0-9]* failed), \([0-9]*\) classes.*/\1/p' out.txt)
    [ "$(executions)" = "$classes" ] || fail "$then: $(executions) executions of $classes classes"
done

# Names hold after a rebuild: with other code before it, and by another compiler's options.
sed 's/^static int items/static int more[100];\n#line 7\nstatic int items/' count.c >tmp.c && mv tmp.c count.c
plait cc -g -O1 -DOTHER count.c -o count || exit 1
expect 0 "no uncovered order left" plait test -s hapset --points all --coverage a -o a4 -- ./count 2
[ "$(executions)" = 1 ] || fail "names were not recognised: $(executions) executions"

grep -q "given     \([0-9]*\) of the \1 statements in the coverage given were executed" out.txt || fail "no statements met"

# Those of another program are of no use, and that is said.
sed 's/work/labour/g' count.c >stranger.c
plait cc -g -O1 stranger.c -o stranger || exit 1
expect 0 "given     0 of the [1-9][0-9]* statements .* is it that of another program?" \
    plait test -s hapset --coverage a --json given.json -o a5 -- ./stranger 2
grep -q '"executed": 0' given.json || fail "no numbers in JSON"

# Files that are none of ours.
echo '{"format": "other"}' >foreign.json
head -c 400 a/coverage.json >cut.json
sed 's/"version":4/"version":99/' a/coverage.json >future.json
sed 's/"predecessors":\[\[[0-9]*/"predecessors":[[999999/' a/coverage.json >damaged.json
expect 2 "is no coverage file" plait test -s hapset --coverage foreign.json -o c -- ./count 2
expect 2 "is damaged, or no coverage file: it ends too early" plait test -s hapset --coverage cut.json -o c -- ./count 2
expect 2 "another version" plait test -s hapset --coverage future.json -o c -- ./count 2
expect 2 "is a damaged coverage file: its list of predecessors" plait test -s hapset --coverage damaged.json -o c -- ./count 2
expect 2 "cannot be read" plait test -s hapset --coverage nowhere.json -o c -- ./count 2
expect 2 "is for the strategies hapset and rff" plait test -s dpor --coverage a -o c -- ./count 2
expect 2 "exclude each other" plait test -s hapset --coverage a --no-coverage -o c -- ./count 2

# Sets are part of the list of orders, with source lines, and merged without loss.
expect 0 "^      before mutex lock at count.c:14:9 (work), execution [0-9]* (predecessor set)" plait coverage -v a
expect 0 "" plait coverage --merge all.json a b
expect 0 "" plait coverage --merge again.json b all.json a
cmp -s all.json again.json || fail "merging in another order gives another file"

# Without coverage it works all the same; with deeper contexts, too.
expect 0 "no uncovered order left" plait test -s hapset --no-coverage -o d -- ./count 2
expect 0 "no uncovered order left" plait test -s hapset:context=3 -o e -- ./count 2

# A failure of the first execution, which ends before the threads have done anything, hides nothing.
cat >early.c <<'END'
#include <assert.h>
#include <pthread.h>

static _Atomic int ready, last;

static void *one(void *arg)
{
    ready = 1;
    last = 1;
    return arg;
}

static void *two(void *arg)
{
    last = 2;
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, one, NULL);
    assert(ready);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(last == 2);
    return 0;
}
END
plait cc -g -O1 -pthread early.c -o early || exit 1
for strategy in hapset hapset:base=pcb hapset:then=dpor; do
    expect 1 "2 findings in" plait test -k -s "$strategy" --no-minimize -o h -- ./early
done

# Where executions are resumed makes no difference: there are as many with checkpoints as without.
plait cc -DFIXED -g -O1 -pthread "$source/bench/guided/pool.c" -o pool || exit 1
expect 0 "no uncovered order left" plait test -s hapset -j1 --checkpoints off -o g -- ./pool 4
without=$(executions)
expect 0 "no uncovered order left" plait test -s hapset -j1 --checkpoints always -o g -- ./pool 4
[ "$(executions)" = "$without" ] || fail "$(executions) executions with checkpoints, $without without"

for parameters in learn=x base=dfs bound=2 base=pcb,bound=70000 context=5 then=pcb other=1; do
    expect 2 "hapset takes learn=N" plait test -s "hapset:$parameters" -o f -- ./count 2
done

finish "predecessor sets: all as expected"
