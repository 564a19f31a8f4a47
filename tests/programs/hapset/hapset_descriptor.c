/* SPDX-License-Identifier: MIT */
/*
 * Files and descriptors are objects of predecessor sets.  That the descriptor is closed between the
 * look at a flag and its use is known only after executions in which both came about; the orders of
 * the lock, which lead there, are known by then.
 *
 * RUN    plait test -s hapset
 * EXPECT assertion incomplete
 *
 * RUN    plait test -s hapset:base=pcb
 * EXPECT assertion incomplete
 *
 * RUN    plait test -s hapset:base=all
 * EXPECT assertion incomplete
 *
 * RUN    -DPIPE plait test -s hapset -k
 * EXPECT assertion incomplete sets~@first; @second;@first,@read @read;@first,@second
 */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int fd[2], usable = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *arg)
{
    pthread_mutex_lock(&lock);
    int can = usable;

    pthread_mutex_unlock(&lock);
    if (can)
        assert(send(fd[0], "x", 1, MSG_NOSIGNAL) == 1);
    return arg;
}

static void *first(void *arg)
{
    write(fd[1], "a", 1); /* @first */
    return arg;
}

static void *second(void *arg)
{
    write(fd[1], "b", 1); /* @second */
    return arg;
}

static void take(void)
{
    char c = 0;

    read(fd[0], &c, 1); /* @read */
    assert(c == 'a');
}

int main(void)
{
    pthread_t t[2];

#ifdef PIPE
    (void)use;
    (void)pipe(fd);
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    take();
    pthread_join(t[1], NULL);
#else
    (void)first, (void)second, (void)take;
    socketpair(AF_UNIX, SOCK_STREAM, 0, fd);
    pthread_create(&t[0], NULL, use, NULL);
    pthread_mutex_lock(&lock);
    usable = 0;
    pthread_mutex_unlock(&lock);
    close(fd[0]);
#endif
    return pthread_join(t[0], NULL);
}
