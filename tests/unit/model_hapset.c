/* SPDX-License-Identifier: MIT */
/* Predecessor sets as they are shared: what is put in stays, with all reasons, from any thread. */
#include "unit.h"

#include "model/hapset.h"

#include <pthread.h>
#include <stdlib.h>

enum { STATEMENTS = 60, WRITERS = 4 };

static struct pl_hapset *sets;

static void order_matters_and_reasons_add_up(void)
{
    CHECK(pl_hapset_add(sets, 7, 9, PL_HAPSET_LEARNED, 3));
    CHECK(!pl_hapset_add(sets, 7, 9, PL_HAPSET_LEARNED, 4));
    CHECK(pl_hapset_why(sets, 7, 9) == PL_HAPSET_LEARNED);
    CHECK(pl_hapset_why(sets, 9, 7) == 0);
    CHECK(sets->pairs[sets->list[0] - 1].first == 3);
    CHECK(!pl_hapset_add(sets, 7, 9, PL_HAPSET_TRIED, 0));
    CHECK(pl_hapset_why(sets, 7, 9) == (PL_HAPSET_LEARNED | PL_HAPSET_TRIED));
    CHECK(sets->n == 1);
}

static void a_pair_tells_its_statements(void)
{
    const struct pl_hapset_pair *p;

    pl_hapset_add(sets, 0, 0, PL_HAPSET_GIVEN, 0); /* statement 0 is one like any other */
    p = &sets->pairs[sets->list[sets->n - 1] - 1];
    CHECK(pl_hapset_statement(p) == 0 && pl_hapset_predecessor(p) == 0 && pl_hapset_plain(p));
    pl_hapset_add(sets, 65535, pl_hapset_outcome(1, 2), PL_HAPSET_LEARNED, 1);
    p = &sets->pairs[sets->list[sets->n - 1] - 1];
    CHECK(pl_hapset_statement(p) == 65535 && !pl_hapset_plain(p));
    CHECK(pl_hapset_why(sets, 65535, pl_hapset_outcome(2, 1)) == 0);
    CHECK(pl_hapset_why(sets, 65535 | PL_HAPSET_END, 0) == 0);
}

static void a_new_search_knows_what_is_given(void)
{
    uint32_t before = sets->n;

    pl_hapset_add(sets, 20, 21, PL_HAPSET_TRIED, 0);
    pl_hapset_add(sets, 22, 23, PL_HAPSET_GIVEN, 0);
    pl_hapset_forget(sets);
    CHECK(pl_hapset_why(sets, 7, 9) == 0 && pl_hapset_why(sets, 20, 21) == 0);
    CHECK(pl_hapset_why(sets, 22, 23) == PL_HAPSET_GIVEN);
    CHECK((sets->pairs[sets->list[0] - 1].why & PL_HAPSET_BEFORE) != 0);
    CHECK(pl_hapset_add(sets, 7, 9, PL_HAPSET_LEARNED, 8));
    CHECK(sets->pairs[sets->list[0] - 1].first == 3);
    CHECK(sets->n == before + 2);
}

/* What failed is not known by that, and neither is what is suspect. */
static void failures_teach_nothing(void)
{
    CHECK(!pl_hapset_add(sets, 40, 41, PL_HAPSET_FAILED, 5));
    CHECK(!pl_hapset_add(sets, 42, 43, PL_HAPSET_SUSPECT, 0));
    CHECK(pl_hapset_why(sets, 40, 41) == 0 && pl_hapset_why(sets, 42, 43) == 0);
    CHECK(!pl_hapset_suspect(sets, 40, 41) && pl_hapset_suspect(sets, 42, 43));
    CHECK(!pl_hapset_suspect(sets, 43, 42));
    pl_hapset_forget(sets);
    CHECK(pl_hapset_suspect(sets, 42, 43));
    CHECK(pl_hapset_add(sets, 40, 41, PL_HAPSET_LEARNED, 6));
    CHECK(pl_hapset_why(sets, 40, 41) == PL_HAPSET_LEARNED);
}

static void *write_all(void *arg)
{
    uintptr_t from = (uintptr_t)arg;

    for (uint32_t i = 0; i < STATEMENTS * STATEMENTS; i++) {
        uint32_t k = (uint32_t)(i + from * 977) % (STATEMENTS * STATEMENTS);

        pl_hapset_add(sets, 1000 + k / STATEMENTS, 1000 + k % STATEMENTS, PL_HAPSET_LEARNED, k);
    }
    return NULL;
}

static void writers_at_the_same_time_lose_nothing(void)
{
    pthread_t threads[WRITERS];
    uint32_t before = sets->n;

    for (uintptr_t i = 0; i < WRITERS; i++)
        pthread_create(&threads[i], NULL, write_all, (void *)i);
    for (unsigned i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    CHECK(sets->n == before + STATEMENTS * STATEMENTS);
    for (uint32_t i = 0; i < STATEMENTS * STATEMENTS; i++)
        CHECK(pl_hapset_why(sets, 1000 + i / STATEMENTS, 1000 + i % STATEMENTS) ==
              PL_HAPSET_LEARNED);
    CHECK(sets->lost == 0);
}

static void what_does_not_fit_is_counted(void)
{
    for (uint32_t i = 0; i < 2 * PL_HAPSET_PAIRS && sets->lost == 0; i++)
        pl_hapset_add(sets, 100000 + i, 5, PL_HAPSET_LEARNED, 1);
    CHECK(sets->lost > 0);
    CHECK(sets->n > PL_HAPSET_PAIRS / 2 && sets->n <= PL_HAPSET_PAIRS);
    CHECK(pl_hapset_why(sets, 7, 9) != 0);
}

int main(void)
{
    sets = calloc(1, sizeof(*sets));
    order_matters_and_reasons_add_up();
    a_pair_tells_its_statements();
    failures_teach_nothing();
    a_new_search_knows_what_is_given();
    writers_at_the_same_time_lose_nothing();
    what_does_not_fit_is_counted();
    free(sets);
    return unit_result();
}
