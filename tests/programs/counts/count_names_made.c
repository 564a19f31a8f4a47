/* SPDX-License-Identifier: MIT */
/*
 * Names are linked, renamed and made anew by three threads: which file a call is about depends on
 * who came before.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=31
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=31
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/names-XXXXXX", a[64], b[64];

static void make(const char *path)
{
    int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);

    if (fd >= 0)
        close(fd);
}

static void *moves(void *arg)
{
    rename(a, b);
    make(b);
    return arg;
}

static void *makes(void *arg)
{
    make(a);
    return arg;
}

int main(void)
{
    pthread_t one, two;

    assert(mkdtemp(folder) != NULL);
    snprintf(a, sizeof(a), "%s/a", folder);
    snprintf(b, sizeof(b), "%s/b", folder);
    assert(pthread_create(&one, NULL, moves, NULL) == 0);
    assert(pthread_create(&two, NULL, makes, NULL) == 0);
    assert(link(a, b) <= 0);
    assert(pthread_join(one, NULL) == 0);
    assert(pthread_join(two, NULL) == 0);
    return 0;
}
