/* SPDX-License-Identifier: MIT */
/*
 * plait_choose gives every value, and dfs sees each combination exactly once.
 *
 * RUN    -DWANTED=0 plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DWANTED=4 plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DWANTED=7 plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DWANTED=11 plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DWANTED=12 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DWANTED=7 plait test -s random -n 500
 * EXPECT assertion exit=1
 *
 * RUN    -DWANTED=12 native
 * EXPECT exit=0
 */
#include <assert.h>
#include <plait.h>
#include <pthread.h>

static void *thread(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    unsigned a, b;

    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    a = plait_choose(3);
    b = plait_choose(4);
    assert(a < 3 && b < 4);
    assert(a * 4 + b != WANTED);
    if (!plait_active())
        assert(a == 0 && b == 0);
    return 0;
}
