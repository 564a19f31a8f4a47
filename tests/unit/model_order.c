/* SPDX-License-Identifier: MIT */
/*
 * Recordings of free threads become lists of choices.  Random executions are recorded by the rule
 * of runtime/free/order.c, an entry where a location changes hands; following the choices must
 * bring every location's accesses in the order in which they happened.
 */
#include "unit.h"

#include "base/rng.h"
#include "model/order.h"

#include <string.h>

enum { THREADS = 5, LOCATIONS = 4, EVENTS = 12, ALL = THREADS * EVENTS };

struct access {
    unsigned thread, ordinal;
};

struct world {
    unsigned location[THREADS][EVENTS]; /* of each event */
    struct access happened[LOCATIONS][ALL];
    unsigned n_happened[LOCATIONS];
    struct pl_order_entry entries[ALL];
    unsigned n_entries;
    unsigned at[THREADS], last;
};

static void put_passed(struct world *w, struct access a)
{
    struct pl_order_entry *e = &w->entries[w->n_entries++];

    e->tid = (pl_tid)a.thread;
    e->ordinal = a.ordinal + 1;
    e->kind = PL_ORDER_PASSED;
}

static void perform(struct world *w, unsigned thread)
{
    unsigned ordinal = w->at[thread]++, location = w->location[thread][ordinal];
    unsigned n = w->n_happened[location]++;

    if (n > 0 && w->happened[location][n - 1].thread != thread)
        put_passed(w, w->happened[location][n - 1]);
    w->happened[location][n] = (struct access){thread, ordinal};
    w->last = thread;
}

static void make_world(struct world *w, uint64_t *rng)
{
    unsigned left = ALL / 2 + pl_rng_below(rng, ALL / 2); /* it may end in the middle */

    memset(w, 0, sizeof(*w));
    for (unsigned t = 0; t < THREADS; t++) {
        for (unsigned i = 0; i < EVENTS; i++)
            w->location[t][i] = pl_rng_below(rng, LOCATIONS);
    }
    for (unsigned t = 0; left > 0; left--) {
        do
            t = pl_rng_below(rng, 3) == 0 ? pl_rng_below(rng, THREADS) : t;
        while (w->at[t] == EVENTS && (t = (t + 1) % THREADS, true));
        perform(w, t);
    }
}

/* Follow the choices; what is left when they are used up is the last thread's. */
static unsigned follow(const struct world *w, const struct pl_order_list *list,
                       struct access seen[LOCATIONS][ALL], unsigned n_seen[LOCATIONS])
{
    unsigned at[THREADS] = {0}, running = 0, steps = 0;

    for (uint64_t i = 0; i <= list->n; i++) {
        bool over = i == list->n;
        unsigned until = over ? w->at[running] : list->choices[i].ordinal;

        CHECK(over || list->choices[i].tid == running);
        while (at[running] < until) {
            unsigned location = w->location[running][at[running]];

            seen[location][n_seen[location]++] = (struct access){running, at[running]++};
            steps++;
        }
        running = over ? running : list->choices[i].target;
    }
    return steps;
}

static void conflicts_keep_their_order(void)
{
    static struct pl_choice choices[4 * ALL];
    uint64_t rng = 7;

    for (int round = 0; round < 20000; round++) {
        struct world w;
        struct access seen[LOCATIONS][ALL];
        unsigned n_seen[LOCATIONS] = {0};
        struct pl_order_list list = {choices, 4 * ALL, 0};

        make_world(&w, &rng);
        struct pl_order_end end = {.n_threads = THREADS, .last = (pl_tid)w.last};

        pl_order_linearize(w.entries, w.n_entries, &end, &list);
        CHECK(list.n <= list.room);
        CHECK(follow(&w, &list, seen, n_seen) > 0);
        for (unsigned l = 0; l < LOCATIONS; l++) {
            /* What nobody came to see may be left out, at the end. */
            CHECK(n_seen[l] <= w.n_happened[l]);
            CHECK(memcmp(seen[l], w.happened[l], n_seen[l] * sizeof(seen[l][0])) == 0);
        }
    }
}

static void choices_come_at_their_place(void)
{
    struct pl_order_entry entries[] = {
        {.kind = PL_ORDER_PASSED, .tid = 1, .ordinal = 3},
        {.kind = PL_ORDER_CHOICE,
         .choice = PL_CHOICE_WAITER,
         .tid = 0,
         .ordinal = 5,
         .other = 2,
         .taken = 1,
         .options = 2},
        {.kind = PL_ORDER_NONE, .tid = 1, .ordinal = 99},  /* never finished */
        {.kind = PL_ORDER_PASSED, .tid = 0, .ordinal = 4}, /* nothing new */
    };
    struct pl_choice choices[8];
    struct pl_order_list list = {choices, 8, 0};
    struct pl_order_end end = {.n_threads = 3, .last = 0};

    pl_order_linearize(entries, 4, &end, &list);
    CHECK(list.n == 3);
    CHECK(choices[0].tid == 0 && choices[0].ordinal == 0 && choices[0].target == 1);
    CHECK(choices[1].tid == 1 && choices[1].ordinal == 3 && choices[1].target == 0);
    CHECK(choices[2].kind == PL_CHOICE_WAITER && choices[2].tid == 0 && choices[2].ordinal == 5 &&
          choices[2].target == 2 && choices[2].taken == 1);
}

/* A deadlock: everybody who waits must have come to where it waits. */
static void a_standstill_needs_all(void)
{
    struct pl_order_entry entries[] = {{.kind = PL_ORDER_PASSED, .tid = 1, .ordinal = 2}};
    bool waits[] = {false, true, true};
    uint32_t at[] = {9, 3, 4};
    struct pl_choice choices[8];
    struct pl_order_list list = {choices, 8, 0};
    struct pl_order_end end = {.n_threads = 3, .last = 1, .all = true, .waits = waits, .at = at};

    pl_order_linearize(entries, 1, &end, &list);
    CHECK(list.n == 2);
    CHECK(choices[0].tid == 0 && choices[0].target == 1);
    CHECK(choices[1].tid == 1 && choices[1].ordinal == 3 && choices[1].target == 2);
}

static void too_many_are_counted(void)
{
    struct pl_order_entry entries[] = {{.kind = PL_ORDER_PASSED, .tid = 1, .ordinal = 1},
                                       {.kind = PL_ORDER_PASSED, .tid = 0, .ordinal = 1},
                                       {.kind = PL_ORDER_PASSED, .tid = 1, .ordinal = 2}};
    struct pl_choice choices[1];
    struct pl_order_list list = {choices, 1, 0};
    struct pl_order_end end = {.n_threads = 2, .last = 1};

    pl_order_linearize(entries, 3, &end, &list);
    CHECK(list.n == 3 && choices[0].target == 1);
}

int main(void)
{
    conflicts_keep_their_order();
    choices_come_at_their_place();
    a_standstill_needs_all();
    too_many_are_counted();
    return unit_result();
}
