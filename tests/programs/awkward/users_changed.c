/* SPDX-License-Identifier: MIT */
/*
 * Users and groups are the process's: a thread changes them, and all others have them.  Who is
 * allowed to gives them up and takes them back, then gives them up for good.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean executions=40
 *
 * RUN    plait test -s random -n 5 --restart fork
 * EXPECT clean restart=fork
 *
 * RUN    plait test -s random -n 3 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random -n 5 --carrier thread
 * EXPECT clean executions=5
 *
 * RUN    plait test -s noise -n 20
 * EXPECT clean executions=20
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <unistd.h>

enum { NOBODY = 65534 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static int may;

static void *change(void *arg)
{
    pthread_mutex_lock(&m);
    if (may) {
        assert(seteuid(NOBODY) == 0 && geteuid() == NOBODY && getuid() == 0);
        assert(seteuid(0) == 0 && geteuid() == 0);
    } else {
        assert(setuid(getuid()) == 0 && setegid(getegid()) == 0);
    }
    pthread_mutex_unlock(&m);
    pthread_barrier_wait(&both);
    if (arg != NULL && may) {
        assert(setgroups(0, NULL) == 0);
        assert(setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0);
    }
    pthread_barrier_wait(&both);
    if (may) {
        assert(getuid() == NOBODY && geteuid() == NOBODY && getgid() == NOBODY);
        assert(getgroups(0, NULL) == 0);
        assert(setuid(0) == -1 && errno == EPERM);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    may = getuid() == 0;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&a, NULL, change, NULL);
    pthread_create(&b, NULL, change, &a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!may || geteuid() == NOBODY);
    return 0;
}
