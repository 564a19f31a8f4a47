/* SPDX-License-Identifier: MIT */
/*
 * Two threads start processes and read what these print.  libc holds a lock of its own while it
 * does that, which the other thread waits for; and one process may have ended, with nobody having
 * asked yet, while the other still runs.
 *
 * RUN    plait test -s random -n 300
 * EXPECT clean exit=0
 *
 * RUN    plait test -s pct -n 100
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *thread(void *arg)
{
    char line[9] = "";
    FILE *f = popen("echo word", "r");

    assert(f != NULL && fgets(line, sizeof(line), f) != NULL);
    assert(strcmp(line, "word\n") == 0);
    assert(pclose(f) == 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
