/* SPDX-License-Identifier: MIT */
/*
 * Threads print to one stream, and read and write files of their own.
 *
 * RUN    plait test -s random -n 60
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 60
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 15 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void *thread(void *arg)
{
    int mine = (int)(intptr_t)arg, number;
    char word[16];
    FILE *f = tmpfile();

    assert(f != NULL);
    assert(fprintf(f, "thread %d\n", mine) > 0);
    rewind(f);
    assert(fscanf(f, "%15s %d", word, &number) == 2);
    assert(strcmp(word, "thread") == 0 && number == mine);
    assert(fclose(f) == 0);
    printf("%d done\n", mine);
    fflush(stdout);
    return NULL;
}

int main(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, (void *)1) == 0);
    thread((void *)2);
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
