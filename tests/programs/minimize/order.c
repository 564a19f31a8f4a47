/* SPDX-License-Identifier: MIT */
/*
 * A reader that is started before the writer has to come later all the same: no
 * thread need be interrupted for it to come first.
 *
 * RUN    plait test -n 2000
 * EXPECT assertion location~@bug preemptions=0 minimal=proven decides~@read<@write
 *
 * RUN    plait test -n 2000 --restart fork
 * EXPECT assertion location~@bug preemptions=0 minimal=proven decides~@read<@write
 *
 * RUN    plait test -n 2000 --no-minimize
 * EXPECT assertion location~@bug preemptions=None
 */
#include <assert.h>
#include <pthread.h>

static int value, noise;

static void *reader(void *arg)
{
    noise++;
    int seen = value; /* @read */

    noise++;
    assert(seen == 1); /* @bug */
    return arg;
}

static void *writer(void *arg)
{
    noise++;
    value = 1; /* @write */
    noise++;
    return arg;
}

int main(void)
{
    pthread_t r, w;

    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
