/* SPDX-License-Identifier: MIT */
/*
 * A cancelled thread cleans up; its canceller's past is known to it, and what it did is known
 * to whoever joins it.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * TSAN race: it does not know what a cancellation orders
 * HELGRIND race: it does not know what a cancellation orders
 */
#include "two.h"

int request, answer;

static void clean_up(void *arg)
{
    answer = request + (arg != NULL);
}

static void *work(void *arg)
{
    pthread_cleanup_push(clean_up, arg);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    request = 1;
    pthread_cancel(t);
    pthread_join(t, NULL);
    return answer != 1;
}
