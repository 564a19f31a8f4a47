/* SPDX-License-Identifier: MIT */
/*
 * Which thread takes a signal for the process is open among those that do not block it when it is
 * sent: who ends meanwhile does not, and who has a step left may take it behind that.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=8
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=8
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>

static atomic_int hits;
static sem_t rung;

static void ring(int number)
{
    (void)number;
    hits++;
    sem_post(&rung);
}

static void *looks(void *arg)
{
    return hits > 1 ? NULL : arg;
}

int main(void)
{
    struct itimerval soon = {.it_value.tv_usec = 100};
    pthread_t thread;

    signal(SIGALRM, ring);
    sem_init(&rung, 0, 0);
    pthread_create(&thread, NULL, looks, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    while (sem_wait(&rung) != 0)
        ;
    pthread_join(thread, NULL);
    return hits != 1;
}
