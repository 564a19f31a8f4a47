/* SPDX-License-Identifier: MIT */
/*
 * Who initialises, and what others have done by then.
 *
 * RUN    plait test -s dfs --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:plain --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:rw --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:dd --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock --keep-going
 * EXPECT clean complete
 */
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, first;

static void initialise(void)
{
    pthread_mutex_lock(&m);
    first = x;
    pthread_mutex_unlock(&m);
}

static void *body(void *number)
{
    pthread_mutex_lock(&m);
    x = x * 10 + *(int *)number;
    pthread_mutex_unlock(&m);
    pthread_once(&once, initialise);
    return NULL;
}

int main(void)
{
    static int numbers[] = {1, 2};
    pthread_t a, b;

    pthread_create(&a, NULL, body, &numbers[0]);
    pthread_create(&b, NULL, body, &numbers[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d\n", x, first);
    return 0;
}
