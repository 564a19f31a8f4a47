/* SPDX-License-Identifier: MIT */
/*
 * Code that plait does not look into goes round until a thread that sleeps says stop: time passes
 * beside it as beside any other loop, or the sleep would never be over.
 *
 * RUN    plait test -s random -n 4 --hooks-only
 * EXPECT clean incomplete executions=4 exit=0
 *
 * RUN    plait test -s dpor -n 2 --hooks-only
 * EXPECT clean incomplete exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <pthread.h>
#include <unistd.h>

static int stop;

static void *spin(void *arg)
{
    __asm__ volatile("1: pause\n\tcmpl $0, (%0)\n\tje 1b" : : "r"(&stop) : "memory", "cc");
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, spin, NULL);
    usleep(20000);
    __asm__ volatile("movl $1, (%0)" : : "r"(&stop) : "memory");
    return pthread_join(t, NULL);
}
