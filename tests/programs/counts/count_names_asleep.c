/* SPDX-License-Identifier: MIT */
/*
 * Renaming and linking depend on each other only if somebody has made the file: so what was
 * planned to come behind a call may turn out to have been explored.  It is left where it shows,
 * and no class comes twice.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=14
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=14
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/asleep-XXXXXX", a[64], b[64];
static _Atomic int n;
static volatile int seen;

static void *links(void *arg)
{
    seen = atomic_fetch_add(&n, 3);
    assert(link(b, a) <= 0);
    return arg;
}

static void *makes(void *arg)
{
    atomic_fetch_add(&n, 1);
    int fd = open(a, O_CREAT | O_TRUNC | O_WRONLY, 0600);

    assert(write(fd, "a", 1) == 1);
    close(fd);
    return arg;
}

int main(void)
{
    pthread_t one, two;

    assert(mkdtemp(folder) != NULL);
    snprintf(a, sizeof(a), "%s/a", folder);
    snprintf(b, sizeof(b), "%s/b", folder);
    assert(pthread_create(&one, NULL, links, NULL) == 0);
    assert(pthread_create(&two, NULL, makes, NULL) == 0);
    assert(rename(a, b) <= 0);
    assert(pthread_join(one, NULL) == 0);
    assert(pthread_join(two, NULL) == 0);
    return 0;
}
