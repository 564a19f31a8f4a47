/* SPDX-License-Identifier: MIT */
/*
 * http_connect: a connection is handed to the thread that moves bytes before its transaction is
 * attached.  If that thread is quick, the first bytes have nowhere to go.
 *
 * Described as: `httpconnect` in Wang, Said, Gupta, ICSE 2011 (Mozilla).
 *
 * BUG: bytes come before the transaction has been attached
 * TYPE: order
 * FINDS: crash
 * INPUTS: 1 2
 */
#include "guided.h"

#include <stdatomic.h>
#include <stddef.h>

struct transaction {
    atomic_int bytes;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    int handed_over;
    _Atomic(struct transaction *) transaction;
} connection = {.lock = PTHREAD_MUTEX_INITIALIZER, .ready = PTHREAD_COND_INITIALIZER};
static struct transaction request;

static void hand_over(void)
{
    pthread_mutex_lock(&connection.lock);
    connection.handed_over = 1;
    pthread_cond_broadcast(&connection.ready);
    pthread_mutex_unlock(&connection.lock);
}

static void *connect_it(void *arg)
{
    (void)arg;
    tally();
#ifdef FIXED
    connection.transaction = &request;
    hand_over();
#else
    hand_over();
    connection.transaction = &request;
#endif
    tally();
    return NULL;
}

static void *move_bytes(void *arg)
{
    struct transaction *transaction;

    (void)arg;
    pthread_mutex_lock(&connection.lock);
    while (!connection.handed_over)
        pthread_cond_wait(&connection.ready, &connection.lock);
    pthread_mutex_unlock(&connection.lock);
    tally();
    transaction = connection.transaction;
    transaction->bytes += 1;
    return NULL;
}

int main(int argc, char **argv)
{
    thread_start(connect_it, 0);
    threads_start(size_given(argc, argv, 1, 16), move_bytes);
    threads_join();
    return 0;
}
