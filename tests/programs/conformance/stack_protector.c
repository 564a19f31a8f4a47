/* SPDX-License-Identifier: MIT */
/*
 * The stack protector's canary is right on every thread, also after switches.
 *
 * RUN    -fstack-protector-all plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    -fstack-protector-all plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    -fstack-protector-all plait test -s random -n 50 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    -fstack-protector-all native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int fill(const char *text)
{
    char local[64];

    strcpy(local, text);
    sched_yield();
    return (int)strlen(local);
}

static void *thread(void *arg)
{
    assert(fill(arg) == 5);
    return NULL;
}

int main(void)
{
    pthread_t t, u;

    assert(pthread_create(&t, NULL, thread, "hello") == 0);
    assert(pthread_create(&u, NULL, thread, "world") == 0);
    assert(fill("plait") == 5);
    assert(pthread_join(t, NULL) == 0);
    assert(pthread_join(u, NULL) == 0);
    return 0;
}
