/* SPDX-License-Identifier: MIT */
/*
 * Cancellation runs the cleanup handlers, innermost first, then the destructors
 * of keys; with cancellation disabled meanwhile.
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_key_t key;
static int order[3], n_order;

static void note(void *arg)
{
    order[n_order++] = *(int *)arg;
}

static void *thread(void *arg)
{
    static int one = 1, two = 2, three = 3;

    pthread_setspecific(key, &three);
    pthread_cleanup_push(note, &two);
    pthread_cleanup_push(note, &one);
    for (;;)
        sleep(1000);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;

    assert(pthread_key_create(&key, note) == 0);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(pthread_cancel(t) == 0);
    assert(pthread_join(t, &result) == 0 && result == PTHREAD_CANCELED);

    assert(n_order == 3 && order[0] == 1 && order[1] == 2 && order[2] == 3);
    return 0;
}
