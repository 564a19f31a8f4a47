/* SPDX-License-Identifier: MIT */
/*
 * A thread creates others and ends without another operation: they begin when it does.  What they
 * show is found and replayed as anything else; so is what happens while their creator waits for
 * them, which it begins to do right away.
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@sum
 *
 * RUN    [dpor] plait test -s dpor
 * EXPECT assertion location~@sum
 *
 * RUN    -DJOINS plait test -s dfs
 * EXPECT assertion location~@sum
 *
 * RUN    -DJOINS plait test -s random -n 200
 * EXPECT assertion location~@sum
 *
 * RUN    -DJOINS plait test -s pct -n 200 --carrier=thread
 * EXPECT assertion location~@sum
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int sum;
static sem_t added;

static void *add(void *arg)
{
    sum++;
    sem_post(&added);
    return arg;
}

static void *create(void *arg)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
#ifdef JOINS
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
#else
    pthread_detach(t[0]);
    pthread_create(&t[1], NULL, add, NULL);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;

#ifdef JOINS
    int n = 2;
#else
    int n = 3;
#endif
    sem_init(&added, 0, 0);
    pthread_create(&t, NULL, create, NULL);
    for (int i = 0; i < n; i++)
        sem_wait(&added);
    pthread_join(t, NULL);
    assert(sum == n); /* @sum */
    return 0;
}
