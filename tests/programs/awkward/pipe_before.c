/* SPDX-License-Identifier: MIT */
/*
 * A pipe made before the threads wakes one of them: the self-pipe.  At the end bytes are left in
 * it.  In the next execution the pipe is empty again.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean|refused restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int wake[2];
static atomic_int turn;

static void *sleeper(void *arg)
{
    struct pollfd p = {.fd = wake[0], .events = POLLIN};
    char c;

    turn++;
    assert(poll(&p, 1, -1) == 1);
    assert(read(wake[0], &c, 1) == 1 && c == 'a');
    turn++;
    return arg;
}

static void execution(void)
{
    int bytes = -1;
    pthread_t t;

    assert(pthread_create(&t, NULL, sleeper, NULL) == 0);
    assert(ioctl(wake[0], FIONREAD, &bytes) == 0 && bytes == 0); /* @fresh */
    turn++;
    assert(write(wake[1], "abc", 3) == 3);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(ioctl(wake[0], FIONREAD, &bytes) == 0 && bytes == 2);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    assert(pipe(wake) == 0);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
