/* SPDX-License-Identifier: MIT */
/*
 * A large table is sorted and searched, each half by a thread.  qsort() allocates or not, as it
 * pleases.  In each execution the table is in disorder again.
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    plait test -s random -n 20 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 20 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { ROWS = 20000 };

static struct row {
    unsigned key, value[3];
} table[ROWS];
static atomic_int turn;

static int compare(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

static void *sort(void *arg)
{
    struct row *half = arg, *found;
    struct row wanted = {.key = half[777].key};
    unsigned value = half[777].value[2];

    turn++;
    qsort(half, ROWS / 2, sizeof(half[0]), compare);
    turn++;
    for (int i = 1; i < ROWS / 2; i++)
        assert(half[i - 1].key < half[i].key);
    found = bsearch(&wanted, half, ROWS / 2, sizeof(half[0]), compare);
    assert(found != NULL && found->key == wanted.key && found->value[2] == value);
    return NULL;
}

static void execution(void)
{
    unsigned descents = 0;
    pthread_t t;

    assert(pthread_create(&t, NULL, sort, table) == 0);
    for (int i = ROWS / 2 + 1; i < ROWS; i++)
        descents += table[i - 1].key > table[i].key;
    assert(descents > ROWS / 8); /* @fresh */
    sort(table + ROWS / 2);
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    for (unsigned i = 0; i < ROWS; i++) /* an odd factor: all keys are different */
        table[i] = (struct row){.key = i * 2654435761u, .value[2] = i};
    execution();
    if (argc > 1)
        execution();
    return 0;
}
