/* SPDX-License-Identifier: MIT */
/*
 * Handlers of pthread_atfork() are code of the program: they wait for a lock that another thread
 * holds, and for what another thread still has to do.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    [dpor] plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -s random -n 20 --carrier=thread
 * EXPECT clean
 *
 * RUN    plait test --follow-children -n 10
 * EXPECT clean executions=10
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static int one, other;

static void prepare(void)
{
    sem_wait(&ready);
    pthread_mutex_lock(&lock);
}

static void release(void)
{
    pthread_mutex_unlock(&lock);
}

static void *run(void *arg)
{
    sem_post(&ready);
    pthread_mutex_lock(&lock);
    one++;
    other++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    int status;

    sem_init(&ready, 0, 0);
    pthread_atfork(prepare, release, release);
    pthread_create(&t, NULL, run, NULL);
    pid_t child = fork();

    if (child == 0)
        _exit(one != other);
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    pthread_join(t, NULL);
    return 0;
}
