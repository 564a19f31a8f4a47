/* SPDX-License-Identifier: MIT */
/*
 * A new thread is called as its creator is at that moment, and treated so: who names the creator,
 * or says where it may run, comes before that or after it.
 *
 * RUN    plait test -s dpor --keep-going --outputs
 * EXPECT clean complete outputs=after,before
 *
 * RUN    plait test -s dpor -- fails
 * EXPECT assertion
 *
 * RUN    -DTREATED plait test -s dpor --keep-going --outputs
 * EXPECT clean complete outputs=after,before
 *
 * RUN    -DTREATED plait test -s dfs -- fails
 * EXPECT assertion
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static pthread_t creator;
static bool passed;

static void *changes(void *arg)
{
#ifdef TREATED
    const struct sched_param none = {0};

    assert(pthread_setschedparam(creator, SCHED_BATCH, &none) == 0);
#else
    assert(pthread_setname_np(creator, "new") == 0);
#endif
    return arg;
}

static void *has(void *arg)
{
#ifdef TREATED
    struct sched_param param;
    int policy;

    assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0);
    passed = policy == SCHED_BATCH;
#else
    char name[16];

    assert(pthread_getname_np(pthread_self(), name, sizeof(name)) == 0);
    passed = strcmp(name, "new") == 0;
#endif
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    (void)argv;
    creator = pthread_self();
    pthread_create(&a, NULL, changes, NULL);
    pthread_create(&b, NULL, has, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(argc == 1 || !passed);
    assert(write(STDOUT_FILENO, passed ? "before\n" : "after\n", passed ? 7 : 6) > 0);
    return 0;
}
