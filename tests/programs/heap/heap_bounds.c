/* SPDX-License-Identifier: MIT */
/*
 * Accesses outside of blocks, each with the block, how far away, and where it was allocated.
 *
 * RUN    -DBEHIND plait test -s dpor
 * EXPECT heap-bounds location~@behind message~right.behind.a.block.of.40
 *
 * RUN    -DFAR_BEHIND plait test -s dpor
 * EXPECT heap-bounds location~@far message~8.behind.a.block.of.40
 *
 * RUN    -DBEFORE plait test -s dpor
 * EXPECT heap-bounds location~@before message~4.before.a.block.of.40
 *
 * RUN    -DACROSS plait test -s dpor
 * EXPECT heap-bounds location~@across message~beyond.the.end.of.a.block.of.10
 *
 * RUN    -DREAD_BEHIND plait test -s dpor
 * EXPECT heap-bounds location~@read message~read.of.1.byte.right.behind.a.block.of.10
 *
 * RUN    -DEMPTY plait test -s dpor
 * EXPECT heap-bounds location~@empty message~behind.a.block.of.0
 *
 * RUN    -DSHRUNK plait test -s dpor
 * EXPECT heap-bounds location~@shrunk message~behind.a.block.of.8
 *
 * RUN    -DOLD plait test -s dpor
 * EXPECT use-after-free location~@old
 *
 * RUN    -DLARGE plait test -s dpor
 * EXPECT heap-bounds location~@large message~right.behind.a.block.of.3000000
 *
 * RUN    -DALIGNED plait test -s dpor
 * EXPECT heap-bounds location~@aligned message~1.before.a.block.of.100
 *
 * RUN    -DCOPIED plait test -s dpor
 * EXPECT heap-bounds message~beyond.the.end.of.a.block.of.16
 *
 * RUN    -DFILLED plait test -s dpor
 * EXPECT heap-bounds message~beyond.the.end.of.a.block.of.16
 *
 * RUN    -DATOMIC plait test -s dpor
 * EXPECT heap-bounds location~@atomic message~behind.a.block.of.8
 *
 * RUN    -DNEIGHBOUR plait test -s dpor
 * EXPECT heap-bounds location~@neighbour
 *
 * RUN    -DLATE plait test -s dpor
 * EXPECT heap-bounds location~@late
 *
 * RUN    -DBEHIND plait test -s dpor --detect -heap-bounds
 * EXPECT clean
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static volatile int n = 10;
volatile int seen;
static int *volatile shared;

static void *use(void *arg)
{
    volatile int *p = malloc(sizeof(int) * n);
    volatile char *c = calloc(10, 1);

    (void)p, (void)c;
    for (int i = 0; i < n; i++)
        p[i] = i;
#if defined(BEHIND)
    p[n] = 1; /* @behind */
#elif defined(FAR_BEHIND)
    p[n + 2] = 1; /* @far */
#elif defined(BEFORE)
    p[n - 11] = 1; /* @before */
#elif defined(ACROSS)
    *(volatile int *)(c + n - 2) = 1; /* @across */
#elif defined(READ_BEHIND)
    seen = c[n]; /* @read */
#elif defined(EMPTY)
    volatile char *none = malloc(n - 10);

    *none = 1; /* @empty */
#elif defined(SHRUNK)
    p = realloc((void *)p, 8);
    p[n - 8] = 1; /* @shrunk */
#elif defined(OLD)
    volatile int *volatile old = p;

    p = realloc((void *)p, 4000);
    seen = old[n - 9]; /* @old */
#elif defined(LARGE)
    volatile char *large = malloc(3000000);

    large[2999990 + n] = 1; /* @large */
#elif defined(ALIGNED)
    volatile char *aligned = aligned_alloc(64, 100);

    aligned[n - 11] = 1; /* @aligned */
#elif defined(COPIED)
    char *to = malloc(16);
    char from[32] = {0};

    memcpy(to, from, 7 + n);
    seen = to[n];
#elif defined(FILLED)
    char *to = malloc(16);

    memset(to, 1, 7 + n);
    seen = to[n];
#elif defined(ATOMIC)
    int *two = malloc(8);

    __atomic_store_n(&two[n - 8], 1, __ATOMIC_SEQ_CST); /* @atomic */
#elif defined(NEIGHBOUR)
    volatile char *a = malloc(24), *b = malloc(24);

    (void)b;
    a[n + 40] = 1; /* @neighbour */
#endif
    free((void *)p);
    free((void *)c);
    return arg;
}

/* Only if the other thread has made it smaller meanwhile. */
static void *shrink(void *arg)
{
#ifdef LATE
    int *was = shared;
    int *now = malloc(4);

    now[0] = was[0];
    shared = now;
#endif
    return arg;
}

static void *look(void *arg)
{
#ifdef LATE
    seen = shared[n - 9]; /* @late */
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b, c;

    shared = calloc(2, 4);
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, shrink, NULL);
    pthread_create(&c, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
