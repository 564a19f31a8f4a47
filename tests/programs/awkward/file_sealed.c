/* SPDX-License-Identifier: MIT */
/*
 * A memory file from before the first thread is sealed, which nobody can take back; one that is
 * made afterwards goes with the execution.
 *
 * RUN    plait test -s random -n 10
 * EXPECT clean executions=10 restart=exec
 *
 * RUN    plait test -s random -n 10 -- later
 * EXPECT clean executions=10 restart=rollback
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

static int before = -1;
static atomic_int turn;

static void *seal(void *arg)
{
    int fd = before >= 0 ? before : memfd_create("later", MFD_ALLOW_SEALING);

    assert(fcntl(fd, F_GET_SEALS) == 0);
    assert(write(fd, "x", 1) == 1);
    turn++;
    assert(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) == 0);
    assert(write(fd, "x", 1) < 0 && errno == EPERM);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t, u;

    (void)argv;
    if (argc == 1)
        before = memfd_create("before", MFD_ALLOW_SEALING);
    pthread_create(&t, NULL, seal, NULL);
    turn++;
    if (argc > 1)
        assert(pthread_create(&u, NULL, seal, NULL) == 0 && pthread_join(u, NULL) == 0);
    return pthread_join(t, NULL);
}
