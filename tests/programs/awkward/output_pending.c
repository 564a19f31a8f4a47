/* SPDX-License-Identifier: MIT */
/*
 * Text is in a buffer of stdio at the root and at the end, without a newline, and only exit()
 * writes it.  Every execution prints what was pending at the root once, then what it printed
 * itself, and nothing that another execution had still pending.
 *
 * RUN    plait test -s pos -n 40 --check='[ "$(cat; echo .)" = "begun, threads, all." ]'
 * EXPECT clean executions=40 restart=rollback
 *
 * RUN plait test -s pos -n 40 --check='[ "$(cat;echo .)" = "begun, threads, all." ]' --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN plait test -s pos -n 40 --check='[ "$(cat;echo .)" = "begun, threads, all." ]' --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    if (++turn == 4)
        printf("threads, ");
    return arg;
}

int main(void)
{
    static char buffer[1 << 16];
    pthread_t t;

    assert(setvbuf(stdout, buffer, _IOFBF, sizeof(buffer)) == 0);
    printf("begun, ");
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    turn++;
    if (++turn == 4)
        printf("threads, ");
    assert(pthread_join(t, NULL) == 0);
    printf("all");
    return 0;
}
