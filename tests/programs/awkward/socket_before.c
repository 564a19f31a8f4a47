/* SPDX-License-Identifier: MIT */
/*
 * Two threads talk over a pair of sockets that was made before the root, and something is left
 * unread.  What is in a socket belongs to the kernel and is shared by all forked processes; each
 * execution gets a pair of its own.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart rollback
 * EXPECT clean restart=rollback same=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static int pair[2];
static atomic_int turn;

static void *answerer(void *arg)
{
    char question[5];

    turn++;
    assert(recv(pair[1], question, 5, MSG_WAITALL) == 5 && memcmp(question, "what?", 5) == 0);
    turn++;
    assert(send(pair[1], "this, and more", 14, 0) == 14);
    return arg;
}

static void execution(void)
{
    char answer[4];
    int bytes = -1;
    pthread_t t;

    assert(pthread_create(&t, NULL, answerer, NULL) == 0);
    assert(ioctl(pair[0], FIONREAD, &bytes) == 0 && bytes == 0); /* @fresh */
    turn++;
    assert(send(pair[0], "what?", 5, 0) == 5);
    turn++;
    assert(recv(pair[0], answer, 4, MSG_WAITALL) == 4 && memcmp(answer, "this", 4) == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
