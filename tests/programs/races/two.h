/* SPDX-License-Identifier: MIT */
/*
 * Two threads at the same time.  For tools that watch what happens to happen,
 * one of them can be made late: tests/system/crosscheck_races.py tries both.
 */
#ifndef TWO_H
#define TWO_H

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

typedef void *body(void *);

#ifdef LATE
static body *late_body;

static inline void *late(void *arg)
{
    usleep(100000);
    return late_body(arg);
}
#endif

/* Run both, to their ends. */
static inline int both(body *first, body *second)
{
    pthread_t a, b;

#ifdef LATE
    late_body = LATE == 1 ? first : second;
    *(LATE == 1 ? &first : &second) = late;
#endif
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

/* A result that depends on what the thread has seen: so that the compiler keeps the access. */
static inline void *seen(void *arg, long value)
{
    return (char *)arg + value;
}

#endif /* TWO_H */
