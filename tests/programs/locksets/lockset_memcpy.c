/* SPDX-License-Identifier: MIT */
/*
 * A copy of a whole struct touches each of its fields, in one access; what it has in
 * common with the write of one field is that field.
 *
 * RUN    plait test -s dfs -k --detect lockset
 * EXPECT lockset complete accesses~holding nothing; .* holding nothing
 *
 * RUN    -DLOCKED plait test -s dfs --detect lockset
 * EXPECT clean complete
 */
#include <pthread.h>
#include <string.h>

#ifdef LOCKED
#define LOCK(m) pthread_mutex_lock(m)
#define UNLOCK(m) pthread_mutex_unlock(m)
#else
#define LOCK(m) ((void)(m))
#define UNLOCK(m) ((void)(m))
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct record {
    char name[40];
    int value;
    char rest[21];
} record;

static void *copier(void *arg)
{
    struct record mine;
    void *(*volatile copy)(void *, const void *, size_t) = memcpy; /* called, not built in */

    LOCK(&lock);
    copy(&mine, &record, sizeof(mine));
    UNLOCK(&lock);
    return mine.value < 2 ? arg : NULL;
}

static void *writer(void *arg)
{
    LOCK(&lock);
    record.value = 1;
    UNLOCK(&lock);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, copier, NULL);
    pthread_create(&u, NULL, writer, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
