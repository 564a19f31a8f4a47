/* SPDX-License-Identifier: MIT */
/*
 * A crawler of workers and a manager.  The manager puts connections into a queue, workers wait for
 * one, follow its pages and give it back; what they find they merge under a lock.  When enough has
 * been found, or all connections are through, the manager tells every worker to finish.
 *
 * All of this is locked and signalled as it should be, but for one line: finish() looks whether the
 * worker has a connection and then stops that connection, without the lock under which the worker
 * takes it and puts it away.  If it does so in between, finish() follows a null pointer.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef CONNECTIONS
#define CONNECTIONS 8
#endif

enum { ROOM = 2, PAGES = 4, ENOUGH = PAGES * CONNECTIONS / 2, LETTERS = 10000 };

struct connection {
    volatile bool stop; /* asked for by the manager */
    int pages;
};

struct worker {
    pthread_t thread;
    struct connection *volatile connection; /* NULL when idle */
    volatile bool finished;
};

static struct connection connections[CONNECTIONS];
static struct worker workers[WORKERS];

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct connection *waiting[ROOM];
    int used;
    bool closed;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int pages, returned;
} found = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void offer(struct connection *c)
{
    pthread_mutex_lock(&queue.lock);
    while (queue.used == ROOM)
        pthread_cond_wait(&queue.changed, &queue.lock);
    queue.waiting[queue.used++] = c;
    pthread_cond_broadcast(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
}

static void close_queue(void)
{
    pthread_mutex_lock(&queue.lock);
    queue.closed = true;
    pthread_cond_broadcast(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
}

/* The worker's next connection, or none when the queue is closed. */
static bool take(struct worker *me)
{
    pthread_mutex_lock(&queue.lock);
    while (queue.used == 0 && !queue.closed)
        pthread_cond_wait(&queue.changed, &queue.lock);
    bool got = queue.used > 0 && !me->finished;

    if (got)
        me->connection = queue.waiting[--queue.used];
    pthread_cond_broadcast(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
    return got;
}

static void merge(int pages, bool last)
{
    pthread_mutex_lock(&found.lock);
    found.pages += pages;
    found.returned += last;
    pthread_cond_signal(&found.changed);
    pthread_mutex_unlock(&found.lock);
}

/* What a worker does with a page is its own business. */
static void read_page(int page)
{
    for (int i = 0; i < LETTERS; i++)
        __asm__ volatile("" : "+r"(page)); /* the compiler leaves the loop as it is */
}

static void follow(struct connection *c)
{
    for (int i = 0; i < PAGES && !c->stop; i++) {
        read_page(c->pages++);
        merge(1, false);
    }
}

static void release(struct worker *me)
{
    pthread_mutex_lock(&queue.lock);
    me->connection = NULL;
    pthread_mutex_unlock(&queue.lock);
    merge(0, true);
}

static void *crawl(void *arg)
{
    struct worker *me = arg;

    while (take(me)) {
        follow(me->connection);
        release(me);
    }
    return NULL;
}

static void finish(struct worker *w)
{
    w->finished = true;
    if (w->connection != NULL)
        w->connection->stop = true; /* by now there may be none */
}

static void wait_for_enough(void)
{
    pthread_mutex_lock(&found.lock);
    while (found.pages < ENOUGH && found.returned < CONNECTIONS)
        pthread_cond_wait(&found.changed, &found.lock);
    pthread_mutex_unlock(&found.lock);
}

int main(void)
{
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i].thread, NULL, crawl, &workers[i]);
    for (int i = 0; i < CONNECTIONS; i++)
        offer(&connections[i]);
    wait_for_enough();
    for (int i = 0; i < WORKERS; i++)
        finish(&workers[i]);
    close_queue();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i].thread, NULL);
    return 0;
}
