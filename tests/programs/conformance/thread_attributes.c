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
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>

enum { GUARD = 8192 };

static sem_t done;
static cpu_set_t all, first; /* processors: that there are, and one of them */

/* The policy and the processors that were asked for, of this thread alone. */
static void look_at_treatment(void)
{
    struct sched_param param;
    cpu_set_t set;
    int policy;

    assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0);
    assert(policy == SCHED_OTHER && param.sched_priority == 0);
    assert(pthread_getaffinity_np(pthread_self(), sizeof(set), &set) == 0);
    assert(CPU_EQUAL(&set, &first));
}

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
    assert(guard == GUARD);
    assert(pthread_attr_destroy(&attr) == 0);
    look_at_treatment();
    sem_post(&done);
    return NULL;
}

static void ask_for_treatment(pthread_attr_t *attr)
{
    struct sched_param param = {0};
    cpu_set_t none;
    pthread_t t;
    int i = 0;

    assert(pthread_attr_setguardsize(attr, GUARD) == 0);
    assert(pthread_attr_setinheritsched(attr, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(sched_setscheduler(0, SCHED_BATCH, &param) == 0); /* not what the attributes say */
    assert(sched_getaffinity(0, sizeof(all), &all) == 0);
    while (!CPU_ISSET(i, &all))
        i++;
    CPU_ZERO(&none);
    assert(pthread_attr_setaffinity_np(attr, sizeof(none), &none) == 0);
    assert(pthread_create(&t, attr, look, NULL) == EINVAL);
    CPU_ZERO(&first);
    CPU_SET(i, &first);
    assert(pthread_attr_setaffinity_np(attr, sizeof(first), &first) == 0);
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
    ask_for_treatment(&attr);
    assert(pthread_create(&t, &attr, look, NULL) == 0);
    assert(pthread_join(t, NULL) == 0);
    sem_wait(&done);
    assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_create(&t, &attr, look, &done) == 0);
    sem_wait(&done);
    assert(pthread_attr_destroy(&attr) == 0);
    return 0;
}
