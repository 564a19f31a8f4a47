/* SPDX-License-Identifier: MIT */
/*
 * A pipe has a byte in it at the root, a token that threads pass on, and the last one keeps it.
 * Emptying the pipe is not enough here: in the next execution the token must be back.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback|exec why~pipe
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean|refused restart=fork same=1
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
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <unistd.h>

static pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;
static int token[2];
static atomic_int inside;

static void *thread(void *arg)
{
    char c;

    pthread_mutex_lock(&start);
    pthread_mutex_unlock(&start);
    assert(read(token[0], &c, 1) == 1);
    assert(++inside == 1);
    inside--;
    c++;
    if (c < 'd')
        assert(write(token[1], &c, 1) == 1);
    return arg;
}

static void execution(void)
{
    int bytes = -1;
    pthread_t t[3];

    pthread_mutex_lock(&start);
    for (int i = 0; i < 3; i++)
        assert(pthread_create(&t[i], NULL, thread, NULL) == 0);
    assert(ioctl(token[0], FIONREAD, &bytes) == 0 && bytes == 1); /* @fresh */
    pthread_mutex_unlock(&start);
    for (int i = 0; i < 3; i++)
        assert(pthread_join(t[i], NULL) == 0);
    assert(ioctl(token[0], FIONREAD, &bytes) == 0 && bytes == 0);
}

int main(int argc, char **argv)
{
    (void)argv;
    assert(pipe(token) == 0 && write(token[1], "a", 1) == 1);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
