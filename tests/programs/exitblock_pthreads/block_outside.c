/* SPDX-License-Identifier: MIT */
/*
 * A variable that is accessed without its lock: the search says that it is not made for that.
 *
 * RUN    plait test -s exitblock
 * EXPECT clean incomplete
 *
 * RUN    plait test -s exitblock:plain
 * EXPECT clean incomplete
 *
 * RUN    -DFIXED plait test -s exitblock
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor
 * EXPECT assertion
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *body(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
#ifdef FIXED
    pthread_mutex_lock(&m);
#endif
    x++;
#ifdef FIXED
    pthread_mutex_unlock(&m);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, body, NULL);
    pthread_create(&b, NULL, body, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 4);
    return 0;
}
