/* SPDX-License-Identifier: MIT */
/*
 * A signal reaches a thread that waits.  Its handler runs there; a semaphore, a read and a sleep
 * then fail with EINTR unless the handler was set with SA_RESTART, a mutex, a condition and a join
 * go on.  The argument says what the thread waits for.
 *
 * RUN    plait test -s dpor -- semaphore
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s dfs -- semaphore
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s dpor -- read
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dpor -- sleep
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s dpor -- mutex
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s dpor -- condition
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s noise -n 10 -- semaphore
 * EXPECT clean exit=0
 *
 * RUN    -DNEVER=1 plait test -s dpor -- semaphore
 * EXPECT assertion exit=1 location~@interrupted
 *
 * RUN    -DNEVER=1 plait test -s dpor -- sleep
 * EXPECT assertion exit=1 location~@interrupted
 *
 * RUN    native semaphore
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#ifndef NEVER
#define NEVER 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int pipes[2], going;
static const char *what;
static volatile sig_atomic_t handled;

static void handle(int number)
{
    (void)number;
    handled = 1;
}

static int wait_once(void)
{
    char c;

    if (strcmp(what, "semaphore") == 0)
        return sem_wait(&semaphore);
    if (strcmp(what, "read") == 0)
        return read(pipes[0], &c, 1) == 1 ? 0 : -1;
    return usleep(1000);
}

static void *waiter(void *arg)
{
    if (strcmp(what, "mutex") == 0) {
        assert(pthread_mutex_lock(&mutex) == 0);
        assert(pthread_mutex_unlock(&mutex) == 0);
    } else if (strcmp(what, "condition") == 0) {
        pthread_mutex_lock(&mutex);
        while (!going)
            assert(pthread_cond_wait(&condition, &mutex) == 0);
        pthread_mutex_unlock(&mutex);
    } else {
        while (wait_once() != 0) {
            assert(errno == EINTR && handled);
            assert(!NEVER); /* @interrupted */
        }
    }
    return arg;
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = handle};
    pthread_t t;

    what = argc > 1 ? argv[1] : "semaphore";
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&semaphore, 0, 0);
    assert(pipe(pipes) == 0);
    pthread_mutex_lock(&mutex);
    pthread_create(&t, NULL, waiter, NULL);
    assert(pthread_kill(t, SIGUSR1) == 0);
    sem_post(&semaphore);
    assert(write(pipes[1], "x", 1) == 1);
    going = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
