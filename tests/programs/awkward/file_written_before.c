/* SPDX-License-Identifier: MIT */
/*
 * A log is opened before the root and written during the execution.  It is empty at the start of
 * each: the program truncates it when it opens it.  It may be the standard error stream.
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
 * RUN    -DNUMBER=2 plait test -s random -n 20
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    -DNUMBER=2 plait test -s random -n 20 --restart fork
 * EXPECT clean executions=20 restart=fork
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

static int fd;
static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    assert(write(fd, "line\n", 5) == 5);
    turn++;
    return arg;
}

static void execution(void)
{
    struct stat st;
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    assert(fstat(fd, &st) == 0 && st.st_size == 10); /* @fresh */
    assert(lseek(fd, 0, SEEK_CUR) == 10);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    fd = open("log", O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert(fd >= 0);
#ifdef NUMBER
    assert(dup2(fd, NUMBER) == NUMBER && close(fd) == 0);
    fd = NUMBER;
#endif
    execution();
    if (argc > 1)
        execution();
    return 0;
}
