/* SPDX-License-Identifier: MIT */
/*
 * Two children add to a number in memory that they share, with no lock around it; with -DFIXED=1
 * there is one that processes share.
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef FIXED
#define FIXED 0
#endif

enum { CHILDREN = 2, TIMES = 5 };

struct shared {
    pthread_mutex_t lock;
    int total;
};

static void add(struct shared *s)
{
    for (int i = 0; i < TIMES; i++) {
        if (FIXED)
            pthread_mutex_lock(&s->lock);
        s->total = s->total + 1;
        if (FIXED)
            pthread_mutex_unlock(&s->lock);
    }
}

int main(void)
{
    struct shared *s =
        mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t attributes;

    assert(s != MAP_FAILED);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&s->lock, &attributes);
    for (int i = 0; i < CHILDREN; i++) {
        if (fork() == 0) {
            add(s);
            _exit(0);
        }
    }
    while (wait(NULL) > 0)
        ;
    assert(s->total == CHILDREN * TIMES);
    return 0;
}
