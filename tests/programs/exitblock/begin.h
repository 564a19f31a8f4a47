/* SPDX-License-Identifier: MIT */
/*
 * For programs whose threads are all to exist when an execution begins, as in the model of the
 * search (tests/generated/exitblock.c): main creates them, and the first pthread_join() says
 * plait_begin().  With ORDINARY the executions begin at the first thread, as usual.
 */
#ifndef PL_TESTS_PROGRAMS_EXITBLOCK_BEGIN_H
#define PL_TESTS_PROGRAMS_EXITBLOCK_BEGIN_H

#include <plait.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef ORDINARY
static inline int begin_and_join(pthread_t thread, void **result)
{
    static bool begun;

    if (!begun) {
        begun = true;
        plait_begin();
    }
    return pthread_join(thread, result);
}

#define pthread_join begin_and_join
#endif

enum { BODIES_MAX = 8 };

/* One thread for each of the functions, in this order. */
static inline void run_all(int n, void *(*const *bodies)(void *))
{
    pthread_t threads[BODIES_MAX];

    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}

#define RUN_ALL(...)                                                 \
    run_all((int)(sizeof((void *[]){__VA_ARGS__}) / sizeof(void *)), \
            (void *(*const[])(void *)){__VA_ARGS__})

#endif /* PL_TESTS_PROGRAMS_EXITBLOCK_BEGIN_H */
