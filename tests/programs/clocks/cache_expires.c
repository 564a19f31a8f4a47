/* SPDX-License-Identifier: MIT */
/*
 * What threads do depends on what the clock says, and they look at it more often than is ordered.
 * So a plan may not come true: it is dropped.  The search is not complete for the looks, and not
 * given up.
 *
 * RUN    plait test -n 400
 * EXPECT clean incomplete ended~exhaustive.search,.which exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { TIME_TO_LIVE = 5000000 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static long long expires;
static int value, loads;

static long long now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int get(void)
{
    pthread_rwlock_rdlock(&lock);
    int fresh = now() < expires, found = value;

    pthread_rwlock_unlock(&lock);
    if (fresh)
        return found;
    pthread_rwlock_wrlock(&lock);
    if (now() >= expires) {
        value = ++loads;
        expires = now() + TIME_TO_LIVE;
    }
    found = value;
    pthread_rwlock_unlock(&lock);
    return found;
}

static void *use(void *arg)
{
    for (int i = 0, last = 0; i < 3; i++) {
        int found = get();

        assert(found >= last && found > 0);
        last = found;
        usleep(2000);
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(loads >= 1 && loads <= 6);
    return 0;
}
