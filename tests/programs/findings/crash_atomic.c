/* SPDX-License-Identifier: MIT */
/*
 * An atomic operation through a pointer that another thread takes away.  The
 * operation is performed in a hook; the crash is the caller's all the same.
 *
 * RUN    plait test -s dfs
 * EXPECT crash message~SIGSEGV location~@bug
 *
 * RUN    -DLOAD=1 plait test -s dfs
 * EXPECT crash message~SIGSEGV location~@load
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value;
static atomic_int *_Atomic shared = &value;

static void *take_away(void *arg)
{
    shared = NULL;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, take_away, NULL);
    atomic_int *p = shared;
#ifdef LOAD
    int seen = atomic_load(p); /* @load */
    pthread_join(t, NULL);
    return seen;
#else
    atomic_fetch_add(p, 1); /* @bug */
    pthread_join(t, NULL);
    return 0;
#endif
}
