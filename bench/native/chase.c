/* SPDX-License-Identifier: MIT */
/* A hash table with chains: pointers that lead to pointers, and an allocation for each entry. */
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 1 << 14, ENTRIES = 40000, LOOK_UPS = 400000 };

struct entry {
    struct entry *next;
    unsigned key;
    unsigned count;
};

static struct entry *buckets[BUCKETS];

static struct entry **find(unsigned key)
{
    struct entry **at = &buckets[key * 2654435761u >> 18];

    while (*at && (*at)->key != key)
        at = &(*at)->next;
    return at;
}

static void count(unsigned key)
{
    struct entry **at = find(key);

    if (!*at) {
        *at = calloc(1, sizeof(**at));
        (*at)->key = key;
    }
    (*at)->count++;
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 1;
    unsigned state = 1;

    for (long i = 0; i < rounds * LOOK_UPS; i++) {
        state = state * 1664525u + 1013904223u;
        count((state >> 8) % ENTRIES);
    }
    struct entry *some = *find(7);

    printf("%u\n", some ? some->count : 0);
    return 0;
}
