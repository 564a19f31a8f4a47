/* SPDX-License-Identifier: MIT */
/*
 * filesystem(N): each of N threads gives its inode a block, if it has none: the first free one from
 * twice the inode's number on.  Every inode and every block has a lock of its own.  With 26 blocks,
 * thread 13 is the first whose search begins where another one's does.
 *
 * Described in: Flanagan, Godefroid, "Dynamic partial-order reduction for model checking software"
 * (POPL 2005), figure 4; the classes in Abdulla et al. (POPL 2014).
 *
 * KIND: growing
 * CLASSES: 13=1 14=2 16=8 18=32 19=64
 */
#include "threads.h"

#include <stdbool.h>

#ifndef N
#define N 14
#endif
#ifndef BLOCKS
#define BLOCKS 26
#endif

enum { INODES = 32 };

static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode[INODES];
static bool busy[BLOCKS];

static bool take(int block, int *owner)
{
    pthread_mutex_lock(&block_lock[block]);
    bool mine = !busy[block];

    if (mine) {
        busy[block] = true;
        *owner = block + 1;
    }
    pthread_mutex_unlock(&block_lock[block]);
    return mine;
}

static void *allocate(void *arg)
{
    int i = thread_number(arg) % INODES, block = i * 2 % BLOCKS;

    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        while (!take(block, &inode[i]))
            block = (block + 1) % BLOCKS;
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_lock[i], NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_lock[i], NULL);
    threads_start(N, allocate);
    threads_join();
    return 0;
}
