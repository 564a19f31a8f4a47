/* SPDX-License-Identifier: MIT */
/*
 * compress_queue: a parallel compressor.  Main puts blocks into a queue, consumers take and
 * compress them.  A consumer that finds nothing more says that it is finished, and then wakes the
 * others, which may still wait for a block.  Main frees the queue when all have said that they are
 * finished.
 *
 * Described in: Wang, Said, Gupta, "Coverage guided systematic concurrency testing", ICSE 2011,
 * pbzip2 0.9.4: main frees, consumers use.
 *
 * BUG: main frees the queue between a consumer's last word and its last use of the queue
 * TYPE: order
 * FINDS: use-after-free|misuse
 * INPUTS: 2 3
 */
#include "guided.h"

#include <stdbool.h>

enum { BLOCKS = 4, MOST = 16 };

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int blocks[BLOCKS];
    int head, tail;
    bool closed;
};

static struct queue *fifo;
static int output[BLOCKS];
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int consumers;
} running = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static struct queue *queue_new(void)
{
    struct queue *q = calloc(1, sizeof(*q));

    if (!q)
        abort();
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    return q;
}

static void queue_free(struct queue *q)
{
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

static void put(struct queue *q, int block)
{
    pthread_mutex_lock(&q->lock);
    q->blocks[q->tail++] = block;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

static bool take(struct queue *q, int *block)
{
    bool taken;

    pthread_mutex_lock(&q->lock);
    while (q->head == q->tail && !q->closed)
        pthread_cond_wait(&q->changed, &q->lock);
    taken = q->head < q->tail;
    if (taken)
        *block = q->blocks[q->head++];
    pthread_mutex_unlock(&q->lock);
    return taken;
}

static void close_queue(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->closed = true;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

static void say_finished(void)
{
    pthread_mutex_lock(&running.lock);
    if (--running.consumers == 0)
        pthread_cond_signal(&running.changed);
    pthread_mutex_unlock(&running.lock);
}

static void *consumer(void *arg)
{
    struct queue *q = fifo;
    int block;

    (void)arg;
    while (take(q, &block)) {
        output[block] = block + 1;
        tally();
    }
#ifdef FIXED
    close_queue(q);
    say_finished();
#else
    say_finished();
    close_queue(q);
#endif
    return NULL;
}

static void await_consumers(void)
{
    pthread_mutex_lock(&running.lock);
    while (running.consumers > 0)
        pthread_cond_wait(&running.changed, &running.lock);
    pthread_mutex_unlock(&running.lock);
}

int main(int argc, char **argv)
{
    int consumers = size_given(argc, argv, 2, MOST);

    fifo = queue_new();
    running.consumers = consumers;
    threads_start(consumers, consumer);
    for (int i = 0; i < BLOCKS; i++)
        put(fifo, i);
    close_queue(fifo);
    await_consumers();
    queue_free(fifo);
    threads_join();
    return 0;
}
