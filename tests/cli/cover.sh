#!/bin/sh
# SPDX-License-Identifier: MIT
# --cover: an order of two places is shown, kept and replayed; what is impossible is said to be; names that
# fit nothing, or too much, are refused.  PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

says() {
    grep -q -- "$1" out.txt || fail "no '$1'"
}

mkdir one two
cat >pair.c <<'END'
#include <pthread.h>

extern int left(void), right(void);
static volatile int x, y, own;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *unused)
{
    pthread_mutex_lock(&m);
    x = 1; /* line 10 */
    pthread_mutex_unlock(&m);
    own = 2; /* line 12 */
    return unused;
}

static void *consumer(void *unused)
{
    pthread_mutex_lock(&m);
    int seen = x; /* line 19 */
    pthread_mutex_unlock(&m);
    y = seen; /* line 21 */
    return unused;
}

int main(void)
{
    pthread_t a, b;

    own = left() + right();
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return x - 1; /* line 34 */
}
END
cat >one/same.c <<'END'
int left(void)
{
    return 1;
}
END
sed 's/left/right/' one/same.c >two/same.c
plait cc -g -O1 -pthread pair.c one/same.c two/same.c -o pair || exit 1

# Both orders, each in few executions; the file is a schedule that is no finding.
expect 0 'order shown: pair.c:10<pair.c:19' plait test --cover 'pair.c:10<pair.c:19' ./pair
says 'thread 0.1 came first at pair.c:10 (producer) (write of x)'
says 'thread 0.2 came next at pair.c:19 (consumer) (read of x)'
says 'no finding in [1-9] execution'
expect 0 'the order is shown, as recorded' plait replay .plait/pair/latest/shown-001-order.plait
expect 0 'order shown: pair.c:10<pair.c:19' plait show .plait/pair/latest/shown-001-order.plait
says '^ *[0-9]*\* .* pair.c:10 '
says '^ *[0-9]*\* .* pair.c:19 '
expect 0 'minimised: 0 preemptions' plait minimize .plait/pair/latest/shown-001-order.plait
expect 0 'order shown: pair.c:19<pair.c:10' plait test --no-minimize --cover 'pair.c:19<pair.c:10' ./pair
expect 0 'order shown: consumer<producer' plait test --no-minimize --cover 'consumer<producer' ./pair
expect 0 'order shown: prod\* < cons\*' plait test --no-minimize --cover 'prod* < cons*' -s pct --carrier thread ./pair

# Several at once, by several workers, by processes of their own; the next campaign's files replace these.
for way in '-j 2' '--restart fork' '--restart exec -s random' '-s dpor'; do
    # shellcheck disable=SC2086
    expect 0 '' plait test $way --no-minimize --json r.json --cover 'pair.c:10<pair.c:19' --cover 'pair.c:19<pair.c:10' ./pair
    grep -c '"verdict": "shown"' r.json | grep -q '^2$' || fail "not both: $way"
    grep -q '"findings": \[\]' r.json || fail "an order is no finding: $way"
    [ -f .plait/pair/latest/shown-002-order.plait ] || fail "no file: $way"
done
expect 0 '' plait replay .plait/pair/latest/shown-002-order.plait

# Orders that cannot be; main() reads after both have ended.
expect 5 'impossible: all 2 classes of executions seen, none has this order' \
    plait test --cover 'pair.c:34<pair.c:10' ./pair
says 'in the other order in'
[ ! -e .plait/pair/latest/shown-001-order.plait ] || fail 'a file of an order that was not shown'
expect 5 'no two threads conflicted there' plait test --cover 'pair.c:10<pair.c:10' ./pair
expect 5 'not shown: pair.c:34 was performed in 20 executions, pair.c:10 in 20, both in 20; in the other order in 20' \
    plait test -s random -n 20 --cover 'pair.c:34<pair.c:10' ./pair
expect 5 'no execution performed an operation at pair.c:29 after the first thread was created (but at lines .* and 30)' \
    plait test --cover 'pair.c:29<pair.c:10' ./pair

# Places that do not conflict.
expect 0 'order shown: pair.c:12<pair.c:21; the two do not conflict' plait test --cover 'pair.c:12<pair.c:21' ./pair
expect 0 'the order is shown' plait replay .plait/pair/latest/shown-001-order.plait
expect 0 'order shown: pair.c:21<pair.c:12; the two do not conflict' plait test --no-minimize --cover 'pair.c:21<pair.c:12' ./pair

# A library's templates, inlined or not, count as the line that uses them.
cat >queue.cpp <<'END'
#include <deque>
#include <mutex>
#include <thread>

template <typename T> struct Queue {
    std::mutex m;
    std::deque<T> items;

    void push(T value)
    {
        std::lock_guard<std::mutex> guard(m); // line 11
        items.push_back(value);               // line 12
    }
    bool empty()
    {
        std::lock_guard<std::mutex> guard(m); // line 16
        return items.empty();                 // line 17
    }
};

static volatile bool seen;

int main()
{
    Queue<int> q;
    std::thread a([&] { q.push(1); }), b([&] { seen = q.empty(); });

    a.join();
    b.join();
}
END
for optimisation in -O0 -O2; do
    plait c++ -g $optimisation -pthread queue.cpp -o queue || exit 1
    expect 0 'came first at queue.cpp:12 (Queue<int>::push(int)) (write of' \
        plait test -q --no-minimize --cover 'queue.cpp:12<queue.cpp:17' ./queue
    expect 0 'came next at queue.cpp:11 (Queue<int>::push(int)) (mutex lock of' \
        plait test -q --no-minimize --cover 'Queue<int>::empty < queue.cpp:11' ./queue
done

# A bug on the way is a finding as always, and ends the search before the order unless that goes on.
cat >bug.c <<'END'
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void *set(void *unused)
{
    x = 1; /* line 8 */
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, set, NULL);
    assert(x == 0); /* line 17 */
    x = 2;          /* line 18 */
    pthread_join(t, NULL);
    return 0;
}
END
plait cc -g -O1 -pthread bug.c -o bug || exit 1
expect 1 'order shown: bug.c:8<bug.c:17' plait test --no-minimize --cover 'bug.c:8<bug.c:17' --cover 'bug.c:17<bug.c:8' ./bug
says 'finding 1: assertion'
expect 1 'every order that was asked for has been shown' \
    plait test -k --no-minimize --cover 'bug.c:8<bug.c:17' --cover 'bug.c:17<bug.c:8' --cover 'bug.c:18<bug.c:8' ./bug
says 'finding 1: assertion'
says 'order     bug.c:8<bug.c:17: shown by execution'

# What makes no sense.
expect 2 'no < between' plait test --cover 'pair.c:10' ./pair
expect 2 'nothing stands before the <' plait test --cover '<pair.c:10' ./pair
expect 2 'nothing stands behind the <' plait test --cover 'pair.c:10<' ./pair
expect 2 'no number of a line' plait test --cover 'pair.c:ten<pair.c:10' ./pair
expect 2 'more than one <' plait test --cover 'a<b<c' ./pair
expect 2 'is empty' plait test --cover '' ./pair
expect 2 'no source file of the program is called other.c' plait test --cover 'other.c:1<pair.c:10' ./pair
expect 2 'line 8 and 9\|lines 5 and 7\|line 6 of pair.c has no code' plait test --cover 'pair.c:6<pair.c:10' ./pair
expect 2 'has no function produce' plait test --cover 'produce<consumer' ./pair
expect 2 'same.c may be .*one/same.c or .*two/same.c' plait test --cover 'same.c:3<pair.c:10' ./pair
expect 2 'lets them run freely' plait test -s noise --cover 'pair.c:10<pair.c:19' ./pair
expect 2 'more than 8 times' plait test --cover 'a<b' --cover 'a<b' --cover 'a<b' --cover 'a<b' --cover 'a<b' \
    --cover 'a<b' --cover 'a<b' --cover 'a<b' --cover 'a<b' ./pair
plait cc -pthread pair.c one/same.c two/same.c -o bare && strip bare
expect 2 'no debug information' plait test --cover 'pair.c:10<pair.c:19' ./bare

finish "orders that are asked for: all as expected"
