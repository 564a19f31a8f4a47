/* SPDX-License-Identifier: MIT */
/*
 * That `late` is shared shows only when the thread ends its steps between two of
 * the others, which is after the program was measured: it is measured again, and
 * the bug behind it is found.
 *
 * RUN    plait test -s surw -k -n 400
 * EXPECT assertion,assertion exit=1
 *
 * RUN    plait test -s pct -k -n 400
 * EXPECT assertion,assertion exit=1
 *
 * RUN    plait test -s pos -k -n 400
 * EXPECT assertion,assertion exit=1
 */
#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn, steps;
static volatile int late;

static void *work(void *arg)
{
    for (int i = 0; i < 3; i++)
        steps++;
    if (turn == 0 && steps == 5) {
        late = late + 1;
        late = late + 1;
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        steps++;
    plait_assert(steps > 3);
    turn = 1;
    plait_assert(late != 1);
    pthread_join(t, NULL);
    return 0;
}
