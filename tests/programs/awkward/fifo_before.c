/* SPDX-License-Identifier: MIT */
/*
 * A FIFO is opened before the threads, by both ends, with a letter in it, and watched by a set of
 * epoll.  One thread writes and closes the last end that writes, the other reads up to the end,
 * and opens it once more by its name.  In every execution the letter is there again, and the end.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete restart=rollback
 *
 * RUN    plait test -s dfs --restart fork
 * EXPECT clean|refused
 *
 * RUN    plait test -s dfs --restart exec
 * EXPECT clean complete restart=exec
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[] = "/tmp/plait-fifo-before-XXXXXX";
static int in, out, set;

static void *writer(void *arg)
{
    assert(write(out, "b", 1) == 1);
    assert(close(out) == 0);
    return arg;
}

static void *reader(void *arg)
{
    struct epoll_event e;
    char c;

    assert(epoll_wait(set, &e, 1, -1) == 1 && e.data.fd == in);
    assert(read(in, &c, 1) == 1 && c == 'a');
    assert(read(in, &c, 1) == 1 && c == 'b');
    assert(read(in, &c, 1) == 0);
    return arg;
}

int main(void)
{
    struct epoll_event e = {.events = EPOLLIN};
    pthread_t t[2];

    assert(close(mkstemp(name)) == 0 && unlink(name) == 0);
    assert(mkfifo(name, 0600) == 0);
    in = open(name, O_RDONLY | O_NONBLOCK);
    out = open(name, O_WRONLY);
    set = epoll_create1(0);
    e.data.fd = in;
    assert(in >= 0 && out >= 0 && epoll_ctl(set, EPOLL_CTL_ADD, in, &e) == 0);
    assert(write(out, "a", 1) == 1 && fcntl(in, F_SETFL, 0) == 0);
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(close(in) == 0);
    assert(open(name, O_WRONLY | O_NONBLOCK) == -1 && errno == ENXIO); /* nobody reads */
    assert(unlink(name) == 0);
    return 0;
}
