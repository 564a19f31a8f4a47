/* SPDX-License-Identifier: MIT */
/*
 * A FIFO with two letters is open before the threads.  Both threads open it by its name and read a
 * letter: that takes from what its end from before has, and in the next execution both are there
 * again.  Where it was not found touched, nobody but the first execution found anything: all others
 * were deadlocks.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete restart=rollback
 *
 * RUN    plait test -s dfs -n 200
 * EXPECT clean restart=rollback
 *
 * RUN    plait test -s dpor --restart fork
 * EXPECT clean|refused
 *
 * RUN    plait test -s dpor --restart exec
 * EXPECT clean complete restart=exec
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[] = "/tmp/plait-fifo-by-name-XXXXXX";

static void *take(void *arg)
{
    int fd = open(name, O_RDONLY);
    char c;

    assert(fd >= 0 && read(fd, &c, 1) == 1 && c == 'a');
    assert(close(fd) == 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(close(mkstemp(name)) == 0 && unlink(name) == 0);
    assert(mkfifo(name, 0600) == 0);
    int both = open(name, O_RDWR);

    assert(both >= 0 && write(both, "aa", 2) == 2);
    pthread_create(&t, NULL, take, NULL);
    take(NULL);
    pthread_join(t, NULL);
    assert(close(both) == 0 && unlink(name) == 0);
    return 0;
}
