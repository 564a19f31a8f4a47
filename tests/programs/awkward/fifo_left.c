/* SPDX-License-Identifier: MIT */
/*
 * Somebody reads at a FIFO, so what a writer has put there stays when that is gone.  Who opens it
 * for reading then waits for another writer, for ever.
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock
 *
 * RUN    plait test -s dfs --restart exec
 * EXPECT deadlock
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[] = "/tmp/plait-fifo-left-XXXXXX";
static int in, out;

static void *writer(void *arg)
{
    assert(write(out, "a", 1) == 1);
    assert(close(out) == 0);
    return arg;
}

static void *reader(void *arg)
{
    int again = open(name, O_RDONLY);

    assert(again >= 0 && close(again) == 0);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    assert(close(mkstemp(name)) == 0 && unlink(name) == 0);
    assert(mkfifo(name, 0600) == 0);
    in = open(name, O_RDONLY | O_NONBLOCK);
    out = open(name, O_WRONLY);
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(close(in) == 0 && unlink(name) == 0);
    return 0;
}
