/* SPDX-License-Identifier: MIT */
/*
 * calloc() gives zeros, also where a large block was before, of another size, from before the first
 * thread, or locked (the argument).  Such blocks take no time for what is not touched.  Of blocks
 * of 70,000 bytes few are kept when they are freed: the thread's own one is the oldest of them, and
 * comes again.
 *
 * RUN    plait test -s random -n 5
 * EXPECT clean executions=5
 *
 * RUN    plait test -s random -n 5 --restart fork -- locked
 * EXPECT clean executions=5
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static bool locked;
static sem_t begun, freed;

static void *free_others(void *arg)
{
    void *volatile blocks[6];

    for (int i = 0; i < 6; i++)
        blocks[i] = malloc(70000);
    sem_post(&begun);
    sem_wait(&freed);
    for (int i = 0; i < 6; i++)
        free(blocks[i]);
    sem_post(&begun);
    return arg;
}

static void take_oldest(void)
{
    void *volatile block = malloc(70000);

    sem_wait(&begun);
    free(block);
    sem_post(&freed);
    sem_wait(&begun);
    block = malloc(70000);
    assert(block != NULL);
    free(block);
}

static void *work(void *arg)
{
    for (size_t i = 0; i < 7; i++) {
        size_t n = 200000 + i * 997;
        char *p = calloc(1, n);

        assert(p != NULL && p[n - 1] == 0);
        for (size_t k = 0; k < n; k += 61)
            assert(p[k] == 0);
        memset(p, 7, n);
        if (locked && i == 5)
            mlock(p, n);
        p = realloc(p, n + 5000);
        assert(p != NULL && p[n - 1] == 7);
        free(p);
    }
    char *far = calloc(1, (size_t)1 << 27);

    assert(far != NULL && far[((size_t)1 << 27) - 1] == 0);
    free(far);
    return arg;
}

int main(int argc, char **argv)
{
    char *before = malloc(300000);
    pthread_t a, b, c;

    (void)argv;
    locked = argc > 1;
    assert(before != NULL);
    memset(before, 3, 300000);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    free(before);
    sem_init(&begun, 0, 0);
    sem_init(&freed, 0, 0);
    pthread_create(&c, NULL, free_others, NULL);
    take_oldest();
    pthread_join(c, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
