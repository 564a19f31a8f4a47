/* SPDX-License-Identifier: MIT */
/*
 * The program counts its starts in a file.  Executions, workers, campaigns and replays have files
 * of their own, so that nobody sees the count of another, and none is left; unless files are real.
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    plait test -s random -n 20 -j 2
 * EXPECT clean restart=rollback
 *
 * RUN    plait test -s random -n 5 --restart exec
 * EXPECT clean executions=5 restart=exec
 *
 * RUN    plait test -s noise -n 5
 * EXPECT clean executions=5
 *
 * RUN    plait test -s random -n 5 --restart exec --files real
 * EXPECT assertion location~@alone
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static char before[2];
static int n;

static void *add(void *arg)
{
    int fd = open("starts", O_WRONLY | O_APPEND);

    assert(fd >= 0 && write(fd, "y", 1) == 1 && close(fd) == 0);
    return arg;
}

int main(void)
{
    int fd = open("starts", O_RDWR | O_CREAT | O_APPEND, 0600);
    pthread_t t[2];

    assert(fd >= 0 && write(fd, "x", 1) == 1);
    n = (int)pread(fd, before, sizeof(before), 0);
    assert(n == 1); /* @alone */
    for (int i = 0; i < 2; i++)
        assert(pthread_create(&t[i], NULL, add, NULL) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(t[i], NULL) == 0);
    assert(lseek(fd, 0, SEEK_END) == 3 && close(fd) == 0);
    return 0;
}
