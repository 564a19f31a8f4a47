/* SPDX-License-Identifier: MIT */
/*
 * Readers hold the lock for reading, the writer for writing: protected.  A writer
 * that holds it for reading (-DSLOPPY) is not.  A reader that holds it for writing
 * (-DSTRICT) is fine, too.
 *
 * RUN    plait test -s dfs --detect +lockset
 * EXPECT clean complete
 *
 * RUN    -DSTRICT plait test -s dfs --detect +lockset
 * EXPECT clean complete
 *
 * RUN    -DSLOPPY plait test -s dfs --detect +lockset
 * EXPECT lockset accesses~write shared at @write .writer. holding rwlock lock for reading
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int shared;

static void *reader(void *arg)
{
#ifdef STRICT
    pthread_rwlock_wrlock(&lock);
#else
    pthread_rwlock_rdlock(&lock);
#endif
    int seen = shared;
    pthread_rwlock_unlock(&lock);
    return seen < 3 ? arg : NULL;
}

static void *writer(void *arg)
{
#ifdef SLOPPY
    pthread_rwlock_rdlock(&lock);
#else
    pthread_rwlock_wrlock(&lock);
#endif
    shared = shared + 1; /* @write */
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    shared = 1;
    pthread_create(&t, NULL, reader, NULL);
    pthread_create(&u, NULL, writer, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
