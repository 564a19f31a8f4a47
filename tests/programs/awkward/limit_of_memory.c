/* SPDX-License-Identifier: MIT */
/*
 * The program limits its memory before its first thread, and its data in a thread: what fits it
 * gets, more it does not, also where the heap is the runtime's; the same in the next execution, and
 * a program that it becomes has the limit, and threads need memory for their stacks.  The runtime
 * itself needs far more address space.
 *
 * RUN    plait test -s random -n 6
 * EXPECT clean executions=6 restart=rollback
 *
 * RUN    plait test -s random -n 2 --restart exec
 * EXPECT clean executions=2
 *
 * RUN    plait test -s random -n 1 -- becomes
 * EXPECT clean executions=1
 *
 * RUN    plait test -s random -n 2 -- creates now
 * EXPECT clean executions=2 restart=rollback
 *
 * RUN    plait test -s noise -n 3
 * EXPECT clean executions=3
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native creates now
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t small = 1 << 20, medium = 60 << 20, large = (size_t)2 << 30;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *map(size_t size, int access)
{
    void *at = mmap(NULL, size, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert(at != MAP_FAILED || errno == ENOMEM);
    return at == MAP_FAILED ? NULL : at;
}

static void *ask(void *arg)
{
    struct rlimit limit;
    void *at, *blocks[8];
    int n = 0;

    pthread_mutex_lock(&lock);
    assert(getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur == 256 << 20);
    assert(malloc(large) == NULL && errno == ENOMEM && map(large, PROT_READ) == NULL);
    at = map(small, PROT_READ | PROT_WRITE);
    assert(at != NULL && mremap(at, small, large, MREMAP_MAYMOVE) == MAP_FAILED);
    assert(munmap(at, small) == 0);
    while (n < 8 && (blocks[n] = malloc(medium)) != NULL)
        n++;
    assert(n >= 1 && n <= 4);
    blocks[0] = realloc(blocks[0], medium + small); /* it need not be there twice */
    assert(blocks[0] != NULL);
    while (n > 0)
        free(blocks[--n]);
    assert(getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != medium);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *wait_for_end(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void create(void)
{
    pthread_t t[64];
    int n = 0, rc = 0;

    pthread_mutex_lock(&lock);
    while (n < 64 && (rc = pthread_create(&t[n], NULL, wait_for_end, NULL)) == 0)
        n++;
    pthread_mutex_unlock(&lock);
    assert(rc == EAGAIN && n >= 4 && n < 64);
    while (n > 0)
        assert(pthread_join(t[--n], NULL) == 0);
}

static void become(void)
{
    int status;
    pid_t child = fork();

    if (child == 0)
        execl("/bin/sh", "sh", "-c", "test `ulimit -v` = 262144", NULL);
    assert(waitpid(child, &status, 0) == child && status == 0);
}

int main(int argc, char **argv)
{
    struct rlimit limit;
    pthread_t t[2];
    void *at;

    (void)argv;
    assert(getrlimit(RLIMIT_AS, &limit) == 0);
    limit.rlim_cur = 256 << 20;
    assert(setrlimit(RLIMIT_AS, &limit) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_create(&t[i], NULL, ask, NULL) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(t[i], NULL) == 0);
    if (argc > 2)
        create();
    assert(getrlimit(RLIMIT_DATA, &limit) == 0);
    limit.rlim_cur = medium;
    assert(setrlimit(RLIMIT_DATA, &limit) == 0);
    assert(map(medium, PROT_READ | PROT_WRITE) == NULL && malloc(large) == NULL);
    at = map(medium, PROT_READ);
    assert(at != NULL && munmap(at, medium) == 0);
    if (argc == 2)
        become();
    return 0;
}
