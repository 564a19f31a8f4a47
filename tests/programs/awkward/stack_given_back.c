/* SPDX-License-Identifier: MIT */
/*
 * Threads run on stacks of the program's own, which are gone as soon as the threads are joined.
 *
 * RUN    plait test -s noise -n 30
 * EXPECT clean executions=30
 *
 * RUN    plait test -s random -n 20 --carrier thread
 * EXPECT clean
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { SIZE = 1 << 17, TIMES = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *arg)
{
    char room[2048];

    memset(room, 1, sizeof(room));
    pthread_mutex_lock(&lock);
    assert(room[0] == room[sizeof(room) - 1]);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    for (int i = 0; i < TIMES; i++) {
        void *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        pthread_attr_t attr;
        pthread_t t;

        pthread_attr_init(&attr);
        assert(stack != MAP_FAILED && pthread_attr_setstack(&attr, stack, SIZE) == 0);
        assert(pthread_create(&t, &attr, use, NULL) == 0);
        assert(pthread_join(t, NULL) == 0);
        munmap(stack, SIZE);
    }
    return 0;
}
