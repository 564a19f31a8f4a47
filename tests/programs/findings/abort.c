/* SPDX-License-Identifier: MIT */
/*
 * abort() in one of two orders; also through plait_assert with -DOWN=1, and in
 * C++'s manner of catching everything that ends with SIGABRT.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT assertion exit=1 message~abort location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DOWN=1 plait test -s dfs
 * EXPECT assertion exit=1 message~value == 0 location~@own
 *
 * RUN    native
 * EXPECT exit=0,134
 */
#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int value;

static void *other(void *arg)
{
    value = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
#ifdef OWN
    plait_assert(value == 0); /* @own */
#else
    if (value != 0)
        abort(); /* @bug */
#endif
    pthread_join(t, NULL);
    return 0;
}
