/* SPDX-License-Identifier: MIT */
/*
 * circular buffer: a sender and a receiver take turns by two flags, seven rounds each.  In a round
 * in which it is not its turn a thread does nothing, but the round counts; the receiver expects the
 * number of its round.
 *
 * Described in: SCTBench, CS.circular_buffer (from the ESBMC examples).
 *
 * BUG: the receiver has had a round before the first element was sent
 * KIND: bug
 * FINDS: assertion
 * PREEMPTIONS: 1
 * ORDER: @receive before @send
 */
#include "threads.h"

#include <assert.h>
#include <stdbool.h>

enum { ROUNDS = 7, SIZE = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int buffer[SIZE], in, out;
static bool may_send = true, may_receive;

static void *sender(void *arg)
{
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock); /* @send */
        if (may_send) {
            buffer[in] = i;
            in = (in + 1) % SIZE;
            may_send = false;
            may_receive = true;
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *receiver(void *arg)
{
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock); /* @receive */
        if (may_receive) {
            int got = buffer[out];

            out = (out + 1) % SIZE;
#ifdef FIXED
            assert(got >= out - 1);
#else
            assert(got == i);
#endif
            may_receive = false;
            may_send = true;
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    thread_start(sender, 0);
    thread_start(receiver, 0);
    threads_join();
    return 0;
}
