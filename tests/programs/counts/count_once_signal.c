/* SPDX-License-Identifier: MIT */
/*
 * A signal may come before a thread initialises something, within the initialisation, or while it
 * waits for another thread to do so; when that has begun, or whether it is over, makes no class of
 * its own.  Where main initialises: before that, within it, and at each of the two joins before or
 * after the end of the thread that is joined.  Where the other does: the same but for within.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=11 executions=12
 *
 * RUN    plait test -s dpor:source
 * EXPECT clean complete classes=11
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=11
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int begun, handled;
static pthread_t first;

static void handle(int number)
{
    (void)number;
    atomic_fetch_add(&handled, 1);
}

static void begin(void)
{
    atomic_fetch_add(&begun, 1);
}

static void *initialiser(void *arg)
{
    pthread_once(&once, begin);
    return arg;
}

static void *sender(void *arg)
{
    pthread_kill(first, SIGUSR1);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    signal(SIGUSR1, handle);
    first = pthread_self();
    pthread_create(&threads[0], NULL, initialiser, NULL);
    pthread_create(&threads[1], NULL, sender, NULL);
    pthread_once(&once, begin);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return begun != 1 || handled != 1;
}
