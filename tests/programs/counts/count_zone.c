/* SPDX-License-Identifier: MIT */
/*
 * The time zone is set by what the environment says when it is looked at, and not later.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=2
 */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

static void *set(void *arg)
{
    setenv("TZ", "BBB-2", 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    struct tm broken_down;
    time_t first = 0;

    setenv("TZ", "AAA-1", 1);
    tzset();
    pthread_create(&thread, NULL, set, NULL);
    tzset();
    pthread_join(thread, NULL);
    localtime_r(&first, &broken_down);
    return broken_down.tm_hour < 1 || broken_down.tm_hour > 2;
}
