/* SPDX-License-Identifier: MIT */
/*
 * An instruction gives another number each time.  What it leads to is not what an execution before
 * it came to, and no search can know how many ways there are: it says so, and where the difference
 * was seen.  With -DVALUE the number leads to no other operation: the instruction alone tells.
 *
 * RUN    plait test -s dfs --hooks-only
 * EXPECT clean incomplete ended~did.not.repeat.*expected.*(even|odd).*found.*(even|odd)
 *
 * RUN    plait test -s pcb --hooks-only
 * EXPECT clean incomplete ended~did.not.repeat.*expected.*(even|odd).*found.*(even|odd)
 *
 * RUN    plait test -s delay --hooks-only
 * EXPECT clean incomplete ended~did.not.repeat.another
 *
 * RUN    plait test -s dpor
 * EXPECT clean incomplete
 *
 * RUN    -DVALUE plait test -s dfs
 * EXPECT clean incomplete ended~the.instruction.rdrand.at.*chance.c
 *
 * RUN    -DVALUE plait test -s dpor
 * EXPECT clean incomplete ended~the.instruction.rdrand.at.*chance.c
 *
 * RUN    -DVALUE plait test
 * EXPECT clean incomplete ended~the.instruction.rdrand.at.*chance.c
 *
 * RUN    -DNEVER plait test -s dfs
 * EXPECT clean complete
 */
#include <pthread.h>
#include <stdint.h>

static volatile uint64_t even, odd;

static uint64_t draw(void)
{
    uint64_t n = 0;

#ifdef NEVER
    if (even == 77)
#endif
        __asm__ volatile("rdrand %0" : "+r"(n) : : "cc");
    return n;
}

static void *count(void *arg)
{
    uint64_t n = draw();

#ifdef VALUE
    even = n;
#else
    if (n % 2 == 0)
        even++;
    else
        odd++;
#endif
    return arg;
}

static void *count_both(void *arg)
{
    even++;
    odd++;
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count_both, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
