/* SPDX-License-Identifier: MIT */
/*
 * What the kernel keeps for one thread alone, and what fibers would share: the folder that it has
 * to itself, how much its timers may be late, its personality.  The rest of the program is told
 * nothing of it, whatever executions begin with.
 *
 * RUN    plait test -s dpor
 * EXPECT clean restart=fork
 *
 * RUN    plait test -s random -n 20 --restart exec
 * EXPECT clean executions=20 restart=exec
 *
 * RUN    plait test -s dpor -- lost
 * EXPECT assertion location~@lost
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { ASKS = 0xffffffff, LATE = 70000 };

static int count, late, how;
static char folder[4096];

static void *apart(void *arg)
{
    assert(prctl(PR_SET_TIMERSLACK, LATE) == 0);
    assert(personality((unsigned long)how ^ ADDR_NO_RANDOMIZE) == how);
    if (unshare(CLONE_FS) == 0)
        assert(chdir("/") == 0);
    count++;
    assert(prctl(PR_GET_TIMERSLACK) == LATE);
    assert(personality(ASKS) == (how ^ ADDR_NO_RANDOMIZE));
    return arg;
}

static void *other(void *arg)
{
    char now[sizeof(folder)];

    count++;
    assert(prctl(PR_GET_TIMERSLACK) == late);
    assert(personality(ASKS) == how);
    assert(getcwd(now, sizeof(now)) != NULL && strcmp(now, folder) == 0);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    (void)argv;
    late = prctl(PR_GET_TIMERSLACK);
    how = personality(ASKS);
    assert(late != LATE && getcwd(folder, sizeof(folder)) != NULL);
    pthread_create(&a, NULL, apart, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(argc == 1 || count == 2); /* @lost */
    return 0;
}
