/* SPDX-License-Identifier: MIT */
/*
 * A descriptor that was open at the root is closed, another is replaced by dup2(): in the next
 * execution both are what they were, with contents and number.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback|fork why~descriptor|close|dup
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
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
#include <string.h>
#include <unistd.h>

static pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;
static atomic_int turn;
static int kept, closed, replaced;

static void *closer(void *arg)
{
    pthread_mutex_lock(&start);
    pthread_mutex_unlock(&start);
    turn++;
    assert(close(closed) == 0);
    turn++;
    return arg;
}

static void execution(void)
{
    char magic[4];
    pthread_t t;

    pthread_mutex_lock(&start);
    assert(pthread_create(&t, NULL, closer, NULL) == 0);
    assert(pread(closed, magic, sizeof(magic), 0) == sizeof(magic)); /* @fresh */
    assert(memcmp(magic, "\177ELF", sizeof(magic)) == 0);
    assert(pread(replaced, magic, sizeof(magic), 0) == sizeof(magic)); /* @fresh */
    pthread_mutex_unlock(&start);
    turn++;
    assert(dup2(kept, replaced) == replaced);
    turn++;
    assert(read(replaced, magic, sizeof(magic)) == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(fcntl(closed, F_GETFD) == -1);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    kept = open("/dev/null", O_RDONLY);
    closed = open(argv[0], O_RDONLY);
    replaced = open(argv[0], O_RDONLY);
    assert(kept >= 0 && closed >= 0 && replaced >= 0);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
