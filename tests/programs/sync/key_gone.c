/* SPDX-License-Identifier: MIT */
/*
 * A key is deleted while another thread uses it.  FACE 0: the other sets a value, or is told that
 * there is no such key.  1: it has a value, and ends: the destructor runs, or the key is gone.  2:
 * both make a key, and each may get the first number.  CLAIM says what is claimed to be so always.
 *
 * RUN    -DFACE=0 -DCLAIM=0 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DFACE=0 -DCLAIM=1 plait test -s dfs
 * EXPECT assertion
 *
 * RUN    -DFACE=1 -DCLAIM=0 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DFACE=1 -DCLAIM=1 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DFACE=2 -DCLAIM=0 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DFACE=2 -DCLAIM=1 plait test -s dfs
 * EXPECT assertion
 *
 * RUN    -DFACE=2 -DCLAIM=2 plait test -s dpor
 * EXPECT clean complete classes=2
 */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key, mine, other;
static int seen;

static void destroy(void *value)
{
    (void)value;
    seen = 1;
}

static void *run(void *arg)
{
    if (FACE == 2)
        pthread_key_create(&other, NULL);
    else if (FACE == 0)
        seen = pthread_setspecific(key, &seen) != 0;
    else
        pthread_setspecific(key, &seen);
    return arg;
}

int main(void)
{
    pthread_t t;

    if (FACE != 2)
        pthread_key_create(&key, FACE == 1 ? destroy : NULL);
    pthread_create(&t, NULL, run, NULL);
    if (FACE != 2)
        pthread_key_delete(key);
    else
        pthread_key_create(&mine, NULL);
    pthread_join(t, NULL);
    if (FACE == 2)
        seen = mine > other;
    assert(CLAIM == 2 || seen == CLAIM);
    return 0;
}
