/* SPDX-License-Identifier: MIT */
/*
 * Main writes to memory and then sleeps in the kernel, in a call that is no operation, until the
 * other thread has read it: with a recording, whoever waits for the memory must see that the write
 * has happened.
 *
 * RUN    plait test -s noise:none -n 20 --hang-time 10s
 * EXPECT clean executions=20
 *
 * RUN    plait test -s noise:sleep -n 20 --hang-time 10s
 * EXPECT clean executions=20
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Alignas(64) int value, copy;
static int ends[2];

static void *reader(void *arg)
{
    usleep(5000);
    copy = value;
    assert(write(ends[1], "x", 1) == 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    char c;
    int end;

    assert(pipe(ends) == 0);
    end = ends[0];
    pthread_create(&t, NULL, reader, NULL);
    value = 7;
    assert(syscall(SYS_read, end, &c, 1) == 1); /* not through read(), which is one */
    pthread_join(t, NULL);
    assert(copy == 7 || copy == 0);
    return 0;
}
