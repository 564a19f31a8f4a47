/* SPDX-License-Identifier: MIT */
/*
 * A structure is assigned by one thread and copied by the other: compilers announce that once and
 * make it with several instructions, or call memcpy.  As many steps as there are instructions, so
 * without optimisation N words are N steps; with it a step may have 16 bytes.
 *
 * With -DFIELDS one thread writes two of the fields on their own.  Under a lock (-DLOCKED) nobody
 * can come in the middle, and the copies stay one step.
 *
 * RUN    -DN=8 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DN=8 plait test -s random -n 2000
 * EXPECT assertion exit=1
 *
 * RUN    -DN=3 plait test -s dfs -k
 * EXPECT assertion complete
 *
 * RUN    -DN=70 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DN=4 -DFIELDS plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DN=4 -DFIELDS plait test -s dpor --carrier thread
 * EXPECT assertion exit=1
 *
 * RUN    -DN=4 -DFIELDS plait test -s dpor --restart fork
 * EXPECT assertion exit=1
 *
 * RUN    -DN=8 -DLOCKED plait test -s dfs
 * EXPECT clean complete executions=18 classes=2
 */
#include <assert.h>
#include <pthread.h>

struct state {
    long words[N];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct state state, seen, next;

static void enter(void)
{
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
}

static void leave(void)
{
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
}

static void *put(void *arg)
{
    enter();
#ifdef FIELDS
    state.words[0] = 1;
    state.words[N - 1] = 1;
#else
    state = next;
#endif
    leave();
    return arg;
}

static void *get(void *arg)
{
    enter();
    seen = state;
    leave();
    return arg;
}

int main(void)
{
    pthread_t a, b;

    (void)lock;
    for (int i = 0; i < N; i++)
        next.words[i] = 1;
    pthread_create(&a, NULL, put, NULL);
    pthread_create(&b, NULL, get, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen.words[0] == seen.words[N - 1]);
    return 0;
}
