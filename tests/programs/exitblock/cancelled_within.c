/* SPDX-License-Identifier: MIT */
/*
 * A thread uses nothing that others use, but may be cancelled.  Whoever cancels it sees whether it
 * comes before its cancellation point or behind it.
 *
 * RUN    plait test -s exitblock --outputs
 * EXPECT clean complete outputs=cancelled,done
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=cancelled,done
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *rest(void *arg)
{
    usleep(10);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;

    pthread_create(&t, NULL, rest, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    puts(result == PTHREAD_CANCELED ? "cancelled" : "done");
    return 0;
}
