/* SPDX-License-Identifier: MIT */
/*
 * A program that tests three functions one after the other, as a framework for
 * unit tests would, and goes on after the one with the bug.  What a test changes
 * is not seen afterwards: it never ran in this process.
 *
 * RUN    plait test -s dfs
 * EXPECT assertion message~counted location~@bug exit=1
 *
 * RUN    plait test -s random -n 300
 * EXPECT assertion message~counted location~@bug exit=1
 *
 * RUN    plait test -s dfs --restart fork
 * EXPECT assertion message~counted location~@bug exit=1
 *
 * RUN    plait test -s dfs --carrier thread
 * EXPECT assertion message~counted location~@bug exit=1
 *
 * RUN    plait test -s dfs -j 2
 * EXPECT assertion message~counted location~@bug exit=1
 *
 * RUN    plait test -s dfs --section 1
 * EXPECT clean complete
 *
 * RUN    plait test -s dfs --section 2
 * EXPECT assertion location~@bug exit=1
 *
 * RUN    plait test -s dfs --section 3
 * EXPECT clean complete
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete ended~(?s)\A(?!.*done.again)
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <plait.h>

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static atomic_int counted;
static int set_up;

static void *add(void *arg)
{
    pthread_mutex_lock(&lock);
    sum += *(int *)arg;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *count(void *arg)
{
    int seen = counted;

    (void)arg;
    if (FIXED)
        counted++;
    else
        counted = seen + 1;
    return NULL;
}

static void both(void *(*work)(void *), void *arg)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        assert(pthread_create(&t[i], NULL, work, arg) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(t[i], NULL) == 0);
}

static void test_sum(void *arg)
{
    assert(sum == 0 && set_up == 1);
    both(add, arg);
    assert(sum == 2 * *(int *)arg);
}

static void test_count(void *arg)
{
    both(count, arg);
    plait_assert(counted == 2); /* @bug */
}

static void test_later(void *arg)
{
    assert(set_up == 2 && (sum == 0 || !plait_active()));
    sum = 0;
    both(add, arg);
    assert(sum == 2 * *(int *)arg);
}

int main(void)
{
    int three = 3;
    const char *found;

    /* Threads before the first test, and between tests, are not explored. */
    both(add, &three);
    assert(sum == 6);
    sum = 0;
    set_up = 1;
    found = plait_test(test_sum, &three);
    assert(found == NULL);
    sum = 0;
    found = plait_test(test_count, NULL);
    if (found != NULL) {
        assert(!FIXED && strstr(found, "counted == 2") != NULL);
        assert(counted == 0); /* not here, but in other processes */
    }
    both(add, &three);
    sum = 0;
    set_up = 2;
    found = plait_test(test_later, &three);
    assert(found == NULL);
    return 0;
}
