/* SPDX-License-Identifier: MIT */
/*
 * An assertion fails in the middle of qsort(), which has allocated memory and half moved the
 * rows, and in the middle of the program's own allocator, whose free list is not whole.  The
 * executions after it sort and allocate again.
 *
 * RUN    plait test -s random -k -n 100
 * EXPECT assertion,assertion location~@bug failures=1-99 executions=100 restart=rollback replay=1
 *
 * RUN    plait test -s random -k -n 100 --no-minimize --restart fork
 * EXPECT assertion,assertion location~@bug restart=fork same=1 replay=1
 *
 * RUN    plait test -s random -k -n 100 --no-minimize --restart exec
 * EXPECT assertion,assertion location~@bug restart=exec same=1 replay=1
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { ROWS = 300, BLOCKS = 8 };

static atomic_int broken;
static struct row {
    int key, rest[50];
} table[ROWS];
static struct block {
    struct block *next;
} blocks[BLOCKS], *free_list;

static int compare(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    assert(x->key + y->key != 301 || broken != 1); /* @bug */
    return x->key - y->key;
}

static struct block *take(void)
{
    struct block *b = free_list;

    free_list = NULL;    /* the list is not whole until it has a head again */
    assert(broken != 2); /* @bug */
    free_list = b->next;
    return b;
}

static void *work(void *arg)
{
    void *volatile kept = malloc(1000);

    qsort(table, ROWS, sizeof(table[0]), compare);
    for (int i = 0; i < ROWS; i++)
        assert(table[i].key == i);
    for (int i = 0; i < BLOCKS; i++)
        assert(take() == &blocks[i]);
    assert(free_list == NULL && kept != NULL);
    return arg;
}

int main(void)
{
    pthread_t t;

    for (int i = 0; i < ROWS; i++)
        table[i].key = ROWS - 1 - i;
    for (int i = 0; i < BLOCKS; i++)
        blocks[i].next = i + 1 < BLOCKS ? &blocks[i + 1] : NULL;
    free_list = blocks;
    assert(pthread_create(&t, NULL, work, NULL) == 0);
    broken = 1;
    broken = 0;
    for (int i = 0; i < 4; i++)
        broken += 0; /* leaves time for the other thread */
    broken = 2;
    broken = 3;
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
