/* SPDX-License-Identifier: MIT */
/*
 * A function of gcc within another one, whose address is taken, has code on the stack of its
 * thread: the stacks of all threads are executable then.  And users that a thread changes by number
 * are its own, which libc would have changed for all.
 *
 * RUN    [gcc] plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    [gcc] plait test -s random -n 20 --carrier thread
 * EXPECT clean
 *
 * RUN    [gcc] -DUSER plait test -s random -n 20
 * EXPECT clean
 *
 * RUN    [gcc] native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int before;

static void *sorter(void *arg)
{
    int numbers[3] = {2, 3, 1}, calls = 0;

#ifdef __clang__
    calls = arg == NULL;
#else
    int compare(const void *a, const void *b)
    {
        calls++;
        return *(const int *)a - *(const int *)b;
    }
    qsort(numbers, 3, sizeof(numbers[0]), compare);
    assert(numbers[0] == 1);
#endif
    assert(calls > 0);
#ifdef USER
    if (syscall(SYS_setresuid, -1, before + 1, -1) == 0)
        assert((int)geteuid() == before + 1);
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;

    before = (int)geteuid();
    pthread_create(&a, NULL, sorter, NULL);
    pthread_create(&b, NULL, sorter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert((int)geteuid() == before);
    return 0;
}
