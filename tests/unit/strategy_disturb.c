/* SPDX-License-Identifier: MIT */
/* Which events are disturbed: how many, where, how long, and that the same come again. */
#include "strategy/noise/disturb.h"

#include "strategy/shared/draw.h"
#include "unit.h"

#include <stdlib.h>

static struct pl_disturb_plan plan;
static struct pl_disturb_run run;
static struct pl_disturber thread;
static struct pl_disturb_means means = {.news = -1};
static struct pl_disturb_asks asks;

static const char *read(const char *parameters)
{
    pl_disturb_usual(&plan);
    return pl_disturb_read(&plan, parameters);
}

static void begin(uint64_t n)
{
    pl_disturb_begin(&plan, 1, n, &means, &run);
    pl_disturb_thread(&plan, &run, 77, 0, &thread);
}

static bool event(enum pl_op_kind kind, uint64_t pc, bool before, struct pl_disturbance *what)
{
    struct pl_operation op = {.kind = (uint8_t)kind, .pc = pc, .addr = 4096};

    return pl_disturb_event(&plan, &run, &thread, &op, before, &asks, what);
}

/* How many of n events at one place are disturbed. */
static unsigned count(enum pl_op_kind kind, uint64_t pc, unsigned n)
{
    struct pl_disturbance what;
    unsigned hits = 0;

    for (unsigned i = 0; i < n; i++)
        hits += event(kind, pc, true, &what);
    return hits;
}

static bool near(double is, double expected, double part)
{
    return is > expected * (1 - part) && is < expected * (1 + part);
}

/* ---- quantities ---- */

static void draws_have_their_distributions(void)
{
    enum { N = 200000 };
    double sum = 0, squares = 0;
    unsigned low = 0, above = 0;
    uint64_t rng = 3;

    for (unsigned i = 0; i < N; i++) {
        double x = pl_draw_exponential(&rng), w = pl_draw_wide(&rng, -2, 2);

        sum += x;
        squares += x * x;
        above += x > 2;
        CHECK(w >= 0.249 && w < 4.01);
        low += w < 1;
    }
    CHECK(near(sum / N, 1, 0.02) && near(squares / N, 2, 0.03));
    CHECK(near(above, N * 0.1353, 0.05)); /* e to the power of -2 */
    CHECK(near(low, N / 2, 0.02));
    CHECK(near(pl_draw_power(10), 1024, 0.01) && near(pl_draw_power(-3.5), 0.0884, 0.01));
}

/* ---- parameters ---- */

static void parameters_are_read(void)
{
    CHECK(read("") == NULL && plan.kind == PL_DISTURB_SLEEP && plan.per_10000 == 0);
    CHECK(plan.cost == 300 && !plan.strict && plan.length_ns == 0);
    CHECK(read("yield,probability=12.5,length=200us,cap=3ms,distribution=fixed,cost=2.0,quiet=50,"
               "direct=m2,random=10,at=shared,record=light") == NULL);
    CHECK(plan.kind == PL_DISTURB_YIELD && plan.per_10000 == 1250 && plan.length_ns == 200000);
    CHECK(plan.cap_ns == 3000000 && plan.distribution == PL_DISTURB_FIXED && plan.cost == 200);
    CHECK(plan.strict && plan.quiet == 50 && plan.direct == PL_DISTURB_M2 && plan.random == 10);
    CHECK(plan.at == PL_DISTURB_AT_SHARED && plan.record == 1);
    CHECK(read("cost=off,probability=auto,length=auto") == NULL && plan.cost == 0);
    CHECK(read("kind=none,record=none") == NULL && plan.kind == PL_DISTURB_NONE);
}

static void nonsense_is_refused(void)
{
    static const char *const bad[] = {
        "slep",
        "sleep,yield",
        "kind=x",
        "probability=0",
        "probability=101",
        "probability=x",
        "length=5",
        "length=0.5us",
        "length=11s",
        "cap=0us",
        "cap=x",
        "length=30ms",
        "cost=1",
        "cost=x",
        "cost=2000",
        "quiet=101",
        "quiet=x",
        "random=200",
        "direct=m4",
        "at=here",
        "record=some",
        "colour=green",
        "sleep,",
        ",",
        "distribution=normal",
        "cost=",
    };

    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const char *sentence = read(bad[i]);

        CHECK(sentence != NULL && strlen(sentence) > 20 && sentence[strlen(sentence) - 1] == '.');
    }
}

/* ---- how many ---- */

static void a_probability_is_kept(void)
{
    static const struct {
        const char *text;
        double share;
    } rows[] = {{"probability=50,quiet=0", 0.5},
                {"probability=100,quiet=0", 1},
                {"probability=5,quiet=0", 0.05},
                {"probability=0.1,quiet=0", 0.001}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK(read(rows[i].text) == NULL);
        begin(7);
        CHECK(near(count(PL_OP_WRITE, 100, 1000000), 1e6 * rows[i].share, 0.1));
    }
}

static void gaps_are_random(void)
{
    struct pl_disturbance what;
    unsigned last = 0, short_ones = 0, long_ones = 0, n = 0;

    CHECK(read("probability=1,quiet=0") == NULL);
    begin(3);
    for (unsigned i = 0; i < 1000000; i++) {
        if (!event(PL_OP_WRITE, 100, true, &what))
            continue;
        short_ones += i - last < 50;
        long_ones += i - last > 200;
        last = i;
        n++;
    }
    CHECK(near(short_ones, n * 0.393, 0.1) && near(long_ones, n * 0.135, 0.15));
}

/* The thousandth time round a loop counts for less than the first, and than a lock. */
static void what_is_new_counts_for_more(void)
{
    unsigned first = 0, later = 0, locks = 0, reads = 0;

    CHECK(read("quiet=0") == NULL);
    for (uint64_t n = 1; n <= 2000; n++) {
        begin(n);
        first += count(PL_OP_WRITE, 100, 4);
        count(PL_OP_WRITE, 100, 10000);
        later += count(PL_OP_WRITE, 100, 4);
        locks += count(PL_OP_MUTEX_LOCK, 200, 4);
        begin(n);
        reads += count(PL_OP_READ, 300, 4);
    }
    CHECK(first > 2000 && later < first / 50);
    CHECK(locks > first / 2);
    CHECK(reads > 0 && reads < first);
}

static void own_variables_count_for_little(void)
{
    struct pl_operation op = {.kind = PL_OP_WRITE, .pc = 100, .addr = UINT64_C(0x7fff00000000)};
    struct pl_disturbance what;
    unsigned own = 0, other = 0;

    CHECK(read("quiet=0") == NULL);
    for (uint64_t n = 1; n <= 1000; n++) {
        begin(n);
        pl_disturb_thread(&plan, &run, 77, op.addr - 5000, &thread);
        for (unsigned i = 0; i < 3; i++)
            own += pl_disturb_event(&plan, &run, &thread, &op, true, &asks, &what);
        other += count(PL_OP_WRITE, 200, 3);
    }
    CHECK(other > 500 && own < other / 50);
}

/* A program with a handful of events is disturbed in most executions. */
static void short_programs_are_hit(void)
{
    unsigned hit = 0;

    CHECK(read("") == NULL);
    for (uint64_t n = 1; n <= 1000; n++) {
        begin(n);
        unsigned hits = 0;

        for (uint64_t pc = 100; pc < 105; pc++)
            hits += count(PL_OP_WRITE, pc, 1);
        hit += hits > 0;
    }
    CHECK(hit > 600);
}

/* ---- quiet ---- */

static void some_executions_are_quiet(void)
{
    static const unsigned shares[] = {0, 4, 50, 100};
    char text[32];

    for (unsigned i = 0; i < 4; i++) {
        unsigned quiet = 0;

        snprintf(text, sizeof(text), "quiet=%u", shares[i]);
        CHECK(read(text) == NULL);
        for (uint64_t n = 1; n <= 10000; n++) {
            begin(n);
            quiet += run.silent;
            if (run.silent && n < 100)
                CHECK(count(PL_OP_MUTEX_LOCK, 100, 1000) == 0);
        }
        CHECK(quiet == shares[i] * 100 || near(quiet, shares[i] * 100, 0.15));
    }
}

/* The longest time that a thread goes undisturbed where it is usually disturbed often. */
static unsigned longest_pause(void)
{
    struct pl_disturbance what;
    unsigned longest = 0, since = 0;

    for (unsigned i = 0; i < 20000; i++) {
        since = event(PL_OP_MUTEX_LOCK, 100, true, &what) ? 0 : since + 1;
        longest = since > longest ? since : longest;
    }
    return longest;
}

static void threads_and_stretches_are_quiet(void)
{
    unsigned silent = 0, paused = 0;

    CHECK(read("quiet=20,probability=30") == NULL);
    for (uint64_t n = 1; n <= 1000; n++) {
        begin(n);
        if (run.silent)
            continue;
        silent += thread.silent;
        paused += !thread.silent && longest_pause() > 500;
    }
    CHECK(silent > 5 && silent < 100);
    CHECK(paused > 30 && paused < 300);
    CHECK(read("quiet=0,probability=30") == NULL);
    for (uint64_t n = 1; n <= 200; n++) {
        begin(n);
        CHECK(!run.silent && !thread.silent && longest_pause() < 200);
    }
}

static void intensity_differs(void)
{
    unsigned low = 0, high = 0;
    double first = 0;

    CHECK(read("") == NULL);
    for (uint64_t n = 1; n <= 1000; n++) {
        begin(n);
        low += run.gap > 20 * PL_DISTURB_WEIGHT;
        high += run.gap < 2 * PL_DISTURB_WEIGHT;
        first = thread.gap;
        pl_disturb_thread(&plan, &run, 78, 0, &thread);
        CHECK(thread.gap != first);
    }
    CHECK(low > 30 && high > 300);
}

/* ---- the same again ---- */

static uint64_t trail(uint64_t n, uint64_t name)
{
    struct pl_disturbance what = {0};
    uint64_t hash = 0;

    begin(n);
    pl_disturb_thread(&plan, &run, name, 0, &thread);
    for (unsigned i = 0; i < 2000; i++) {
        if (event(i % 3 ? PL_OP_WRITE : PL_OP_MUTEX_LOCK, 100 + i % 17, i % 2, &what))
            hash = pl_hash_add(pl_hash_add(hash, i), what.ns ^ what.events ^ what.nice);
    }
    return hash;
}

static void decisions_repeat(void)
{
    CHECK(read("mixed,quiet=0") == NULL);
    for (uint64_t n = 1; n < 50; n++) {
        CHECK(trail(n, 5) == trail(n, 5));
        CHECK(trail(n, 5) != trail(n, 6) && trail(n, 5) != trail(n + 1, 5));
    }
}

/* ---- how long ---- */

static void lengths_keep_to_the_cap(void)
{
    static const char *const texts[] = {"length=1ms,cap=3ms,probability=50,quiet=0",
                                        "length=1ms,distribution=uniform,probability=50,quiet=0",
                                        "length=1ms,distribution=fixed,probability=50,quiet=0"};
    static const double greatest[] = {3e6, 2e6, 1e6}, mean[] = {950e3, 1e6, 1e6};

    for (unsigned i = 0; i < 3; i++) {
        struct pl_disturbance what;
        uint64_t longest = 0, sum = 0, n = 0;

        CHECK(read(texts[i]) == NULL);
        begin(1);
        for (unsigned k = 0; k < 100000; k++) {
            if (!event(PL_OP_WRITE, 100, true, &what))
                continue;
            CHECK(what.kind == PL_DISTURB_SLEEP && what.ns >= 1000);
            longest = what.ns > longest ? what.ns : longest;
            sum += what.ns;
            n++;
        }
        CHECK((double)longest <= greatest[i] && (double)longest > greatest[i] * 0.99);
        CHECK(near((double)sum / (double)n, mean[i], 0.05));
    }
}

static void lengths_span_microseconds_to_milliseconds(void)
{
    unsigned shorter = 0, longer = 0;

    CHECK(read("") == NULL);
    for (uint64_t n = 1; n <= 1000; n++) {
        begin(n);
        CHECK(run.length_ns > 19000 && run.length_ns < 4300000);
        shorter += run.length_ns < 60000;
        longer += run.length_ns > 1500000;
    }
    CHECK(shorter > 30 && longer > 30);
}

static void mixtures_have_everything(void)
{
    unsigned seen[PL_DISTURB_MIXED] = {0};
    struct pl_disturbance what;

    CHECK(read("mixed,probability=100,quiet=0") == NULL);
    begin(1);
    for (unsigned i = 0; i < 10000; i++) {
        if (!event(PL_OP_WRITE, 100, true, &what))
            continue;
        CHECK(what.kind < PL_DISTURB_MIXED && what.nice < 20 && what.events >= 1);
        if (what.kind < PL_DISTURB_MIXED)
            seen[what.kind]++;
    }
    for (unsigned i = 0; i < PL_DISTURB_MIXED; i++)
        CHECK(seen[i] > 300 && seen[PL_DISTURB_SLEEP] >= seen[i]);
}

/* What a run may cost limits how many sleeps there are, or makes them longer. */
static void runs_fit_what_they_may_cost(void)
{
    double spread = 0, all = 0;
    unsigned fewer = 0, late = 0;

    CHECK(read("cost=2.0,quiet=0") == NULL);
    means = (struct pl_disturb_means){
        .weight = 100000.0 * PL_DISTURB_WEIGHT, .extra_ns = 10e6, .news = -1, .scale = 1};
    for (uint64_t n = 1; n <= 1000; n++) {
        begin(n);
        double times = means.weight / run.gap;

        late += run.late > 0;
        CHECK(run.late >= 0 && run.late < 1);
        if (times * run.length_ns > 2 * means.extra_ns)
            continue; /* a burst: it stops when all is used up */
        fewer++;
        spread += times * run.length_ns;
    }
    CHECK(fewer > 150 && near(spread / fewer, means.extra_ns, 0.3));
    CHECK(late > 50 && late < 200);
    means = (struct pl_disturb_means){
        .weight = 10.0 * PL_DISTURB_WEIGHT, .extra_ns = 10e6, .news = -1, .scale = 1};
    for (uint64_t n = 1; n <= 1000; n++) {
        begin(n);
        CHECK(run.gap <= means.weight);
        all += run.length_ns;
    }
    CHECK(all / 1000 > 800000); /* 10 ms for a handful */
    means = (struct pl_disturb_means){.news = -1};
}

/* ---- where ---- */

static void beginnings_get_attention(void)
{
    unsigned created = 0, begun = 0, others = 0;
    uint64_t longest = 0;
    struct pl_disturbance what;

    CHECK(read("cap=1s,probability=0.01,quiet=0") == NULL);
    for (uint64_t n = 1; n <= 1000; n++) {
        begin(n);
        if (event(PL_OP_THREAD_CREATE, 100, false, &what)) {
            created++;
            longest = what.ns > longest ? what.ns : longest;
        }
        begun += event(PL_OP_THREAD_START, 0, true, &what);
        others += event(PL_OP_THREAD_CREATE, 100, true, &what);
        others += event(PL_OP_MUTEX_LOCK, 200, true, &what);
    }
    CHECK(near(created, 260, 0.2) && near(begun, 260, 0.2));
    CHECK(others < 10);
    CHECK(longest > 10000000);
    CHECK(run.begun == 1);
}

static bool only_100(const struct pl_operation *op)
{
    return op->pc == 100;
}

static enum pl_cover_interest interest_of_pc(const struct pl_operation *op)
{
    return (enum pl_cover_interest)(op->pc - 100);
}

static void places_are_kept_to(void)
{
    CHECK(read("at=sync,probability=50,quiet=0") == NULL);
    begin(1);
    CHECK(count(PL_OP_WRITE, 100, 1000) == 0 && count(PL_OP_READ, 101, 1000) == 0);
    CHECK(count(PL_OP_MUTEX_LOCK, 102, 1000) > 300 && count(PL_OP_ATOMIC_LOAD, 103, 1000) > 300);
    CHECK(read("at=shared,probability=50,quiet=0") == NULL);
    asks.open = only_100;
    begin(1);
    for (uint64_t pc = 99; pc < 2000; pc++)
        CHECK((count(PL_OP_WRITE, pc, 100) > 0) == (pc == 100));
    asks.open = NULL;
}

static void direction_prefers_what_is_new(void)
{
    static const char *const texts[] = {"direct=all,random=0,probability=5,quiet=0",
                                        "direct=m1,random=100,probability=5,quiet=0"};
    unsigned hits[3];

    asks.interest = interest_of_pc;
    CHECK(read(texts[0]) == NULL);
    begin(1);
    for (unsigned i = 0; i < 3; i++)
        hits[i] = count(PL_OP_WRITE, 100 + i, 100000);
    CHECK(hits[0] > 0 && hits[1] > 4 * hits[0] && near(hits[2], 1.67 * hits[1], 0.1));
    CHECK(hits[2] > 15000); /* several times what chance would have made of it */
    CHECK(read(texts[1]) == NULL);
    begin(1);
    for (unsigned i = 0; i < 3; i++)
        CHECK(near(count(PL_OP_WRITE, 100 + i, 100000), 5000, 0.15));
    asks.interest = NULL;
}

/* With nothing left to be shown, direction is no reason to disturb less. */
static void dull_programs_are_disturbed_by_chance(void)
{
    asks.interest = interest_of_pc;
    CHECK(read("direct=all,random=0,probability=5,quiet=0") == NULL);
    means.news = 0.0001;
    begin(1);
    CHECK(run.dull && near(count(PL_OP_WRITE, 100, 100000), 5000, 0.15));
    CHECK(count(PL_OP_WRITE, 102, 100000) > 15000);
    CHECK(run.asked > run.news && run.news > 15000);
    means.news = 0.1;
    begin(1);
    CHECK(!run.dull && count(PL_OP_WRITE, 100, 100000) < 2000);
    means.news = -1;
    begin(1);
    CHECK(!run.dull);
    means = (struct pl_disturb_means){.news = -1};
    asks.interest = NULL;
}

/* Others must get somewhere while a thread waits in order to show something. */
static void what_is_new_is_shown_longer(void)
{
    uint64_t ns[3] = {0};
    struct pl_disturbance what;

    asks.interest = interest_of_pc;
    CHECK(read("direct=m3,random=0,probability=50,length=100us,distribution=fixed,quiet=0") ==
          NULL);
    begin(1);
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k < 1000; k++)
            ns[i] = event(PL_OP_WRITE, 100 + i, true, &what) ? what.ns : ns[i];
    }
    CHECK(ns[0] == 100000 && ns[1] == 400000 && ns[2] == 400000);
    asks.interest = NULL;
}

static void hushed_threads_are_quiet_for_a_while(void)
{
    unsigned quiet = 0;

    CHECK(read("probability=50,quiet=0") == NULL);
    for (uint64_t n = 1; n <= 100; n++) {
        begin(n);
        pl_disturb_hush(&run, &thread);
        CHECK(count(PL_OP_WRITE, 100, 4) == 0);
        quiet += count(PL_OP_WRITE, 100, 100) == 0;
        CHECK(count(PL_OP_WRITE, 100, 10000) > 1000);
    }
    CHECK(quiet > 30);
}

int main(void)
{
    draws_have_their_distributions();
    parameters_are_read();
    nonsense_is_refused();
    a_probability_is_kept();
    gaps_are_random();
    what_is_new_counts_for_more();
    own_variables_count_for_little();
    short_programs_are_hit();
    some_executions_are_quiet();
    threads_and_stretches_are_quiet();
    intensity_differs();
    decisions_repeat();
    lengths_keep_to_the_cap();
    lengths_span_microseconds_to_milliseconds();
    mixtures_have_everything();
    runs_fit_what_they_may_cost();
    beginnings_get_attention();
    places_are_kept_to();
    direction_prefers_what_is_new();
    what_is_new_is_shown_longer();
    dull_programs_are_disturbed_by_chance();
    hushed_threads_are_quiet_for_a_while();
    return unit_result();
}
