/* SPDX-License-Identifier: MIT */
/*
 * A thread and a child of the program take turns by a semaphore, wait for each other by a
 * condition, a lock for readers, a barrier and a futex of its own that processes share, and the
 * child ends with a robust mutex locked.
 *
 * RUN    plait test -s random -n 5
 * EXPECT clean
 *
 * RUN    plait test -s random -n 5 --carrier thread
 * EXPECT clean
 *
 * RUN    plait test -s noise -n 5
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
    sem_t ping, pong;
    pthread_mutex_t mutex, robust;
    pthread_cond_t changed;
    pthread_rwlock_t lock;
    pthread_barrier_t both;
    int n, value;
    _Atomic int words[2];
};

static void await_word(_Atomic int *word)
{
    while (*word == 0)
        syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static void set_word(_Atomic int *word)
{
    *word = 1;
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void prepare(struct shared *s)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;
    pthread_rwlockattr_t lock;
    pthread_barrierattr_t barrier;

    assert(sem_init(&s->ping, 1, 0) == 0 && sem_init(&s->pong, 1, 0) == 0);
    assert(pthread_mutexattr_init(&mutex) == 0);
    assert(pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutex_init(&s->mutex, &mutex) == 0);
    assert(pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutex_init(&s->robust, &mutex) == 0);
    assert(pthread_condattr_init(&cond) == 0);
    assert(pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_cond_init(&s->changed, &cond) == 0);
    assert(pthread_rwlockattr_init(&lock) == 0);
    assert(pthread_rwlockattr_setpshared(&lock, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_rwlock_init(&s->lock, &lock) == 0);
    assert(pthread_barrierattr_init(&barrier) == 0);
    assert(pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_barrier_init(&s->both, &barrier, 2) == 0);
}

static void be_child(struct shared *s)
{
    sem_wait(&s->ping);
    s->n++;
    sem_post(&s->pong);
    pthread_barrier_wait(&s->both);
    pthread_mutex_lock(&s->mutex);
    while (s->value == 0)
        pthread_cond_wait(&s->changed, &s->mutex);
    s->value = 2;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->mutex);
    pthread_rwlock_wrlock(&s->lock);
    s->n++;
    pthread_rwlock_unlock(&s->lock);
    await_word(&s->words[0]);
    set_word(&s->words[1]);
    pthread_mutex_lock(&s->robust);
    _exit(0);
}

static void *run(void *arg)
{
    struct shared *s = arg;
    int status;
    pid_t child = fork();

    assert(child >= 0);
    if (child == 0)
        be_child(s);
    s->n = 1;
    assert(sem_post(&s->ping) == 0 && sem_wait(&s->pong) == 0);
    assert(s->n == 2);
    int rc = pthread_barrier_wait(&s->both);

    assert(rc == 0 || rc == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(pthread_mutex_lock(&s->mutex) == 0);
    s->value = 1;
    assert(pthread_cond_signal(&s->changed) == 0);
    while (s->value != 2)
        assert(pthread_cond_wait(&s->changed, &s->mutex) == 0);
    assert(pthread_mutex_unlock(&s->mutex) == 0);
    set_word(&s->words[0]);
    await_word(&s->words[1]);
    assert(waitpid(child, &status, 0) == child && status == 0);
    assert(pthread_rwlock_rdlock(&s->lock) == 0 && s->n == 3);
    assert(pthread_rwlock_unlock(&s->lock) == 0);
    assert(pthread_mutex_lock(&s->robust) == EOWNERDEAD);
    assert(pthread_mutex_consistent(&s->robust) == 0);
    assert(pthread_mutex_unlock(&s->robust) == 0);
    return NULL;
}

int main(void)
{
    struct shared *s =
        mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_t t;

    assert(s != MAP_FAILED);
    prepare(s);
    assert(pthread_create(&t, NULL, run, s) == 0);
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
