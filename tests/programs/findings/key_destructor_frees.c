/* SPDX-License-Identifier: MIT */
/*
 * A destructor of a key is free() itself, which the runtime calls, and another one comes behind it.
 * That the block is shared is known once another thread has it: what the replay sees at the end of
 * the threads must count alike.
 *
 * RUN    plait test -s random
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t block, late;
static volatile int count;

static void add(void *number)
{
    count = count + (number != NULL);
}

static void *work(void *arg)
{
    int *mine = malloc(sizeof(*mine));

    *mine = *(int *)arg;
    pthread_setspecific(block, mine);
    pthread_setspecific(late, mine);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    int numbers[3] = {1, 2, 3};

    pthread_key_create(&block, free);
    pthread_key_create(&late, add);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(count == 3);
    return 0;
}
