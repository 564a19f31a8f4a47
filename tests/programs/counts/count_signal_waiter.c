/* SPDX-License-Identifier: MIT */
/*
 * A thread that waits gets a signal from whoever has what it waits for.  It could have come first,
 * where there is no signal yet.
 *
 * RUN    plait test -s dpor -k
 * EXPECT any complete classes=2
 *
 * RUN    plait test -s dpor:source -k
 * EXPECT any complete classes=2
 *
 * RUN    plait test -s dpor:classic -k
 * EXPECT any complete classes=2
 *
 * RUN    plait test -s dfs -k
 * EXPECT any complete classes=2
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t one;
static atomic_int hits;

static void hit(int number)
{
    (void)number;
    hits++;
}

static void *waits(void *arg)
{
    sem_wait(&one);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = hit, .sa_flags = SA_RESTART};
    pthread_t thread;

    sigaction(SIGUSR1, &action, NULL);
    sem_init(&one, 0, 1);
    pthread_create(&thread, NULL, waits, NULL);
    sem_wait(&one);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
