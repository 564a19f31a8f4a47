/* SPDX-License-Identifier: MIT */
/*
 * A timed lock either gets the lock or gives up; a timed wait is woken or not.
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
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, late, seen;

static void *first(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    struct timespec until = {.tv_sec = 1};

    if (pthread_mutex_timedlock(&m, &until) == ETIMEDOUT) {
        late = 1;
        return NULL;
    }
    seen = x;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d %d\n", x, late, seen);
    return 0;
}
