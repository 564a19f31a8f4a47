/* SPDX-License-Identifier: MIT */
/*
 * sendmmsg() and recvmmsg() are as many calls as there are messages: another thread may come in
 * between.  TAKEN: who asks for at least one of two messages that are sent at once may get only
 * that.  FLAGS: it waits for all.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=6
 *
 * RUN    -DMIXED plait test -s dpor
 * EXPECT assertion location~@mixed
 *
 * RUN    -DTAKEN plait test -s dpor
 * EXPECT assertion location~@taken
 *
 * RUN    -DTAKEN -DFLAGS=0 plait test -s dpor
 * EXPECT clean complete
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

#ifndef FLAGS
#define FLAGS MSG_WAITFORONE
#endif

static int ends[2];

static struct mmsghdr *both(char *at)
{
    static _Thread_local struct mmsghdr m[2];
    static _Thread_local struct iovec v[2];

    for (int i = 0; i < 2; i++) {
        v[i] = (struct iovec){at + i, 1};
        m[i].msg_hdr = (struct msghdr){.msg_iov = &v[i], .msg_iovlen = 1};
    }
    return m;
}

static void *send_two(void *text)
{
    assert(sendmmsg(ends[0], both(text), 2, 0) == 2);
    return NULL;
}

int main(void)
{
    static char first[] = "ab", second[] = "cd";
    pthread_t thread;
    char text[5] = "";

    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
    pthread_create(&thread, NULL, send_two, first);
#ifdef TAKEN
    (void)second;
    assert(recvmmsg(ends[1], both(text), 2, FLAGS, NULL) == 2); /* @taken */
#else
    send_two(second);
#endif
    pthread_join(thread, NULL);
#ifndef TAKEN
    for (int i = 0; i < 4; i++)
        assert(recv(ends[1], text + i, 1, 0) == 1);
    assert(strchr(text, 'a') < strchr(text, 'b') && strchr(text, 'c') < strchr(text, 'd'));
#ifdef MIXED
    assert(strcmp(text, "acbd") != 0); /* @mixed */
#endif
#endif
    return 0;
}
