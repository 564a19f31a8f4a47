/* SPDX-License-Identifier: MIT */
/*
 * A thread gives up its user and takes it back, another asks who it is and opens a file that only
 * the first user may read.  Who changes users is an operation, and who asks, once somebody has
 * changed them beside others.  Without rights nothing changes.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { OTHER = 1000 };

static char name[] = "/tmp/plait-users-XXXXXX";
static uid_t first;

static void *change(void *arg)
{
    assert(seteuid(first == 0 ? OTHER : first) == 0);
    assert(geteuid() == (first == 0 ? OTHER : first));
    assert(seteuid(first) == 0 && geteuid() == first);
    return arg;
}

static void *ask(void *arg)
{
    uid_t user = geteuid(), real, effective, saved;
    int file = open(name, O_RDONLY);

    assert(user == first || user == OTHER);
    assert(file >= 0 ? close(file) == 0 : errno == EACCES && first == 0);
    assert(getresuid(&real, &effective, &saved) == 0 && real == first && saved == first);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    first = geteuid();
    assert(close(mkstemp(name)) == 0);
    pthread_create(&t[0], NULL, change, NULL);
    pthread_create(&t[1], NULL, ask, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(unlink(name) == 0);
    return 0;
}
