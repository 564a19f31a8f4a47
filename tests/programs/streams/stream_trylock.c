/* SPDX-License-Identifier: MIT */
/*
 * ftrylockfile() is told that it cannot while another thread has the stream, and only then.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dpor -- again
 * EXPECT clean complete exit=0
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *holder(void *arg)
{
    flockfile(file);
    fputs("a", file);
    funlockfile(file);
    return arg;
}

int main(int argc, char **argv __attribute__((unused)))
{
    pthread_t t;

    file = tmpfile();
    pthread_create(&t, NULL, holder, NULL);
    int failed = ftrylockfile(file);

    assert(argc > 1 || !failed);
    assert(failed == 0 || failed == EBUSY);
    if (!failed)
        funlockfile(file);
    pthread_join(t, NULL);
    assert(ftrylockfile(file) == 0 && ftrylockfile(file) == 0);
    funlockfile(file);
    funlockfile(file);
    fclose(file);
    return 0;
}
