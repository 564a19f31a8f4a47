/* SPDX-License-Identifier: MIT */
/* Linked with another allocator: one thread allocates, another one frees, both keep some. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 4 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static char *queue[BLOCKS];
static int made, taken;

static void *take(void *unused)
{
    for (int i = 0; i < BLOCKS; i++) {
        pthread_mutex_lock(&m);
        while (taken == made)
            pthread_cond_wait(&more, &m);
        char *block = queue[taken++];
        pthread_mutex_unlock(&m);
        for (int k = 0; k < 100; k++)
            assert(block[k] == (char)i);
        free(block);
        free(calloc(1, 3000));
    }
    return unused;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, take, NULL);
    for (int i = 0; i < BLOCKS; i++) {
        char *block = malloc(100 * (size_t)(i + 1));

        memset(block, i, 100);
        pthread_mutex_lock(&m);
        queue[made++] = block;
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&m);
    }
    pthread_join(thread, NULL);
    assert(taken == BLOCKS);
    return 0;
}
