/* SPDX-License-Identifier: MIT */
/*
 * Each thread has the name that was given to it, on any carrier; a new one is called as its
 * creator. With -DITSELF one names itself, sooner or later. With -DRACE two threads name the same
 * one, and either may be the last: CLAIM says who is claimed to be.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete executions=1
 *
 * RUN    plait test -s random -n 20 --carrier=thread
 * EXPECT clean
 *
 * RUN    -DRACE='"main"' plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DRACE='"other"' plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DRACE='"other"' plait test -s dfs
 * EXPECT assertion
 *
 * RUN    -DITSELF plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DITSELF plait test
 * EXPECT assertion
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>

static pthread_t first;

static void check_of(pthread_t thread, const char *name)
{
    char text[16] = "";

    assert(pthread_getname_np(thread, text, sizeof(text)) == 0);
    assert(strcmp(text, name) == 0);
}

static void check(const char *name)
{
    check_of(pthread_self(), name);
}

static void *run(void *arg)
{
#if defined(RACE)
    pthread_setname_np(first, "other");
#elif defined(ITSELF)
    prctl(PR_SET_NAME, "worker");
#else
    check("creator");
    assert(pthread_setname_np(pthread_self(), "worker") == 0);
    check("worker");
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    char little[4];

    first = pthread_self();
    assert(pthread_setname_np(first, "a name of sixteen") == ERANGE);
    assert(pthread_getname_np(first, little, sizeof(little)) == ERANGE);
    assert(pthread_setname_np(first, "creator") == 0);
    pthread_create(&t, NULL, run, NULL);
#ifdef RACE
    pthread_setname_np(first, "main");
    pthread_join(t, NULL);
    check(RACE);
#elif defined(ITSELF)
    check_of(t, "creator");
    pthread_join(t, NULL);
    check("creator");
#else
    check("creator");
    pthread_join(t, NULL);
    check("creator");
#endif
    return 0;
}
