/* SPDX-License-Identifier: MIT */
/*
 * Threads that create each other: main creates one, which creates the next, ten in all.  A thread
 * looks up its parameter in a table under its own number, where its creator puts it after it has
 * created the thread.  One that starts at once finds nothing.
 *
 * The table itself is well protected, and it is no error of memory to look for what is not there;
 * the program takes note of it, goes on without, and ends with status 1.
 */
#include <pthread.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 10
#endif

enum { BUCKETS = 4, NOTHING = -1 };

struct entry {
    int key, value;
    struct entry *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of everything below */
static struct entry *buckets[BUCKETS];
static struct entry entries[THREADS];
static int used, missing;

static void put(int key, int value)
{
    pthread_mutex_lock(&lock);
    struct entry *new = &entries[used++];

    *new = (struct entry){key, value, buckets[key % BUCKETS]};
    buckets[key % BUCKETS] = new;
    pthread_mutex_unlock(&lock);
}

static int get(int key)
{
    int value = NOTHING;

    pthread_mutex_lock(&lock);
    for (const struct entry *e = buckets[key % BUCKETS]; e != NULL; e = e->next)
        if (e->key == key)
            value = e->value;
    missing += value == NOTHING;
    pthread_mutex_unlock(&lock);
    return value;
}

static void *body(void *arg);

/* Have thread `number` and those behind it do what `left` says. */
static void delegate(int number, int left)
{
    pthread_t thread;

    pthread_create(&thread, NULL, body, (void *)(intptr_t)number);
    put(number, left); /* too late if the thread is fast */
    pthread_join(thread, NULL);
}

static void *body(void *arg)
{
    int me = (int)(intptr_t)arg;
    int left = get(me);

    if (left > 0)
        delegate(me + 1, left - 1);
    return NULL;
}

int main(void)
{
    delegate(0, THREADS - 1);
    return missing != 0;
}
