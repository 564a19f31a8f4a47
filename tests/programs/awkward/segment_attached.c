/* SPDX-License-Identifier: MIT */
/*
 * How often a segment of System V is attached: by this program, not by the process that is copied
 * for each execution.
 *
 * RUN    plait test -s dfs
 * EXPECT clean
 *
 * RUN    plait test -s random -n 5 --restart exec
 * EXPECT clean
 *
 * RUN    plait test -s dfs -- thread
 * EXPECT assertion
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sys/shm.h>

static int segment;

static unsigned long attached(void)
{
    struct shmid_ds about;

    assert(shmctl(segment, IPC_STAT, &about) == 0);
    return about.shm_nattch;
}

static void *add(void *unused)
{
    int *count = shmat(segment, NULL, 0);

    __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
    assert(shmdt(count) == 0);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t;

    (void)argv;
    segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    int *count = shmat(segment, NULL, 0);

    assert(shmctl(segment, IPC_RMID, NULL) == 0 && attached() == 1);
    pthread_create(&t, NULL, add, NULL);
    if (argc > 1)
        assert(attached() == 1);
    pthread_join(t, NULL);
    assert(attached() == 1 && *count == 1);
    return 0;
}
