/* SPDX-License-Identifier: MIT */
/*
 * A counter that one mutex protects, in every thread and at the end.  Without the
 * lock at the end (-DBARE) the last read is reported, although the joins order it:
 * Eraser knows nothing of joins.
 *
 * RUN    plait test -s dfs --detect +lockset
 * EXPECT clean complete
 *
 * RUN    -DBARE plait test -s dfs --detect +lockset
 * EXPECT lockset location~@bare accesses~holding mutex lock; read counter at @bare .* nothing$
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *arg)
{
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t, u;
    int seen;

    pthread_create(&t, NULL, count, NULL);
    pthread_create(&u, NULL, count, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
#ifdef BARE
    seen = counter; /* @bare */
#else
    pthread_mutex_lock(&lock);
    seen = counter;
    pthread_mutex_unlock(&lock);
#endif
    assert(seen == 2);
    return 0;
}
