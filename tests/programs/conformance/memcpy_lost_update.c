/* SPDX-License-Identifier: MIT */
/*
 * A lost update whose reads and writes are calls of memcpy of a size that the
 * compiler does not know: they are seen all the same.  -DHOW=1 uses memmove,
 * 2 a struct assignment.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=1 plait test -s random -n 2000
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=2 plait test -s random -n 2000
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#ifndef FIXED
#define FIXED 0
#endif
#ifndef HOW
#define HOW 0
#endif

struct record {
    int numbers[16];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record shared;
#if HOW < 2
static volatile size_t size = sizeof(shared);
#endif

static void copy(struct record *to, const struct record *from)
{
#if HOW == 0
    memcpy(to, from, size);
#elif HOW == 1
    memmove(to, from, size);
#else
    *to = *from;
#endif
}

static void *add(void *arg)
{
    struct record mine;

    if (FIXED)
        pthread_mutex_lock(&lock);
    copy(&mine, &shared);
    for (int i = 0; i < 16; i++)
        mine.numbers[i]++;
    copy(&shared, &mine);
    if (FIXED)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    for (int i = 0; i < 16; i++)
        assert(shared.numbers[i] == 2);
    return 0;
}
