/* SPDX-License-Identifier: MIT */
/*
 * Value schedules (Chen: Guided Testing of Concurrent Programs Using Value Schedules, 2009).
 *
 * A static analysis has listed all pairs of statements that may conflict.  Threads are switched
 * only before a statement that is in a pair, so that its partner comes first; every switch has
 * that intention, and is given up as soon as it cannot come true: because of a branch that was
 * taken, because another object is accessed, or because somebody waits.
 *
 * First each pair is tried with one switch (values_first.c), then all orders, depth first
 * (values_path.c).  Where the rules of the thesis do not say enough to leave nothing out, this is
 * noted, and when all is done dpor makes one execution of each class: a second round.
 * docs/design/value-schedules.md says where, and why the first round is exact otherwise.
 */
#include "base/arena.h"
#include "base/text.h"
#include "strategy/shared/parameters.h"
#include "strategy/shared/table.h"
#include "strategy/shared/view.h"
#include "strategy/values/values_search.h"

enum { PAGE = 4096, ROUND_OF_DPOR = 1, ORDERS = 4096, ASKED = 1 << 20 };

/* ---- parameters ---- */

static const char refusal[] =
    "values takes priority=no, reachability=no, order=newest and interest=FILE:LINE: write "
    "values:interest=queue.c:40, or leave them out.";

/* interest=FILE:LINE */
static bool read_interest(struct pl_values *s, const char *text)
{
    const char *end = NULL;
    size_t n, colon = 0;

    s->interest[0] = '\0';
    s->interest_line = 0;
    text = pl_parameter_text(text, "interest", &end);
    if (text == NULL)
        return true;
    n = (size_t)(end - text);
    for (size_t i = 0; i < n; i++) {
        if (text[i] == ':')
            colon = i;
    }
    if (colon == 0 || colon + 1 == n || colon >= sizeof(s->interest))
        return false;
    for (size_t i = 0; i < colon; i++)
        s->interest[i] = text[i];
    s->interest[colon] = '\0';
    for (size_t i = colon + 1; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        s->interest_line = s->interest_line * 10 + (uint32_t)(text[i] - '0');
    }
    return true;
}

static bool read_parameters(struct pl_values *s, const char *text)
{
    static const char *const keys[] = {"priority", "reachability", "order", "interest"};
    static const char *const answers[] = {"yes", "no"};
    static const char *const orders[] = {"oldest", "newest"};
    unsigned priority = 0, reachability = 0, order = 0;

    if (!pl_parameters_known(text, keys, 4, false) ||
        !pl_parameter_word(text, keys[0], false, answers, 2, &priority) ||
        !pl_parameter_word(text, keys[1], false, answers, 2, &reachability) ||
        !pl_parameter_word(text, keys[2], false, orders, 2, &order) || !read_interest(s, text))
        return false;
    s->priority = priority == 0;
    s->reachability = reachability == 0;
    s->newest = order == 1;
    return true;
}

/* ---- memory ---- */

static void lay_out(struct pl_strategy_context *c)
{
    struct pl_values *s = pl_values_of(c);
    struct pl_arena arena = pl_arena_of(c->arena, c->arena_size);
    uint64_t part = (c->arena_size / 16) & ~(uint64_t)(PAGE - 1);

    PL_ARENA_TAKE(&arena, struct pl_values, 1);
    pl_arena_align(&arena, PAGE);
    pl_past_start(&s->past, pl_arena_take(&arena, 2, part), 2 * part);
    s->frames_max = (uint32_t)(2 * part / sizeof(struct pl_values_frame));
    s->frames = PL_ARENA_TAKE(&arena, struct pl_values_frame, s->frames_max);
    s->sleepers_max = (uint32_t)(part / sizeof(struct pl_values_sleeper));
    s->sleepers = PL_ARENA_TAKE(&arena, struct pl_values_sleeper, s->sleepers_max);
    s->candidates_max = (uint32_t)(part / 2 / sizeof(struct pl_values_candidate));
    s->candidates = PL_ARENA_TAKE(&arena, struct pl_values_candidate, s->candidates_max);
    s->nodes_max = (uint32_t)(part / 2 / sizeof(struct pl_values_node));
    s->nodes = PL_ARENA_TAKE(&arena, struct pl_values_node, s->nodes_max);
    s->events_max = (uint32_t)(part / sizeof(struct pl_values_event));
    s->events = PL_ARENA_TAKE(&arena, struct pl_values_event, s->events_max);
    s->orders_max = ORDERS;
    s->orders = PL_ARENA_TAKE(&arena, struct pl_values_order, s->orders_max);
    s->asked_max = (uint32_t)(part / 2 / sizeof(uint32_t));
    s->asked = PL_ARENA_TAKE(&arena, uint32_t, s->asked_max);
    PL_ASSERT(s->asked != NULL);
    pl_arena_align(&arena, PAGE);
    s->search.arena = arena.at;
    s->search.arena_size = arena.left;
}

/* The search below sees what we see, with memory of its own. */
static struct pl_strategy_context *below(struct pl_strategy_context *c)
{
    struct pl_values *s = pl_values_of(c);
    unsigned char *arena = s->search.arena;
    uint64_t size = s->search.arena_size;

    s->search = *c;
    s->search.settings = &s->settings;
    s->search.arena = arena;
    s->search.arena_size = size;
    return &s->search;
}

static void enter(struct pl_strategy_context *c, uint64_t round)
{
    struct pl_values *s = pl_values_of(c);

    s->round = round;
    s->left_out = false;
    pl_values_clear(s);
    s->n_events = s->was_events = 0;
    for (uint32_t i = 0; i < PL_VALUES_SLOTS; i++)
        s->latest[i] = 0;
    pl_values_apart_forget(s);
    s->phase = s->priority ? PL_VALUES_FIRST : PL_VALUES_NORMAL;
    s->n_asked = s->n_dpor = 0;
    if (round < ROUND_OF_DPOR)
        return;
    s->phase = PL_VALUES_DPOR;
    pl_dpor.search->adopt(below(c), NULL, 0);
}

static const char *start(struct pl_strategy_context *c)
{
    struct pl_values *s = pl_values_of(c);

    if (!read_parameters(s, c->settings->parameters))
        return refusal;
    lay_out(c);
    s->settings = *c->settings;
    s->settings.parameters[0] = '\0';
    const char *bad = pl_dpor.start(below(c));

    enter(c, 0);
    return bad;
}

/* ---- an execution ---- */

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct pl_values *s = pl_values_of(c);

    if (s->turning) {
        c->divergence->happened = true; /* somebody died, and plans with it */
        enter(c, s->round);
    }
    if (c->pairs == NULL && s->phase != PL_VALUES_DPOR)
        enter(c, ROUND_OF_DPOR);
    if (c->pairs != NULL &&
        (c->pairs->lacks & (PL_PAIR_CUT | PL_PAIR_PARTLY | PL_PAIR_BY_PLACE)) != 0 &&
        s->phase != PL_VALUES_DPOR)
        s->left_out = true;
    s->execution = n;
    s->n_asked = 0;
    s->fulfilled = 0;
    pl_values_judge_begin(s);
    if (s->phase == PL_VALUES_DPOR) {
        s->was_dpor = s->n_dpor;
        s->n_dpor = 0;
        pl_dpor.begin(below(c), n);
    } else if (s->phase == PL_VALUES_FIRST) {
        pl_values_first_begin(c);
    } else {
        pl_values_path_begin(c);
    }
    PL_STORE(s->open, true);
}

/* dpor is not asked where there is nothing to choose. */
static unsigned choose_below(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = pl_values_of(c);

    s->n_asked++;
    if (view->options < 2)
        return 0;
    if (s->n_dpor < s->asked_max)
        s->asked[s->n_dpor] = s->n_asked - 1;
    s->n_dpor++;
    unsigned taken = pl_dpor.choose(below(c), view);

    c->impossible = s->search.impossible;
    return taken;
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = pl_values_of(c);

    if (s->phase == PL_VALUES_DPOR)
        return choose_below(c, view);
    unsigned taken = s->phase == PL_VALUES_FIRST ? pl_values_first_choose(c, view)
                                                 : pl_values_path_choose(c, view);

    if (view->kind != PL_CHOICE_THREAD)
        pl_values_apart_chosen(s, taken);
    return taken;
}

/* The site of what is being performed. */
static uint32_t site_of(const struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct pl_values_stack at;

    if (c->pairs == NULL)
        return PL_PAIR_NONE;
    pl_values_where(c, op, &at);
    return pl_pair_site_at(c->pairs, at.pcs, at.n);
}

static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct pl_values *s = pl_values_of(c);

    pl_values_apart_step(s, op);
    if (s->phase == PL_VALUES_NORMAL) {
        pl_values_path_observe(c, op);
        return;
    }
    uint32_t site = site_of(c, op);

    if (c->pairs != NULL)
        pl_values_judge_seen(c, op, site, s->phase == PL_VALUES_DPOR ? s->n_asked : 0);
    if (s->phase == PL_VALUES_FIRST) {
        pl_values_first_observe(c, op, site);
        return;
    }
    pl_dpor.observe(below(c), op);
    c->impossible = s->search.impossible;
}

/* How often loops that wait go round is dpor's business. */
static bool idle(struct pl_strategy_context *c, const struct pl_operation *op, uint32_t from)
{
    struct pl_values *s = pl_values_of(c);

    if (s->phase == PL_VALUES_DPOR)
        return pl_dpor.idle(below(c), op, from);
    if (s->phase == PL_VALUES_NORMAL)
        s->left_out = true;
    return false;
}

static void last(struct pl_strategy_context *c, const struct pl_operation *const *next, unsigned n)
{
    struct pl_values *s = pl_values_of(c);

    if (s->phase == PL_VALUES_DPOR)
        pl_dpor.last(below(c), next, n);
    else if (s->phase == PL_VALUES_NORMAL)
        pl_values_path_last(c, next, n);
}

/* ---- the next execution ---- */

static bool conclude(struct pl_strategy_context *c, enum pl_outcome outcome)
{
    struct pl_values *s = pl_values_of(c);

    pl_values_judge_end(c, outcome);
    if (s->phase == PL_VALUES_FIRST) {
        if (!pl_values_first_end(c))
            s->phase = PL_VALUES_NORMAL;
        return true;
    }
    if (outcome == PL_OUTCOME_SLOW)
        s->left_out = true;
    return pl_values_path_end(c);
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct pl_values *s = pl_values_of(c);

    if (s->phase == PL_VALUES_DPOR)
        return pl_dpor.end(below(c), outcome, again);
    if (again || s->turning) {
        enter(c, s->round);
        return true;
    }
    if (outcome == PL_OUTCOME_LOST || !s->open)
        return true; /* the same execution once more */
    PL_STORE(s->turning, true);
    bool more = conclude(c, outcome);

    PL_STORE(s->open, false);
    PL_STORE(s->turning, false);
    return more;
}

/* ---- the search as a whole ---- */

static uint64_t repeats(const struct pl_strategy_context *c)
{
    const struct pl_values *s = pl_values_of(c);

    if (s->phase == PL_VALUES_FIRST)
        return 0;
    if (s->phase == PL_VALUES_NORMAL)
        return s->n > 0 && !s->adopted ? s->n - 1 : 0;
    uint64_t n = pl_dpor.resumes->repeats(&s->search);

    return n < s->n_dpor && n < s->asked_max ? s->asked[n] : 0;
}

static uint64_t place(const struct pl_strategy_context *c)
{
    return pl_dpor.resumes->place(&pl_values_of(c)->search);
}

static uint64_t departs(const struct pl_strategy_context *c)
{
    const struct pl_values *s = pl_values_of(c);

    return s->phase == PL_VALUES_DPOR ? pl_dpor.resumes->departs(&s->search) : UINT64_MAX;
}

static void resume(struct pl_strategy_context *c, uint64_t n, uint64_t at)
{
    struct pl_values *s = pl_values_of(c);

    pl_values_judge_resume(s, (uint32_t)n);
    if (s->phase == PL_VALUES_NORMAL) {
        pl_values_path_resume(c, n);
        return;
    }
    if (s->phase == PL_VALUES_FIRST)
        return;
    while (s->n_dpor < s->was_dpor && s->n_dpor < s->asked_max && s->asked[s->n_dpor] < n)
        s->n_dpor++;
    s->n_asked = (uint32_t)n;
    pl_dpor.resumes->resume(below(c), s->n_dpor, at);
}

static void adopt(struct pl_strategy_context *c, const unsigned char *part, uint64_t size)
{
    struct pl_values *s = pl_values_of(c);

    enter(c, c->round);
    if (size == 0)
        return;
    s->phase = PL_VALUES_NORMAL;
    pl_values_path_adopt(c, part, size);
}

static uint64_t split(struct pl_strategy_context *c, unsigned char *part, uint64_t size)
{
    return pl_values_of(c)->phase == PL_VALUES_NORMAL ? pl_values_path_split(c, part, size) : 0;
}

static bool sample(const struct pl_strategy_context *c)
{
    return pl_values_of(c)->phase == PL_VALUES_FIRST;
}

static bool left_out(const struct pl_strategy_context *c)
{
    return pl_values_of(c)->left_out && pl_values_of(c)->phase != PL_VALUES_DPOR;
}

static bool pruned(const struct pl_strategy_context *c)
{
    return pl_values_of(c)->interest[0] != '\0' && pl_values_of(c)->phase != PL_VALUES_DPOR;
}

static uint64_t last_round(const struct pl_strategy_context *c)
{
    return pl_values_of(c)->interest[0] != '\0' ? 0 : ROUND_OF_DPOR;
}

static const struct pl_strategy_resumes resumes = {
    .repeats = repeats, .place = place, .departs = departs, .resume = resume};
static const struct pl_strategy_search search = {.adopt = adopt};
static const struct pl_strategy_divides divides = {.split = split, .cut = pl_values_path_cut};
/* A round says nothing about those before it: there is no bound to tell. */
static const struct pl_strategy_rounds rounds = {
    .left_out = left_out, .last = last_round, .bounds = ""};

const struct pl_strategy pl_values = {
    .name = "values",
    .traits = PL_TRAITS_OF_values,
    .start = start,
    .begin = begin,
    .choose = choose,
    .observe = observe,
    .idle = idle,
    .last = last,
    .end = end,
    .resumes = &resumes,
    .search = &search,
    .divides = &divides,
    .rounds = &rounds,
    .pruned = pruned,
    .sample = sample,
};
