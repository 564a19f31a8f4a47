/* SPDX-License-Identifier: MIT */
/* Who read from whom, as it is shared: what is put in stays and is counted, from any thread. */
#include "unit.h"

#include "model/reads_from.h"

#include <pthread.h>
#include <stdlib.h>

enum { STATEMENTS = 50, WRITERS = 4, SIGNATURES = 300 };

static struct pl_reads_from *reads;

static bool show(uint32_t writer, uint32_t reader, bool good, uint64_t execution)
{
    struct pl_reads_from_pair *p = pl_reads_from_place(reads, writer, reader);

    return p != NULL && pl_reads_from_show(reads, p, good, execution);
}

static const struct pl_reads_from_pair *listed(uint32_t i)
{
    return &reads->pairs[reads->list[i] - 1];
}

static void the_first_to_show_a_pair_is_told_so(void)
{
    CHECK(show(7, 9, true, 3));
    CHECK(!show(7, 9, true, 4));
    CHECK(pl_reads_from_known(reads, 7, 9).times == 2 && pl_reads_from_known(reads, 7, 9).shown);
    CHECK(!pl_reads_from_known(reads, 9, 7).shown);
    CHECK(reads->n == 1 && listed(0)->first == 3);
    CHECK(pl_reads_from_writer(listed(0)) == 7 && pl_reads_from_reader(listed(0)) == 9);
}

static void the_first_value_has_no_statement(void)
{
    CHECK(show(PL_READS_FROM_INITIAL, 0, true, 5));
    CHECK(pl_reads_from_writer(listed(1)) == PL_READS_FROM_INITIAL);
    CHECK(pl_reads_from_reader(listed(1)) == 0);
    CHECK(!pl_reads_from_known(reads, 0, 0).shown);
}

/* It counts for the search, but is not kept until a good one shows it, too. */
static void a_failing_execution_is_not_listed(void)
{
    CHECK(show(1, 2, false, 6));
    CHECK(pl_reads_from_known(reads, 1, 2).shown && reads->n == 2);
    CHECK(!show(1, 2, true, 8));
    CHECK(reads->n == 3 && listed(2)->first == 8);
}

static void what_is_given_is_not_new(void)
{
    pl_reads_from_give(reads, 3, 4);
    CHECK(pl_reads_from_known(reads, 3, 4).shown && pl_reads_from_known(reads, 3, 4).times == 0);
    CHECK(!show(3, 4, true, 9));
    CHECK(listed(reads->n - 1)->first == 9);
}

static void tries_are_counted(void)
{
    pl_reads_from_try(reads, 5, 6);
    pl_reads_from_try(reads, 5, 6);
    CHECK(pl_reads_from_known(reads, 5, 6).tried == 2 && !pl_reads_from_known(reads, 5, 6).shown);
}

static void signatures_are_counted(void)
{
    CHECK(pl_reads_from_counted(reads, 1234) == 0);
    CHECK(pl_reads_from_count(reads, 1234) == 1 && pl_reads_from_count(reads, 1234) == 2);
    CHECK(pl_reads_from_counted(reads, 1234) == 2 && pl_reads_from_counted(reads, 99) == 0);
}

static void a_new_search_knows_what_is_given(void)
{
    uint32_t before = reads->n;

    pl_reads_from_forget(reads);
    CHECK(!pl_reads_from_known(reads, 7, 9).shown && pl_reads_from_known(reads, 3, 4).shown);
    CHECK(pl_reads_from_known(reads, 5, 6).tried == 0 && pl_reads_from_counted(reads, 1234) == 0);
    CHECK(show(7, 9, true, 2));
    CHECK(reads->n == before && listed(0)->first == 3); /* what was shown stays listed */
}

static void *write_all(void *arg)
{
    uintptr_t from = (uintptr_t)arg;

    for (uint32_t i = 0; i < STATEMENTS * STATEMENTS; i++) {
        uint32_t k = (uint32_t)(i + from * 977) % (STATEMENTS * STATEMENTS);

        show(1000 + k / STATEMENTS, 1000 + k % STATEMENTS, true, 1);
    }
    for (uint64_t i = 0; i < SIGNATURES; i++)
        pl_reads_from_count(reads, 1000000 + 2 * i);
    return NULL;
}

static void writers_at_the_same_time_lose_nothing(void)
{
    uint32_t before = reads->n;
    pthread_t threads[WRITERS];

    for (uintptr_t i = 0; i < WRITERS; i++)
        pthread_create(&threads[i], NULL, write_all, (void *)i);
    for (unsigned i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    CHECK(reads->n == before + STATEMENTS * STATEMENTS && reads->lost == 0);
    for (uint32_t i = 0; i < STATEMENTS * STATEMENTS; i++)
        CHECK(pl_reads_from_known(reads, 1000 + i / STATEMENTS, 1000 + i % STATEMENTS).times ==
              WRITERS);
    for (uint64_t i = 0; i < SIGNATURES; i++)
        CHECK(pl_reads_from_counted(reads, 1000000 + 2 * i) == WRITERS);
}

static void what_does_not_fit_is_counted(void)
{
    for (uint32_t i = 0; i < PL_READS_FROM_PAIRS + 1000; i++)
        show(5000 + i / 1000, 5000 + i % 1000, true, 1);
    CHECK(reads->lost > 0 && reads->n <= PL_READS_FROM_PAIRS);
    CHECK(pl_reads_from_known(reads, 7, 9).shown);
}

int main(void)
{
    reads = calloc(1, sizeof(*reads));
    the_first_to_show_a_pair_is_told_so();
    the_first_value_has_no_statement();
    a_failing_execution_is_not_listed();
    what_is_given_is_not_new();
    tries_are_counted();
    signatures_are_counted();
    a_new_search_knows_what_is_given();
    writers_at_the_same_time_lose_nothing();
    what_does_not_fit_is_counted();
    free(reads);
    return unit_result();
}
