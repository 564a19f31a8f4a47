/* SPDX-License-Identifier: MIT */
/*
 * A handler for SIGABRT that does not return keeps the program alive, whoever called abort().  One
 * that returns has only been told of it (-DRETURNS=1), and may call it again (-DAGAIN=1).
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -s noise -n 3
 * EXPECT clean
 *
 * RUN    -DRETURNS=1 plait test -s dpor
 * EXPECT assertion message~abort location~@bug
 *
 * RUN    -DAGAIN=1 plait test -s dpor
 * EXPECT assertion message~abort
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

static __thread sigjmp_buf away;

static void handle(int number)
{
    (void)number;
#if defined(AGAIN)
    abort();
#elif !defined(RETURNS)
    siglongjmp(away, 1);
#endif
}

static void *give_up(void *arg)
{
    if (sigsetjmp(away, 1) == 0)
        abort(); /* @bug */
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle};
    pthread_t t;

    sigaction(SIGABRT, &action, NULL);
    pthread_create(&t, NULL, give_up, NULL);
    give_up(NULL);
    pthread_join(t, NULL);
    return 0;
}
