/* SPDX-License-Identifier: MIT */
/*
 * Orders that chance would not show in a thousand executions: what a thread does last comes before
 * what another does first, plainly and inside a lock that both take all the time.  Each is the only
 * way to a failure, which random executions do not come to.
 *
 * RUN    -DFAILS plait test -s random -n 1000
 * EXPECT clean incomplete executions=1000
 *
 * RUN    plait test -s random -n 50 -k --cover write_last<read_first
 * EXPECT clean incomplete exit=0 ended~order shown: write_last<read_first
 *
 * RUN    plait test -s pos -n 50 -k --cover give_last<take_first
 * EXPECT clean incomplete exit=0 ended~order shown: give_last<take_first
 *
 * RUN    plait test -n 60 --carrier thread --cover write_last<read_first \
 *        --cover give_last<take_first
 * EXPECT clean incomplete exit=0 ended~every order that was asked for has been shown
 *
 * RUN    -DFAILS plait test -s random -n 50 -k --cover write_last<read_first
 * EXPECT assertion incomplete exit=1 message~seen ended~order shown: write_last<read_first
 *
 * RUN    plait test -s random -n 30 --cover end<write_last
 * EXPECT clean incomplete exit=5 ended~not shown: .*in the other order in 30
 *
 * RUN    plait test -s dfs -n 30 --checkpoints always --cover end<write_last
 * EXPECT clean incomplete exit=5 ended~not shown: .*in the other order in 30
 */
#include <assert.h>
#include <pthread.h>

enum { STEPS = 40 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int plain, locked, steps, spun;

static void step(void)
{
    pthread_mutex_lock(&lock);
    steps++;
    pthread_mutex_unlock(&lock);
}

static void write_last(void)
{
    plain = 1;
}

static int read_first(void)
{
    return plain;
}

static void give_last(void)
{
    pthread_mutex_lock(&lock);
    locked = 1;
    pthread_mutex_unlock(&lock);
}

static int take_first(void)
{
    pthread_mutex_lock(&lock);
    int seen = locked;

    pthread_mutex_unlock(&lock);
    return seen;
}

static int end(void)
{
    return plain + locked;
}

static void *early(void *unused)
{
    int seen = read_first();

    seen += take_first();
#ifdef FAILS
    assert(!seen);
#endif
    for (int i = 0; i < STEPS; i++)
        step();
    spun = seen;
    return unused;
}

static void *late(void *unused)
{
    for (int i = 0; i < STEPS; i++)
        step();
    write_last();
    give_last();
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, early, NULL);
    pthread_create(&b, NULL, late, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return end() != 2;
}
