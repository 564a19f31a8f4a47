/* SPDX-License-Identifier: MIT */
/*
 * An alarm and timers are set and still running at the end, far in the future.  They are no timers
 * of the kernel but state of the execution: the next one must not have them.
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
 * RUN    plait test -s random -n 100 -- interval
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 -- posix
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const char *how = "alarm";
static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void set(void)
{
    struct itimerval value = {.it_value.tv_sec = 100000}, before;
    struct itimerspec long_time = {.it_value.tv_sec = 100000};
    timer_t timer;

    if (strcmp(how, "interval") == 0) {
        assert(setitimer(ITIMER_REAL, &value, NULL) == 0);
        assert(setitimer(ITIMER_VIRTUAL, &value, NULL) == 0);
        assert(setitimer(ITIMER_PROF, &value, NULL) == 0);
        assert(getitimer(ITIMER_PROF, &before) == 0 && before.it_value.tv_sec > 0);
    } else if (strcmp(how, "posix") == 0) {
        assert(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0);
        assert(timer_settime(timer, 0, &long_time, NULL) == 0);
    } else {
        assert(alarm(100000) == 0);
    }
}

static void execution(void)
{
    struct itimerval left;
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(getitimer(ITIMER_REAL, &left) == 0);
    assert(left.it_value.tv_sec == 0 && left.it_value.tv_usec == 0); /* @fresh */
    assert(getitimer(ITIMER_VIRTUAL, &left) == 0);
    assert(left.it_value.tv_sec == 0 && left.it_value.tv_usec == 0);
    turn++;
    set();
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        how = argv[1];
    execution();
    if (strcmp(how, "twice") == 0)
        execution();
    return 0;
}
