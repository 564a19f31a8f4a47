/* SPDX-License-Identifier: MIT */
/*
 * A text is read up to its end, and where that is depends on what was written before.  As long as
 * the text ends with its first byte, what is behind that has nothing to do with it: it is read
 * before it becomes longer; or after that, before or after the byte behind is written.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=3 executions=5
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=3
 */
#include <pthread.h>
#include <string.h>

static char text[16] = "1";
static volatile int shorter;

static void *read_text(void *arg)
{
    shorter = strcmp(text, "2") < 0;
    return arg;
}

static void *write_behind(void *arg)
{
    text[2] = 0;
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, write_behind, NULL);
    pthread_create(&threads[1], NULL, read_text, NULL);
    text[1] = '3';
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
