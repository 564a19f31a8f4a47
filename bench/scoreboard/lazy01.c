/* SPDX-License-Identifier: MIT */
/*
 * lazy01: one thread adds 1, another 2, and a third fails when it sees the sum of both; each
 * under the lock.
 *
 * Described in: SCTBench, CS.lazy01.
 *
 * BUG: the third thread comes last
 * KIND: bug
 * FINDS: assertion
 * PREEMPTIONS: 0
 * ORDER: @one before @look and @two before @look
 */
#include "threads.h"

#include <assert.h>

#ifdef FIXED
#define LIMIT 4
#else
#define LIMIT 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *one(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock); /* @one */
    data += 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *two(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock); /* @two */
    data += 2;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *look(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock); /* @look */
    assert(data < LIMIT);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    thread_start(look, 0);
    thread_start(two, 0);
    thread_start(one, 0);
    threads_join();
    return 0;
}
