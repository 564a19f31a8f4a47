/* SPDX-License-Identifier: MIT */
/*
 * The program makes itself nicer.  Without privileges that would be for ever; it is kept for the
 * thread that asks for it, and nobody else is told.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
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
#include <sys/resource.h>
#include <unistd.h>

static int at_root;
static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void execution(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(getpriority(PRIO_PROCESS, 0) == at_root); /* @fresh */
    turn++;
    assert(setpriority(PRIO_PROCESS, 0, at_root + 1) == 0);
    assert(nice(1) == at_root + 2);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    at_root = getpriority(PRIO_PROCESS, 0);
    assert(at_root < 15);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
