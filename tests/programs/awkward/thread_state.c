/* SPDX-License-Identifier: MIT */
/*
 * errno and thread local variables of main have values at the root.  Each thread has its own,
 * and main's are those of the root in every execution.
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
#include <unistd.h>

static _Thread_local int from_file = 11, set_before, array[4000];
static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    assert(errno == 0 && from_file == 11 && set_before == 0 && array[3999] == 0);
    assert(close(-1) == -1);
    from_file = set_before = array[3999] = 13;
    turn++;
    assert(errno == EBADF);
    return arg;
}

static void execution(void)
{
    pthread_t t;
    int error, rc;

    rc = pthread_create(&t, NULL, thread, NULL);
    error = errno;
    assert(rc == 0);
    assert(error == ERANGE); /* @fresh */
    assert(from_file == 12 && set_before == 22 && array[3999] == 33);
    turn++;
    from_file = set_before = array[3999] = 44;
    assert(close(-1) == -1 && errno == EBADF);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(errno == EBADF && from_file == 44 && turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    errno = ERANGE;
    from_file = 12;
    set_before = 22;
    array[3999] = 33;
    execution();
    if (argc > 1)
        execution();
    return 0;
}
