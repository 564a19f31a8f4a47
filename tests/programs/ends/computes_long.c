/* SPDX-License-Identifier: MIT */
/*
 * Threads that compute for longer than others wait for their turn, in registers alone: all that
 * they do to memory is seen, so the search is complete.  One that never ends keeps nobody from the
 * end.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -s random -n 2 -- endless
 * EXPECT clean incomplete executions=2
 *
 * RUN    native endless
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>

static const unsigned long some = 60000000;
static unsigned long results[2], rounds;

static unsigned long mix(unsigned long x, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}

static void *compute(void *arg)
{
    results[(long)arg] = mix((unsigned long)arg, rounds);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;

    (void)argv;
    rounds = argc > 1 ? ~0ul : some;
    assert(pthread_create(&t, NULL, compute, NULL) == 0);
    if (argc > 1)
        return 0;
    compute((void *)1);
    assert(pthread_join(t, NULL) == 0);
    assert(results[0] != results[1]);
    return 0;
}
