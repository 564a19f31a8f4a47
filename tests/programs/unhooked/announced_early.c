/* SPDX-License-Identifier: MIT */
/*
 * The hooks of two stores come before both of them, as gcc -O3 makes it where it puts stores
 * together.  Others may come in at the second hook, so the first store is not announced where it is
 * made, nor the second behind that.  Who looks may find one without the other, and whatever was
 * announced early.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=11,10,00,01
 */
#include <pthread.h>
#include <stdio.h>

void __tsan_write4(void *at);

static volatile int first, second;

__attribute__((noinline, no_sanitize("thread"))) static void store(void)
{
    __tsan_write4((void *)&first);
    __tsan_write4((void *)&second);
    first = 1;
    second = 1;
}

static void *looks(void *arg)
{
    int *found = arg;

    found[0] = first;
    found[1] = second;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int found[2];

    pthread_create(&thread, NULL, looks, found);
    store();
    pthread_join(thread, NULL);
    printf("%d%d\n", found[0], found[1]);
    return 0;
}
