/* SPDX-License-Identifier: MIT */
/*
 * Threads that count lines of text in a table with a lock per part of it.  A thread makes a line
 * and its hash, which is its own business and about a microsecond of it, then takes the lock of the
 * part and counts.  `lock_heavy N` makes N times a thousand lines.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, PARTS = 16, SLOTS = 64, LINES = 1000, LETTERS = 1000 };

struct part {
    pthread_mutex_t lock;
    long total, slots[SLOTS];
    char apart[64]; /* no two locks in one cache line */
};

static struct part parts[PARTS];
static long rounds = 1;

/* A line of so many letters that depends on `state`, and what it hashes to. */
static uint64_t next_line(uint64_t *state)
{
    uint64_t hash = 14695981039346656037u, letters = *state;

    for (int i = 0; i < LETTERS; i++) {
        letters = letters * 6364136223846793005u + 1442695040888963407u;
        hash = (hash ^ (letters >> 59)) * 1099511628211u;
    }
    *state = letters;
    return hash;
}

static void count(uint64_t hash)
{
    struct part *p = &parts[hash % PARTS];

    pthread_mutex_lock(&p->lock);
    p->slots[(hash >> 8) % SLOTS]++;
    p->total++;
    pthread_mutex_unlock(&p->lock);
}

static void *read_lines(void *arg)
{
    uint64_t state = (uint64_t)(uintptr_t)arg;

    for (long i = 0; i < rounds * LINES; i++)
        count(next_line(&state));
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    long total = 0;

    if (argc > 1)
        rounds = atol(argv[1]);
    for (int i = 0; i < PARTS; i++)
        pthread_mutex_init(&parts[i].lock, NULL);
    for (uintptr_t t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, read_lines, (void *)(t + 1));
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    for (int i = 0; i < PARTS; i++)
        total += parts[i].total;
    printf("%ld\n", total);
    return total != THREADS * rounds * LINES;
}
