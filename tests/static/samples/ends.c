/* SPDX-License-Identifier: MIT */
/*
 * Calls that end two blocks alike, in a loop whose first turn was peeled off and in two branches:
 * each stays a call of its own, with its line.
 *
 * OPT 2
 * PAIR RW busy
 * PAIR RW total
 */
#include <pthread.h>
#include <stdbool.h>

enum { BLOCKS = 2 };

static pthread_mutex_t locks[BLOCKS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static bool busy[BLOCKS];
static int total, owners[BLOCKS];

static bool take(int block, int *owner)
{
    pthread_mutex_lock(&locks[block]);
    bool mine = !busy[block];

    if (mine) {
        busy[block] = true;
        *owner = block + 1;
    }
    pthread_mutex_unlock(&locks[block]);
    return mine;
}

static void *search(void *arg)
{
    int i = arg != NULL, block = i * 2 % BLOCKS;

    while (!take(block, &owners[i]))
        block = (block + 1) % BLOCKS;
    if (arg != NULL) {
        pthread_mutex_lock(&locks[0]);
        total = 1;
    } else {
        pthread_mutex_lock(&locks[1]);
        total = 1;
    }
    pthread_mutex_unlock(&locks[arg == NULL]);
    return NULL;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, search, NULL);
    pthread_create(&second, NULL, search, &total);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
