/* SPDX-License-Identifier: MIT */
/*
 * A part of the output was written out before the root, a part is pending there, a part is
 * written out during the execution and the rest at its end; and the same on standard error.
 * Each execution's output is what a native start prints, from the first line to the last.
 *
 * OUTPUT written before
 * OUTPUT pending at the root
 * OUTPUT written by a thread
 * OUTPUT by a system call
 * OUTPUT pending at the end
 *
 * RUN    plait test -s random -n 40 --expect-output=%t/expected
 * EXPECT clean executions=40 restart=rollback
 *
 * RUN    plait test -s random -n 40 --expect-output=%t/expected --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 40 --expect-output=%t/expected --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    puts("written by a thread");
    fflush(stdout);
    turn++;
    return arg;
}

int main(void)
{
    const char *direct = "by a system call\n";
    pthread_t t;

    puts("written before");
    fflush(stdout);
    fprintf(stderr, "an error\n");
    puts("pending at the root");
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    turn++;
    fprintf(stderr, "another error\n");
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(write(1, direct, strlen(direct)) == (ssize_t)strlen(direct));
    puts("pending at the end");
    return 0;
}
