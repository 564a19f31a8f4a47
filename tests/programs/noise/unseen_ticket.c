/* SPDX-License-Identifier: MIT */
/*
 * A lock made of instructions without hooks: whoever waits for it comes to no event, and what it
 * last accessed with a hook, beside the lock, is wanted by the holder.
 *
 * RUN    plait test -s noise -n 4 --hang-time 10s
 * EXPECT clean
 */
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned next, served, sum;
} shared;

static unsigned look(const unsigned *at)
{
    unsigned seen;

    __asm__ volatile("movl %1, %0" : "=r"(seen) : "m"(*at) : "memory");
    return seen;
}

static void set(unsigned *at, unsigned value)
{
    __asm__ volatile("movl %1, %0" : "=m"(*at) : "r"(value) : "memory");
}

static void *add(void *arg)
{
    for (int i = 0; i < 3; i++) {
        unsigned mine = 1;

        __asm__ volatile("lock xaddl %0, %1" : "+r"(mine), "+m"(shared.next) : : "memory");
        while (look(&shared.served) != mine)
            __asm__ volatile("pause");
        for (int k = 0; k < 10; k++)
            shared.sum++;
        set(&shared.served, mine + 1);
    }
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(shared.sum == 60);
    return 0;
}
