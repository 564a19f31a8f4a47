/* SPDX-License-Identifier: MIT */
/*
 * Each plait_test() is a search of its own, so each begins with a bound of 0.
 * The second one fails, with two preemptions; when that is too much for the
 * bound, the campaign is not complete.
 *
 * RUN    plait test -s pcb:1
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s pcb:1 --require-complete
 * EXPECT clean incomplete exit=4
 *
 * RUN    plait test -s pcb:2 -k
 * EXPECT assertion complete location~@bug exit=1
 *
 * RUN    plait test -s delay -k -j 2
 * EXPECT assertion complete location~@bug exit=1
 *
 * RUN    plait test -s pcb --section 1
 * EXPECT clean complete exit=0
 */
#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;

static void *writer(void *arg)
{
    state = 1;
    state = 2;
    return arg;
}

static void fine(void *arg)
{
    pthread_t t;

    (void)arg;
    pthread_create(&t, NULL, writer, NULL);
    plait_assert(state <= 2);
    pthread_join(t, NULL);
}

static void fails(void *arg)
{
    pthread_t t;

    (void)arg;
    pthread_create(&t, NULL, writer, NULL);
    plait_assert(state != 1); /* @bug */
    pthread_join(t, NULL);
}

int main(void)
{
    plait_test(fine, NULL);
    plait_test(fails, NULL);
    return 0;
}
