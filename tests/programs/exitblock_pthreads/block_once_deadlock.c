/* SPDX-License-Identifier: MIT *
 * RUN    plait test -s exitblock:plain --keep-going
 * EXPECT deadlock complete
 *
 * RUN    plait test -s exitblock:rw --keep-going
 * EXPECT deadlock complete
 *
 * RUN    plait test -s exitblock:dd --keep-going
 * EXPECT deadlock complete
 *
 * RUN    plait test -s exitblock --keep-going
 * EXPECT deadlock complete
 */
/*
 * An initialisation that wants a lock whose owner waits for the initialisation. A
 * search over blocks does not come to it: it is seen to be possible
 *.
 *
 * RUN    plait test -s dfs --keep-going
 * EXPECT deadlock complete
 */
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void initialise(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

static void do_nothing(void)
{
}

static void *first(void *unused)
{
    (void)unused;
    pthread_once(&once, initialise);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    pthread_once(&once, do_nothing);
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
    puts("done");
    return 0;
}
