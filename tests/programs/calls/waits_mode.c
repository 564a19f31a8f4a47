/* SPDX-License-Identifier: MIT */
/*
 * Whether a call waits is decided when it begins: O_NONBLOCK that is set before that makes it fail,
 * set after that it changes nothing.  A thread that is about to begin may be found in either place,
 * also if it was created first.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=1,-1
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=1,-1
 *
 * RUN    -DREADER_LAST plait test -s dpor --outputs
 * EXPECT clean complete outputs=1,-1
 *
 * RUN    -DBY_IOCTL plait test -s dfs --outputs
 * EXPECT clean complete outputs=1,-1
 *
 * RUN    -DBY_IOCTL -DREADER_LAST plait test -s dpor --outputs
 * EXPECT clean complete outputs=1,-1
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int ends[2];
static ssize_t got;

static void *change(void *arg)
{
#ifdef BY_IOCTL
    ioctl(ends[0], FIONBIO, &(int){1});
#else
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
#endif
    return arg;
}

static void *look(void *arg)
{
    char c;

    got = read(ends[0], &c, 1);
    return arg;
}

static void *tell(void *arg)
{
    if (write(ends[1], "x", 1) != 1)
        abort();
    return arg;
}

int main(void)
{
    pthread_t threads[3];

    if (pipe(ends) != 0)
        abort();
#ifdef READER_LAST
    pthread_create(&threads[0], NULL, change, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
#else
    pthread_create(&threads[1], NULL, look, NULL);
    pthread_create(&threads[0], NULL, change, NULL);
#endif
    pthread_create(&threads[2], NULL, tell, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%zd\n", got);
    return 0;
}
