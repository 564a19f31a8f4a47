/* SPDX-License-Identifier: MIT */
/*
 * A result of -1 that is taken for a size, and pieces that are nowhere: the call is refused, as
 * natively.
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean executions=20
 *
 * RUN    plait test -s random -n 5 --carrier thread
 * EXPECT clean executions=5
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/uio.h>
#include <unistd.h>

static int shared;

static void *work(void *unused)
{
    char text[16] = {0};
    volatile size_t size = SIZE_MAX;
    const struct iovec *volatile nowhere = NULL;

    assert(write(-1, text, size) == -1 && errno == EBADF);
    assert(read(-1, text, size) == -1 && errno == EBADF);
    assert(writev(-1, nowhere, 1) == -1 && errno == EBADF);
    __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
