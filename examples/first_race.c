/* SPDX-License-Identifier: MIT */
/*
 * Three threads, and the first of them is to win.  Each looks whether it is the first and then says
 * so; whoever looks before the winner has said so wins too.  A thread is over long before the next
 * one has started, so without help this happens in next to no execution.
 */
#include <assert.h>
#include <pthread.h>

enum { THREADS = 3 };

static int first = 1;
static int won[THREADS];

static void *race(void *arg)
{
    int *mine = arg;

    if (first) { /* others may still see the same */
        first = 0;
        *mine = 1;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int winners = 0;

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, race, &won[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        winners += won[i];
    }
    assert(winners == 1);
    return 0;
}
