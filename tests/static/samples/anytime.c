/* SPDX-License-Identifier: MIT */
/*
 * What nobody in the program calls runs beside threads: main() behind a constructor that has
 * created one, handlers of signals, functions for the end.
 *
 * OPT 0
 * PAIR RW early
 * PAIR RW handled
 * PAIR RW late
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static int early, handled, late;
static pthread_t first;

static void *t1(void *arg)
{
    early = 1;
    return arg;
}

static void *t2(void *arg)
{
    handled = 1;
    late = 1;
    return arg;
}

static void handler(int number)
{
    handled = number;
}

static void at_end(void)
{
    late = 2;
}

__attribute__((constructor)) static void before(void)
{
    pthread_create(&first, NULL, t1, NULL);
}

int main(void)
{
    pthread_t second;

    signal(SIGUSR1, handler);
    atexit(at_end);
    early = 2;
    pthread_join(first, NULL);
    pthread_create(&second, NULL, t2, NULL);
    raise(SIGUSR1);
    pthread_detach(second);
    return 0;
}
