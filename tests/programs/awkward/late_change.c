/* SPDX-License-Identifier: MIT */
/*
 * Only in some interleavings does the program do what rollback cannot undo: it changes how it
 * runs.  With the argument `socket` it writes to a socket from before the root, which rollback can
 * undo.  By then executions have been made by rollback.  What was learnt and counted stays; the
 * execution that showed it is made once, as far as anybody can see, and the campaign is the one
 * that it would have been from the start.
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean executions=200 restart=fork why~prctl
 *
 * RUN    plait test -s random -n 200 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 200 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    plait test -s random -n 200 --restart rollback
 * EXPECT refused
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete restart=fork why~prctl
 *
 * RUN    plait test -s dfs --restart fork
 * EXPECT clean complete restart=fork same=5
 *
 * RUN    plait test -s dfs --restart exec
 * EXPECT clean complete restart=exec same=5
 *
 * RUN    plait test -s dfs -- socket
 * EXPECT clean complete restart=rollback
 *
 * RUN    plait test -s dfs --restart exec -- socket
 * EXPECT clean complete restart=exec same=8
 *
 * RUN    -DFAILS=1 plait test -s random -k -n 200
 * EXPECT assertion failures=1-199 executions=200 restart=fork why~prctl replay=1
 *
 * RUN    -DFAILS=1 plait test -s random -k -n 200 --restart fork
 * EXPECT assertion restart=fork same=10 replay=1
 *
 * RUN    -DFAILS=1 plait test -s random -k -n 200 --restart exec
 * EXPECT assertion restart=exec same=10 replay=1
 *
 * RUN    -DFAILS=1 plait test -s random -k -n 200 -- socket
 * EXPECT assertion failures=1-199 executions=200 restart=rollback replay=1
 *
 * RUN    -DFAILS=1 plait test -s random -k -n 200 --restart exec -- socket
 * EXPECT assertion restart=exec same=13 replay=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef FAILS
#define FAILS 0
#endif

static int talk;
static int use_socket;
static atomic_int step, writes;

static void leave_a_trace(void)
{
    int bytes = -1;

    assert(++writes == 1);
    if (use_socket) {
        assert(ioctl(talk, FIONREAD, &bytes) == 0 && bytes == 0);
        assert(send(talk, "left", 4, 0) == 4);
        return;
    }
    assert(prctl(PR_SET_DUMPABLE, 0) == 0);
}

static void *thread(void *arg)
{
    int now = step;

    step = now + 10;
    if (now == 3) /* late, and not often */
        leave_a_trace();
    assert(!FAILS || now != 2); /* in other interleavings than those that leave a trace */
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;

    use_socket = argc > 1 && strcmp(argv[1], "socket") == 0;
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof(own);

    talk = socket(AF_INET, SOCK_DGRAM, 0); /* to itself, but who could know */
    assert(bind(talk, (struct sockaddr *)&own, size) == 0);
    assert(getsockname(talk, (struct sockaddr *)&own, &size) == 0);
    assert(connect(talk, (struct sockaddr *)&own, size) == 0);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    for (int i = 1; i <= 4; i++) {
        if (step < 10)
            step = i;
    }
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
