/* SPDX-License-Identifier: MIT */
/*
 * Tickets again, but whoever came last is served first.  The numbers grow in every round, so
 * nothing comes again but what threads do.
 *
 * RUN    plait test -s random -n 2000 --detect +starvation
 * EXPECT starvation|livelock location~@wanted
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int value;

static unsigned lock(void)
{
    unsigned mine = next++;

    while (serving != mine) /* @wanted */
        sched_yield();      /* @wanted */
    return mine;
}

static void unlock(unsigned mine)
{
    unsigned last = next - 1;

    serving = last != mine ? last : next;
}

static void *user(void *arg)
{
    for (int i = 0; i < 3000; i++) {
        unsigned mine = lock();

        value++;
        unlock(mine);
    }
    return arg;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, user, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
