/* SPDX-License-Identifier: MIT */
/*
 * Writers of a read-write lock exclude each other and readers.
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

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    a++;
    b++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    assert(a == b);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, writer, NULL);
    pthread_create(&u, NULL, reader, NULL);
    writer(NULL);
    reader(NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(a == 2 && b == 2);
    return 0;
}
