/* SPDX-License-Identifier: MIT */
/*
 * Every thread has its own pthread_self, the one its creator was told.
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

static pthread_t told[2], own[2];

static void *tell(void *arg)
{
    *(pthread_t *)arg = pthread_self();
    assert(pthread_equal(pthread_self(), *(pthread_t *)arg));
    return NULL;
}

int main(void)
{
    pthread_t me = pthread_self();

    for (int i = 0; i < 2; i++)
        assert(pthread_create(&told[i], NULL, tell, &own[i]) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(told[i], NULL) == 0);
    for (int i = 0; i < 2; i++) {
        assert(pthread_equal(told[i], own[i]));
        assert(!pthread_equal(told[i], me));
    }
    assert(!pthread_equal(own[0], own[1]));
    assert(pthread_equal(me, pthread_self()));
    return 0;
}
