/* SPDX-License-Identifier: MIT */
/*
 * The program catches its own SIGSEGV and goes on.  Whoever watches memory by that signal must
 * stand back.  Installed before the first thread, or during the execution when there is an
 * argument `late`.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback|fork why~SIGSEGV|signal
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    plait test -s random -n 100 -- late
 * EXPECT clean executions=100 restart=rollback|fork why~SIGSEGV|signal
 *
 * RUN    plait test -s random -n 100 --restart fork -- late
 * EXPECT clean restart=fork same=4
 *
 * RUN    plait test -s random -n 100 --restart exec -- late
 * EXPECT clean restart=exec same=4
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
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static _Thread_local sigjmp_buf escape;
static _Thread_local int *volatile nowhere;
static atomic_int caught;
static const char *when = "early";

static void recover(int signal)
{
    siglongjmp(escape, signal);
}

static void *nothing(void *arg)
{
    return arg;
}

static void *thread(void *arg)
{
    for (int i = 0; i < 3; i++) {
        if (sigsetjmp(escape, 1) == 0) {
            *nowhere = 1;
            assert(!"reached");
        }
        caught++;
    }
    return arg;
}

static void execution(void)
{
    pthread_t t[2];

    if (strcmp(when, "late") == 0) { /* the first thread created is the root */
        assert(pthread_create(&t[0], NULL, nothing, NULL) == 0);
        assert(pthread_join(t[0], NULL) == 0);
        assert(signal(SIGSEGV, recover) != SIG_ERR);
    }
    for (int i = 0; i < 2; i++)
        assert(pthread_create(&t[i], NULL, thread, NULL) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(t[i], NULL) == 0);
    assert(caught == 6); /* @fresh */
}

int main(int argc, char **argv)
{
    if (argc > 1)
        when = argv[1];
    if (strcmp(when, "late") != 0)
        signal(SIGSEGV, recover);
    execution();
    if (strcmp(when, "twice") == 0)
        execution();
    return 0;
}
