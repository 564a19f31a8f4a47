/* SPDX-License-Identifier: MIT */
/*
 * A program that forks with threads running; the child does its work and ends.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 40
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 10 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pid_t child;
    int status;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    child = fork();
    assert(child >= 0);
    if (child == 0)
        _exit(5);
    assert(waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
