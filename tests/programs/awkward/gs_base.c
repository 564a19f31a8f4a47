/* SPDX-License-Identifier: MIT */
/*
 * The base of GS is a register that libc leaves to programs: each thread has its own, begins with
 * that of its creator, and an execution begins with that of the root.
 *
 * RUN    plait test -s random -n 50
 * EXPECT clean executions=50 restart=rollback
 *
 * RUN    plait test -s random -n 50 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 20 --carrier thread
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
static long areas[3] = {10, 11, 12};
static long own(void)
{
    long v;
    __asm__ volatile("mov %%gs:0, %0" : "=r"(v));
    return v;
}
static void *work(void *arg)
{
    long i = (long)arg;
    assert(own() == 10);
    syscall(SYS_arch_prctl, ARCH_SET_GS, &areas[i]);
    for (int k = 0; k < 3; k++) {
        sched_yield();
        assert(own() == 10 + i);
    }
    return arg;
}
int main(void)
{
    pthread_t t[2];
    unsigned long base = 1;
    syscall(SYS_arch_prctl, ARCH_SET_GS, &areas[0]);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)(i + 1));
    assert(own() == 10);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(own() == 10);
    syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
    assert(base == (unsigned long)&areas[0]);
    return 0;
}
