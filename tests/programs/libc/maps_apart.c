/* SPDX-License-Identifier: MIT */
/*
 * Each of two threads maps memory, uses it and gives it back.  Where it is does not depend on what
 * the other one has mapped by then, so only the order at the mutex tells executions apart.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *work(void *arg)
{
    pthread_mutex_lock(&mutex);
    total++;
    pthread_mutex_unlock(&mutex);
    for (size_t size = 1; size <= 4 << 20; size *= 1 << 11) {
        char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        assert(p != MAP_FAILED && p[size - 1] == 0);
        p[size - 1] = 1;
        munmap(p, size);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 2);
    return 0;
}
