/* SPDX-License-Identifier: MIT */
/*
 * What a thread is called and how exact its timers are, set with prctl().
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback|fork why~prctl|name|process
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
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
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>

static char at_root[16];
static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void execution(void)
{
    char now[16];
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(prctl(PR_GET_NAME, now) == 0 && strcmp(now, at_root) == 0); /* @fresh */
    assert(prctl(PR_GET_TIMERSLACK) != 54321);
    turn++;
    assert(prctl(PR_SET_NAME, "changed") == 0);
    assert(prctl(PR_SET_TIMERSLACK, 54321) == 0);
    turn++;
    assert(prctl(PR_GET_NAME, now) == 0 && strcmp(now, "changed") == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    assert(prctl(PR_GET_NAME, at_root) == 0);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
