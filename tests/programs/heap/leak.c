/* SPDX-License-Identifier: MIT */
/*
 * A slot that is filled by whoever comes first: the other one must give its block back.  The block
 * is lost in one of the interleavings only, where both have found the slot empty.
 *
 * RUN    plait test -s dfs --detect +leak
 * EXPECT leak location~@made exit=1
 *
 * RUN    plait test -s dpor --detect +leak
 * EXPECT leak location~@made exit=1
 *
 * RUN    plait test -s random -n 1000 --detect +leak
 * EXPECT leak location~@made exit=1
 *
 * RUN    plait test --detect +leak
 * EXPECT leak location~@made exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DRIGHT=1 plait test -s dfs --detect +leak
 * EXPECT clean complete exit=0
 *
 * RUN    -DRIGHT=1 plait test -s dpor --detect +leak
 * EXPECT clean complete exit=0
 *
 * RUN    -DRIGHT=1 plait test -s random -n 300 --detect +leak
 * EXPECT clean exit=0
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    char *text;
};

static _Atomic(struct node *) slot;

static struct node *make(void)
{
    struct node *n = malloc(sizeof(*n)); /* @made */

    n->next = n; /* a circle does not keep itself */
    n->text = malloc(100);
    return n;
}

static void *fills(void *arg)
{
    struct node *empty = NULL, *mine;

    if (atomic_load(&slot) != NULL)
        return arg;
    mine = make();
#ifdef RIGHT
    if (!atomic_compare_exchange_strong(&slot, &empty, mine)) {
        free(mine->text);
        free(mine);
    }
#else
    (void)empty;
    atomic_store(&slot, mine);
#endif
    return arg;
}

int main(void)
{
    pthread_t thread[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, fills, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
