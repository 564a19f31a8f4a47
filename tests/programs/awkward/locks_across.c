/* SPDX-License-Identifier: MIT */
/*
 * Two threads lock two parts of a file, in either order.  The worker that has come to the deadlock
 * still holds its locks while the schedule is replayed: the replay must not meet them.
 *
 * RUN    plait test -n 200
 * EXPECT deadlock replay=1
 *
 * RUN    plait test -n 200 --restart exec
 * EXPECT deadlock replay=1
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *take_both(void *arg)
{
    int fd = open("locked", O_RDWR);
    struct flock lock = {.l_type = F_WRLCK, .l_start = arg != NULL, .l_len = 1};

    assert(fd >= 0 && fcntl(fd, F_OFD_SETLKW, &lock) == 0);
    lock.l_start = arg == NULL;
    assert(fcntl(fd, F_OFD_SETLKW, &lock) == 0);
    close(fd);
    return NULL;
}

int main(void)
{
    int fd = open("locked", O_CREAT | O_TRUNC | O_RDWR, 0600);
    pthread_t a, b;

    pthread_create(&a, NULL, take_both, NULL);
    pthread_create(&b, NULL, take_both, &a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    close(fd);
    unlink("locked");
    return 0;
}
