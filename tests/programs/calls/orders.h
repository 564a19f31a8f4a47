/* SPDX-License-Identifier: MIT */
/*
 * A row of calls.def each: the first thread makes the call, the second one that depends on it. What
 * the two saw is printed behind the name of the call, so each row has two different texts if both
 * orders happen.  Files are made in the working folder.
 */
#ifndef ORDERS_H
#define ORDERS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <plait.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct order {
    const char *name;
    void (*prepare)(void);
    long (*first)(void);
    long (*second)(void);
};

#define ORDER(call, before, one, other)                                \
    static void call##_before(void)                                    \
    {                                                                  \
        before;                                                        \
    }                                                                  \
    static long call##_first(void)                                     \
    {                                                                  \
        one;                                                           \
    }                                                                  \
    static long call##_second(void)                                    \
    {                                                                  \
        other;                                                         \
    }                                                                  \
    __attribute__((unused)) static const struct order order_##call = { \
        #call, call##_before, call##_first, call##_second};

#define MUST(good)   \
    do {             \
        if (!(good)) \
            abort(); \
    } while (0)

/* What a call said, as the kernel says it. */
__attribute__((unused)) static long said(long result)
{
    return result < 0 ? -errno : result;
}

/* What is left to do behind both, and what it saw; set where a case is prepared. */
static void (*after)(void);
__attribute__((unused)) static long seen;

static void *call_it(void *function)
{
    return (void *)(*(long (**)(void))function)();
}

static void run(const struct order *o)
{
    long (*calls[2])(void) = {o->first, o->second};
    pthread_t a, b;
    void *one, *other;
    char text[128];

    after = NULL;
    seen = 0;
    o->prepare();
    pthread_create(&a, NULL, call_it, &calls[0]);
    pthread_create(&b, NULL, call_it, &calls[1]);
    pthread_join(a, &one);
    pthread_join(b, &other);
    if (after != NULL)
        after();
    int n = snprintf(text, sizeof(text), "%s %ld %ld %ld\n", o->name, (long)one, (long)other, seen);

    MUST(write(1, text, (size_t)n) == n); /* not to a stream: it may be what the case is about */
}

/* Which case is a choice of the search, or that of the argument; natively all of them. */
static int run_one_of(const struct order *const *all, unsigned n, int argc, char **argv)
{
    plait_begin();
    for (unsigned i = 0; i < n; i++) {
        if (argc > 1 ? strcmp(all[i]->name, argv[1]) == 0 : !plait_active())
            run(all[i]);
    }
    if (argc == 1 && plait_active())
        run(all[plait_choose(n)]);
    return 0;
}

#define ORDERS(...)                                                                   \
    int main(int argc, char **argv)                                                   \
    {                                                                                 \
        static const struct order *const all[] = {__VA_ARGS__};                       \
                                                                                      \
        return run_one_of(all, (unsigned)(sizeof(all) / sizeof(all[0])), argc, argv); \
    }

#endif /* ORDERS_H */
