/* SPDX-License-Identifier: MIT */
/*
 * What functions of libc do to memory, a case each: the first thread calls a function on `shared`,
 * the second touches it without a function.  Each case is a search of its own, in which there
 * are as many classes of executions as the two have orders.
 */
#ifndef CASES_H
#define CASES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <plait.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct one_case {
    void (*prepare)(void);
    void (*first)(void);
    void (*second)(void);
};

/* As large as anything that is stored, aligned for all of it. */
extern union contents {
    char text[1024];
    wchar_t wide[256];
    int number;
    long word;
    double real;
    void *pointer;
} shared;

/* Results go here: nothing is left out, and no other thread looks. */
extern __thread volatile long result;

/* The second thread changes the first byte, or looks at it. */
#define TOUCH ((void)(*(volatile char *)shared.text = '7'))
#define LOOK ((void)(result = *(volatile char *)shared.text))

#define CASE(name, before, call, other) \
    static void name##_prepare(void)    \
    {                                   \
        before;                         \
    }                                   \
    static void name##_first(void)      \
    {                                   \
        call;                           \
    }                                   \
    static void name##_second(void)     \
    {                                   \
        other;                          \
    }                                   \
    static const struct one_case name##_case = {name##_prepare, name##_first, name##_second};

/* A text that is read, which the other thread changes; memory that is written, at which it looks.
 */
#define READS(name, call) CASE(name, strcpy(shared.text, "12 ab"), call, TOUCH)
#define WRITES(name, call) CASE(name, memset(&shared, 0, sizeof(shared)), call, LOOK)

union contents shared;
__thread volatile long result;

static void *call_it(void *function)
{
    (*(void (**)(void))function)();
    return NULL;
}

static void run(void *arg)
{
    struct one_case *one = arg;
    pthread_t a, b;

    one->prepare();
    pthread_create(&a, NULL, call_it, &one->first);
    pthread_create(&b, NULL, call_it, &one->second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

#define RUN(name) plait_test(run, (void *)&name##_case)

#endif /* CASES_H */
