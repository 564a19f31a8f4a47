/* SPDX-License-Identifier: MIT */
/*
 * A thread ends the program with status 3 in one interleaving.  -DNOW=1: by
 * _exit.  -DRETURN=1: main returns it.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT exit exit=1 message~3
 *
 * RUN    plait test -s dfs
 * EXPECT exit exit=1
 *
 * RUN    -DNOW=1 plait test -s dfs
 * EXPECT exit exit=1 message~3
 *
 * RUN    -DRETURN=1 plait test -s dfs
 * EXPECT exit exit=1 message~3
 *
 * RUN    plait test -s dfs --expect-exit=0,3
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s dfs --expect-exit=3 -k
 * EXPECT exit exit=1 message~0
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int value;

static void *other(void *arg)
{
    int seen = value;

    (void)arg;
#ifdef NOW
    if (seen)
        _exit(3);
#elif defined(RETURN)
    return seen ? arg : NULL;
#else
    if (seen)
        exit(3);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *result;

    pthread_create(&t, NULL, other, &value);
    value = 1;
    pthread_join(t, &result);
    return result != NULL ? 3 : 0;
}
