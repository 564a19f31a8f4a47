/* SPDX-License-Identifier: MIT */
/*
 * A system call that has no row in calls.def is an operation all the same where there are other
 * threads, and the search says that it is complete but for it.  LIMIT: so does one that has a row,
 * where it changes what is no operation.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean incomplete outputs=0,1 ended~but.for.*shm.*unknown.c:[0-9]+.*not.modelled
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean incomplete outputs=0,1 ended~but.for.*shm.*unknown.c:[0-9]+.*not.modelled
 *
 * RUN    -DLIMIT=RLIMIT_AS plait test -s dpor
 * EXPECT clean incomplete ended~but.for.*prlimit64.*unknown.c:[0-9]+.*not.modelled
 *
 * RUN    -DLIMIT=RLIMIT_CORE plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <plait.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/shm.h>

#ifdef LIMIT
static void *lower(void *arg)
{
    struct rlimit limit;

    assert(getrlimit(LIMIT, &limit) == 0);
    assert(setrlimit(LIMIT, &limit) == 0);
    return arg;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, lower, NULL);
    pthread_join(other, NULL);
    return 0;
}
#else
static int segment;

static void *attach(void *arg)
{
    assert(shmat(segment, NULL, 0) != (void *)-1);
    return arg;
}

int main(void)
{
    struct shmid_ds status;
    pthread_t other;

    plait_begin();
    segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    assert(segment >= 0);
    pthread_create(&other, NULL, attach, NULL);
    assert(shmctl(segment, IPC_STAT, &status) == 0);
    pthread_join(other, NULL);
    assert(shmctl(segment, IPC_RMID, NULL) == 0);
    printf("%d\n", (int)status.shm_nattch);
    return 0;
}
#endif
