/* SPDX-License-Identifier: MIT */
/*
 * pthread_exit from a nested call runs the cleanup handlers, innermost first, then
 * the destructors of keys, and hands over its result.
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

static pthread_key_t key;
static int steps[4], n_steps;

static void note(void *arg)
{
    steps[n_steps++] = *(int *)arg;
}

static void nested(void *result)
{
    int two = 2;

    pthread_cleanup_push(note, &two);
    pthread_exit(result);
    pthread_cleanup_pop(0);
}

static void *thread(void *arg)
{
    static int three = 3, popped = 1;
    int one = 4;

    pthread_setspecific(key, &three);
    pthread_cleanup_push(note, &one);
    pthread_cleanup_push(note, &popped);
    pthread_cleanup_pop(1);
    nested(arg);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *result;

    assert(pthread_key_create(&key, note) == 0);
    assert(pthread_create(&t, NULL, thread, &key) == 0);
    assert(pthread_join(t, &result) == 0 && result == &key);
    assert(n_steps == 4);
    assert(steps[0] == 1 && steps[1] == 2 && steps[2] == 4 && steps[3] == 3);
    return 0;
}
