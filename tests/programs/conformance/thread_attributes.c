/* SPDX-License-Identifier: MIT */
/*
 * Thread attributes: what is set is what the thread gets, and what it says.
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

static sem_t done;

static void *look(void *arg)
{
    pthread_attr_t attr;
    size_t size, guard;
    void *stack;
    int state;
    char here;

    assert(pthread_getattr_np(pthread_self(), &attr) == 0);
    assert(pthread_attr_getstack(&attr, &stack, &size) == 0);
    assert(pthread_attr_getguardsize(&attr, &guard) == 0);
    assert(pthread_attr_getdetachstate(&attr, &state) == 0);
    assert(state == (arg ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE));
    assert(size >= 200 * 1024 && size <= 256 * 1024);
    assert((uintptr_t)&here >= (uintptr_t)stack && (uintptr_t)&here < (uintptr_t)stack + size);
    assert(pthread_attr_destroy(&attr) == 0);
    sem_post(&done);
    return NULL;
}

int main(void)
{
    pthread_attr_t attr;
    size_t size;
    int state;
    pthread_t t;

    sem_init(&done, 0, 0);
    assert(pthread_attr_init(&attr) == 0);
    assert(pthread_attr_getdetachstate(&attr, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setstacksize(&attr, 1) == EINVAL);
    assert(pthread_attr_setstacksize(&attr, 256 * 1024) == 0);
    assert(pthread_attr_getstacksize(&attr, &size) == 0 && size == 256 * 1024);
    assert(pthread_attr_setdetachstate(&attr, 77) == EINVAL);
    assert(pthread_create(&t, &attr, look, NULL) == 0);
    assert(pthread_join(t, NULL) == 0);
    sem_wait(&done);
    assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_create(&t, &attr, look, &done) == 0);
    sem_wait(&done);
    assert(pthread_attr_destroy(&attr) == 0);
    return 0;
}
