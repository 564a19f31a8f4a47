/* SPDX-License-Identifier: MIT */
/*
 * main() leaves by pthread_exit(): the thread that ends last calls the exit handlers, whichever it
 * is, and so the ends of threads have an order.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=6
 *
 * RUN    [dpor] plait test -s dpor
 * EXPECT clean complete classes=6
 *
 * RUN    [dpor] plait test -s dpor -- main
 * EXPECT assertion location~@main
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_t first;
static bool ended[2];
static bool is_main;

static void finish(void)
{
    assert(ended[0] && ended[1]);
    assert(!is_main || pthread_equal(pthread_self(), first)); /* @main */
}

static void *run(void *arg)
{
    *(bool *)arg = true;
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t one, other;

    (void)argv;
    is_main = argc > 1;
    first = pthread_self();
    atexit(finish);
    pthread_create(&one, NULL, run, &ended[0]);
    pthread_create(&other, NULL, run, &ended[1]);
    pthread_exit(NULL);
}
