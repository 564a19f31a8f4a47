/* SPDX-License-Identifier: MIT */
/*
 * The program lowers a limit of its own; a lowered hard limit cannot even be raised again by
 * everybody, so it is remembered.  With the argument `soft` only what can is lowered.
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
 * RUN    plait test -s random -n 100 -- soft
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

static struct rlimit at_root;
static bool soft;
static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void execution(void)
{
    struct rlimit now, told;
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(getrlimit(RLIMIT_NOFILE, &now) == 0);
    assert(now.rlim_cur == at_root.rlim_cur && now.rlim_max == at_root.rlim_max); /* @fresh */
    turn++;
    now.rlim_max = at_root.rlim_max - !soft;
    now.rlim_cur = soft ? at_root.rlim_cur - 1 : now.rlim_max;
    assert(setrlimit(RLIMIT_NOFILE, &now) == 0);
    assert(getrlimit(RLIMIT_NOFILE, &told) == 0);
    assert(told.rlim_cur == now.rlim_cur && told.rlim_max == now.rlim_max);
    now.rlim_cur = now.rlim_max + 1;
    assert(setrlimit(RLIMIT_NOFILE, &now) == -1 && errno == EINVAL);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    soft = argc > 1 && strcmp(argv[1], "soft") == 0;
    assert(getrlimit(RLIMIT_NOFILE, &at_root) == 0 && at_root.rlim_max > 0);
    execution();
    if (argc > 1 && !soft)
        execution();
    return 0;
}
