/* SPDX-License-Identifier: MIT */
/*
 * A program that locks all of its memory, before its first thread and later: the runtime's own,
 * gigabytes that are never used, is not meant.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    plait test -s dpor --restart fork
 * EXPECT clean complete classes=2
 *
 * RUN    plait test -s noise -n 3
 * EXPECT clean executions=3
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

/* Who may not is told so. */
static void lock_all(int which)
{
    assert(mlockall(which) == 0 || errno == ENOMEM || errno == EPERM);
}

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;

    lock_all(MCL_CURRENT);
    pthread_create(&thread, NULL, work, NULL);
    lock_all(MCL_CURRENT | MCL_FUTURE);
    assert(mlockall(0) == -1 && errno == EINVAL);
    work(NULL);
    pthread_join(thread, NULL);
    munlockall();
    assert(count == 2);
    return 0;
}
