/* SPDX-License-Identifier: MIT */
/*
 * string buffer: one thread appends a buffer to another one of its own, a second thread erases the
 * first buffer and fills it again.  Each method holds the buffer's lock, but to append takes two of
 * them: one for the length, one for the characters.
 *
 * Described in: Flanagan, Qadeer, "A type and effect system for atomicity" (PLDI 2003), of Java's
 * class StringBuffer in version 1.4; SCTBench, stringbuffer-jdk1.4.
 *
 * BUG: the buffer is erased after its length was asked for and not yet filled again when its
 * characters are
 * KIND: bug
 * FINDS: assertion
 * PREEMPTIONS: 2
 * ORDER: @length before @erase and @characters before @fill
 */
#include "threads.h"

#include <assert.h>

enum { SIZE = 16 };

struct buffer {
    pthread_mutex_t lock;
    int n;
    char text[SIZE];
};

static struct buffer shared = {PTHREAD_MUTEX_INITIALIZER, 3, "abc"};
static struct buffer own = {PTHREAD_MUTEX_INITIALIZER, 0, ""};

static int length(struct buffer *b)
{
    pthread_mutex_lock(&b->lock); /* @length */
    int n = b->n;

    pthread_mutex_unlock(&b->lock);
    return n;
}

static void characters(struct buffer *b, int n, char *to)
{
    pthread_mutex_lock(&b->lock); /* @characters */
    assert(n <= b->n);
    for (int i = 0; i < n; i++)
        to[i] = b->text[i];
    pthread_mutex_unlock(&b->lock);
}

static void append(struct buffer *to, struct buffer *from)
{
    pthread_mutex_lock(&to->lock);
    int n = length(from);

    characters(from, n, to->text + to->n);
    to->n += n;
    pthread_mutex_unlock(&to->lock);
}

static void erase(struct buffer *b)
{
    pthread_mutex_lock(&b->lock); /* @erase */
    b->n = 0;
    pthread_mutex_unlock(&b->lock);
}

static void fill(struct buffer *b, const char *text, int n)
{
    pthread_mutex_lock(&b->lock); /* @fill */
    for (int i = 0; i < n; i++)
        b->text[b->n + i] = text[i];
    b->n += n;
    pthread_mutex_unlock(&b->lock);
}

#ifdef FIXED
static pthread_mutex_t both = PTHREAD_MUTEX_INITIALIZER;
#define TOGETHER() pthread_mutex_lock(&both)
#define APART() pthread_mutex_unlock(&both)
#else
#define TOGETHER() ((void)0)
#define APART() ((void)0)
#endif

static void *change(void *arg)
{
    (void)arg;
    TOGETHER();
    erase(&shared);
    fill(&shared, "abc", 3);
    APART();
    return NULL;
}

int main(void)
{
    thread_start(change, 0);
    TOGETHER();
    append(&own, &shared);
    APART();
    threads_join();
    return 0;
}
