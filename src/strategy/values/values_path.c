/* SPDX-License-Identifier: MIT */
/*
 * values: the search, depth first over the states of the program.
 *
 * In a state somebody goes on.  If what he does can conflict with what others may still come to do,
 * these are candidates, too: they are tried after him, in the hope that a conflicting operation
 * comes first.  Meanwhile he is frozen: what he was about to do sleeps until it does.  So a sleeper
 * is an intention, and an execution in which a sleeper can never be woken would end as one that has
 * been made: it is given up at once.  As everybody who sleeps has to be woken before he goes on,
 * no two executions that come to their ends are of the same class.
 *
 * A frame is a choice.  It has the sleepers that its state was entered with and those that were
 * explored in it.  Lists of frames lie one behind the other, so that going back is to forget.
 */
#include "model/depend.h"
#include "strategy/shared/view.h"
#include "strategy/values/values_search.h"

void pl_values_clear(struct pl_values *s)
{
    pl_past_clear(&s->past);
    s->n = s->depth = 0;
    s->n_nodes = 1;
    s->free_node = 0;
    s->open = s->turning = s->adopted = false;
    s->n_orders = s->at_order = s->points = 0;
    s->first_made = false;
}

static struct pl_values *state_of(const struct pl_strategy_context *c)
{
    return pl_values_of(c);
}

unsigned pl_values_stray(struct pl_strategy_context *c, const struct pl_view *view)
{
    pl_strategy_stray_at(c, "did not repeat another: threads are elsewhere than they were", NULL,
                         &view->at);
    state_of(c)->gone = true;
    return pl_view_unwritten(view);
}

/* ---- lists ---- */

static uint32_t new_node(struct pl_values *s)
{
    uint32_t node = s->free_node;

    if (node != 0) {
        s->free_node = s->nodes[node].next;
        return node;
    }
    return s->n_nodes < s->nodes_max ? s->n_nodes++ : 0;
}

static void free_nodes(struct pl_values *s, uint32_t node)
{
    while (node != 0) {
        uint32_t next = s->nodes[node].next;

        s->nodes[node].next = s->free_node;
        s->free_node = node;
        node = next;
    }
}

/* What was taken in the frame has been explored. */
static bool finish(struct pl_values *s, struct pl_values_frame *f)
{
    uint32_t node = f->record != 0 ? new_node(s) : 0;

    if (node == 0)
        return false;
    s->nodes[node].of = (struct pl_values_sleeper){.record = f->record,
                                                   .site = f->site,
                                                   .tid = s->past.records[f->record].op.tid,
                                                   .witness = PL_VALUES_NOBODY};
    s->nodes[node].next = f->done;
    f->done = node;
    return true;
}

/* The state that is next has those who sleep in this one, and what was explored here. */
static void hand_down(struct pl_values *s, const struct pl_values_frame *f)
{
    uint32_t from = f->sleep, n = f->n_sleep;

    s->w = from + n;
    s->n_w = 0;
    for (uint32_t i = 0; i < n && s->w + s->n_w < s->sleepers_max; i++)
        s->sleepers[s->w + s->n_w++] = s->sleepers[from + i];
    if (f->kind != PL_CHOICE_THREAD)
        return;
    for (uint32_t node = f->done; node != 0 && s->w + s->n_w < s->sleepers_max;
         node = s->nodes[node].next)
        s->sleepers[s->w + s->n_w++] = s->nodes[node].of;
}

static bool has_room(const struct pl_values *s, unsigned options)
{
    return s->depth < s->frames_max && !s->past.full &&
           s->w + 2 * s->n_w + options + 64 < s->sleepers_max;
}

/* ---- sleepers ---- */

/* Whether the thread sleeps: every outcome of what it is about to do has been explored. */
static bool is_asleep(const struct pl_values *s, const struct pl_operation *op)
{
    bool asleep = false;

    for (uint32_t i = 0; i < s->n_w; i++) {
        const struct pl_values_sleeper *z = &s->sleepers[s->w + i];

        if (z->tid != op->tid)
            continue;
        if ((z->flags & PL_VALUES_PARTIAL) != 0)
            return false;
        asleep = true;
    }
    return asleep;
}

/* Outcomes of what the thread is about to do that sleep although others do not. */
static uint64_t sleeping_outcomes(const struct pl_values *s, const struct pl_operation *op)
{
    uint64_t skip = 0;

    for (uint32_t i = 0; i < s->n_w; i++) {
        const struct pl_values_sleeper *z = &s->sleepers[s->w + i];
        const struct pl_past_record *r = pl_values_record(s, z);

        if (z->tid == op->tid && r->outcome[0] != 0 && r->outcome[0] <= 64 && r->outcome[1] == 0)
            skip |= UINT64_C(1) << (r->outcome[0] - 1);
    }
    return skip;
}

/* An operation is performed: who depends on it wakes. */
static void wake(struct pl_strategy_context *c, const struct pl_past_record *r, uint32_t site)
{
    struct pl_values *s = state_of(c);
    struct pl_values_sleeper *w = &s->sleepers[s->w];
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->n_w; i++) {
        bool wakes = pl_past_depend(&s->past, pl_values_record(s, &w[i]), r);

        if (wakes && w[i].tid != r->op.tid) {
            pl_values_judge_woken(c, &w[i], &r->op, site);
            for (uint32_t j = 0; j < s->n_w; j++) {
                if (w[j].tid == w[i].tid)
                    w[j].flags |= PL_VALUES_PARTIAL;
            }
        }
    }
    for (uint32_t i = 0; i < s->n_w; i++) {
        if (!pl_past_depend(&s->past, pl_values_record(s, &w[i]), r))
            w[n++] = w[i];
    }
    s->n_w = n;
}

/* Somebody who may wake the sleeper; PL_VALUES_NOBODY if there is none. */
static pl_tid find_witness(const struct pl_strategy_context *c, const struct pl_view *view,
                           const struct pl_values_sleeper *z)
{
    const struct pl_values *s = state_of(c);
    const struct pl_operation *trigger = &pl_values_record(s, z)->op;
    unsigned all = view->options + view->n_blocked;

    for (unsigned i = 0; i < all; i++) {
        const struct pl_operation *op =
            i < view->options ? view->next[i] : view->blocked[i - view->options];

        if (op->tid == z->tid)
            continue;
        if (!pl_values_is_known(trigger, z->site))
            return op->tid;
        if (pl_values_is_free(trigger))
            return PL_VALUES_NOBODY;
        if (pl_values_meets(c, op, trigger, z->site))
            return op->tid;
    }
    return PL_VALUES_NOBODY;
}

/* Whether somebody sleeps whom nobody can wake. */
static bool is_doomed(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = state_of(c);
    bool doomed = false;

    for (uint32_t i = 0; i < s->n_w && s->reachability; i++) {
        struct pl_values_sleeper *z = &s->sleepers[s->w + i];

        if (z->witness != PL_VALUES_NOBODY && z->witness != s->moved &&
            s->moved != PL_VALUES_EVERYBODY)
            continue;
        z->witness = find_witness(c, view, z);
        doomed = doomed || z->witness == PL_VALUES_NOBODY;
    }
    s->moved = PL_VALUES_NOBODY;
    return doomed;
}

/* ---- a state that is new ---- */

static bool is_early(const struct pl_view *view, unsigned i)
{
    return view->next[i]->early;
}

/* Who is tried first; -1: all sleep. */
static int first_of(const struct pl_values *s, const struct pl_view *view)
{
    int early = -1;

    if (view->running >= 0 && !is_early(view, (unsigned)view->running) &&
        !is_asleep(s, view->next[view->running]))
        return view->running;
    for (unsigned i = 0; i < view->options; i++) {
        unsigned option = s->newest ? view->options - 1 - i : i;

        if (is_asleep(s, view->next[option]))
            continue;
        if (!is_early(view, option))
            return (int)option;
        if (early < 0)
            early = (int)option;
    }
    return early;
}

/* Somebody with whom nobody can conflict needs no other candidates. */
static int find_undisturbed(const struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = state_of(c);

    for (unsigned i = 0; i < view->options; i++) {
        if (!is_early(view, i) && !is_asleep(s, view->next[i]) &&
            pl_values_closure(c, view, i, s->in[1]) == 1)
            return (int)i;
    }
    return -1;
}

static void add_candidate(struct pl_values *s, struct pl_values_frame *f,
                          const struct pl_operation *op)
{
    if (f->candidates + f->end < s->candidates_max)
        s->candidates[f->candidates + f->end++] = (struct pl_values_candidate){.name = op->name};
    else
        s->left_out = true;
}

/* What the rules do not cover: a later round sees to it. */
static void note_limits(struct pl_strategy_context *c, const struct pl_view *view,
                        const struct pl_operation *op, uint32_t site)
{
    struct pl_values *s = state_of(c);

    if (c->withheld || (view->options + view->n_blocked > 1 && !pl_values_is_known(op, site)))
        s->left_out = true;
}

/* Fill in the candidates; the option that is taken first. */
static unsigned find_candidates(struct pl_strategy_context *c, const struct pl_view *view,
                                struct pl_values_frame *f, unsigned first)
{
    struct pl_values *s = state_of(c);
    const bool *in = s->in[0];
    bool several = !pl_depend_nothing(view->next[first]) && view->options > 1 &&
                   pl_values_closure(c, view, first, s->in[0]) > 1;
    int alone = several ? find_undisturbed(c, view) : -1;

    if (alone >= 0) {
        first = (unsigned)alone;
        several = false;
    }
    add_candidate(s, f, view->next[first]);
    if (!several)
        return first;
    for (unsigned i = 0; i < view->options; i++) {
        unsigned option = s->newest ? view->options - 1 - i : i;

        if (option != first && in[option] && !is_asleep(s, view->next[option]))
            add_candidate(s, f, view->next[option]);
    }
    return first;
}

/* An option that nobody can observe. */
static int unobservable(const struct pl_view *view)
{
    for (unsigned i = 0; i < view->options; i++) {
        if (pl_depend_nothing(view->next[i]) && !view->next[i]->early)
            return (int)i;
    }
    return -1;
}

/* Somebody is to perform his operation. */
static void take(struct pl_strategy_context *c, const struct pl_view *view,
                 struct pl_values_frame *f, unsigned option)
{
    struct pl_values *s = state_of(c);
    const struct pl_operation *op = view->next[option];

    f->site = pl_values_site(c, op);
    f->record = 0;
    s->skip = sleeping_outcomes(s, op);
    s->owner = (uint32_t)(f - s->frames) + 1;
    s->n_outcomes = 0;
    s->outcome[0] = s->outcome[1] = 0;
    note_limits(c, view, op, f->site);
    hand_down(s, f);
}

static struct pl_values_frame *new_frame(struct pl_values *s, const struct pl_view *view)
{
    struct pl_values_frame *f = &s->frames[s->depth], *before = f - 1;

    *f = (struct pl_values_frame){
        .kind = view->kind,
        .options = (uint16_t)view->options,
        .sleep = s->w,
        .n_sleep = s->n_w,
        .candidates =
            s->depth > 0 ? before->candidates + (before->kind == PL_CHOICE_THREAD ? before->end : 0)
                         : 0,
        .created = s->created,
        .joined = s->joined,
        .roots = s->roots,
        .history = s->history,
        .era = s->era,
    };
    return f;
}

/* The frame stays on the path. */
static void keep(struct pl_values *s)
{
    s->depth++;
    PL_STORE(s->n, s->depth);
}

static unsigned give_in(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = state_of(c);

    s->left_out = s->gone = true;
    return pl_view_unwritten(view);
}

static unsigned branch(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = state_of(c);
    int automatic = unobservable(view), first = automatic;

    if (!has_room(s, view->options))
        return give_in(c, view);
    if (s->n_intentions > 0)
        pl_values_judge_step(c, view);
    if (s->n_w > 0 && is_doomed(c, view))
        return PL_CHOOSE_ABORT;
    if (first < 0)
        first = first_of(s, view);
    if (first < 0) {
        pl_values_judge_blocked(c, view);
        return PL_CHOOSE_ABORT;
    }
    struct pl_values_frame *f = new_frame(s, view);
    unsigned option = find_candidates(c, view, f, (unsigned)first);

    keep(s);
    take(c, view, f, option);
    return option;
}

/* ---- a state that is repeated ---- */

/* For an execution that is resumed here. */
static void note_counts(const struct pl_values *s, struct pl_values_frame *f)
{
    f->created = s->created;
    f->joined = s->joined;
    f->roots = s->roots;
    f->history = s->history;
    f->era = s->era;
}

static unsigned repeat(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = state_of(c);
    struct pl_values_frame *f = &s->frames[s->depth];
    const struct pl_values_candidate *want = &s->candidates[f->candidates + f->order];
    unsigned option = 0;

    if (f->kind != PL_CHOICE_THREAD || f->order >= f->end)
        return pl_values_stray(c, view);
    while (option < view->options && view->next[option]->name != want->name)
        option++;
    if (option == view->options)
        return pl_values_stray(c, view);
    note_counts(s, f);
    s->depth++;
    if (s->depth < s->n)
        return option;
    /* The last one takes a way that is new. */
    s->live = true;
    s->w = f->sleep;
    s->n_w = f->n_sleep;
    take(c, view, f, option);
    s->moved = PL_VALUES_NOBODY;
    if (f->done != 0)
        pl_values_judge_switch(c, view, &s->nodes[f->done].of);
    return option;
}

/* ---- choices within operations ---- */

static unsigned next_outcome(const struct pl_values_frame *f, unsigned order)
{
    while (order < f->options && order < 64 && (f->skip >> order & 1) != 0)
        order++;
    return order;
}

static void note_outcome(struct pl_values *s, unsigned taken)
{
    if (s->n_outcomes < PL_PAST_OUTCOMES)
        s->outcome[s->n_outcomes] = (uint16_t)(taken + 1);
    else
        s->left_out = true;
    s->n_outcomes++;
}

/* What was chosen after the operation was performed belongs to it. */
static void settle(struct pl_values *s)
{
    struct pl_values_frame *f = s->owner != 0 ? &s->frames[s->owner - 1] : NULL;

    if (f == NULL || f->record == 0)
        return;
    struct pl_past_record r = s->past.records[f->record];

    for (unsigned i = 0; i < PL_PAST_OUTCOMES; i++)
        r.outcome[i] = s->outcome[i];
    f->record = pl_past_record(&s->past, &r);
}

/* The last choice of the path takes an outcome that is new. */
static void go_live(struct pl_values *s, const struct pl_view *view,
                    const struct pl_values_frame *f)
{
    s->live = true;
    s->w = f->sleep;
    s->n_w = f->n_sleep;
    /* The operation may not have been performed yet. */
    if ((view->kind == PL_CHOICE_WAY || view->kind == PL_CHOICE_WEAK_CAS) && s->owner != 0)
        s->frames[s->owner - 1].record = 0;
}

static unsigned choose_outcome(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = state_of(c);
    struct pl_values_frame *f = &s->frames[s->depth];
    bool repeated = s->depth < s->n;

    if (repeated && (f->kind != view->kind || f->options != view->options))
        return pl_values_stray(c, view);
    if (!repeated) {
        if (!has_room(s, view->options))
            return give_in(c, view);
        f = new_frame(s, view);
        f->skip = s->n_outcomes == 0 ? s->skip : 0;
        f->end = (uint16_t)view->options;
        f->order = (uint16_t)next_outcome(f, 0);
        if (f->order >= f->end)
            f->order = 0; /* then it would sleep */
        keep(s);
    } else {
        note_counts(s, f);
        s->depth++;
        if (s->depth == s->n)
            go_live(s, view, f);
    }
    note_outcome(s, f->order);
    if (s->live)
        hand_down(s, f);
    settle(s);
    return f->order;
}

/* ---- an execution ---- */

void pl_values_path_begin(struct pl_strategy_context *c)
{
    struct pl_values *s = state_of(c);

    s->depth = 0;
    s->live = s->n == 0;
    s->gone = false;
    s->w = s->n_w = 0;
    s->owner = 0;
    s->n_outcomes = 0;
    s->moved = PL_VALUES_NOBODY;
    s->created = s->joined = 0;
    s->roots = 1;
    s->history = s->era = 0;
    s->last_site = PL_PAIR_NONE;
    s->fulfilled = 0;
    s->n_intentions = 0;
}

unsigned pl_values_path_choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = state_of(c);

    if (s->gone)
        return pl_view_unwritten(view);
    if (view->kind != PL_CHOICE_THREAD)
        return choose_outcome(c, view);
    if (s->depth < s->n) {
        unsigned option = repeat(c, view);

        if (!s->gone)
            s->owner = s->depth;
        s->n_outcomes = 0;
        s->outcome[0] = s->outcome[1] = 0;
        return option;
    }
    return branch(c, view);
}

static void note_threads(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct pl_values *s = state_of(c);

    if (pl_operation_is(op->kind, PL_ROLE_CREATES)) {
        uint32_t site = PL_PAIR_NONE;
        struct pl_values_stack at;

        s->created++;
        pl_values_where(c, op, &at);
        if (c->pairs != NULL)
            site = pl_pair_site_at(c->pairs, at.pcs, at.n);
        s->roots |= site != PL_PAIR_NONE ? pl_pair_sites(c->pairs)[site].creates : UINT64_MAX;
    }
    s->joined += pl_operation_is(op->kind, PL_ROLE_JOINS) && op->way == PL_WAY_NORMAL;
}

void pl_values_path_observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct pl_values *s = state_of(c);
    struct pl_values_frame *f = s->owner != 0 ? &s->frames[s->owner - 1] : NULL;
    uint32_t site = PL_PAIR_NONE;

    if (s->gone)
        return;
    note_threads(c, op);
    if (f != NULL && (!s->live || f->record == 0))
        site = f->site;
    if (c->pairs != NULL)
        pl_values_judge_seen(c, op, site, s->depth);
    if (!s->live) {
        /* Choices within it may still be changed. */
        return;
    }
    struct pl_past_record r = {.op = *op, .thread = pl_past_thread(&s->past, op), .known = true};

    for (unsigned i = 0; i < PL_PAST_OUTCOMES; i++)
        r.outcome[i] = i < s->n_outcomes ? s->outcome[i] : 0;
    if (f != NULL && f->record == 0)
        f->record = pl_past_record(&s->past, &r);
    s->moved = s->moved == PL_VALUES_NOBODY || s->moved == op->tid ? op->tid : PL_VALUES_EVERYBODY;
    s->last = *op;
    s->last_site = site;
    if (s->n_w > 0)
        wake(c, &r, site);
}

/*
 * The execution ends.  If the program ends while others could have done more, or might have been
 * done less before, that is a matter of when it ends, of which the rules say nothing.
 */
void pl_values_path_last(struct pl_strategy_context *c, const struct pl_operation *const *next,
                         unsigned n)
{
    struct pl_values *s = state_of(c);
    struct pl_values_frame *f = s->owner != 0 ? &s->frames[s->owner - 1] : NULL;
    unsigned others = 0;

    for (unsigned i = 0; i < n; i++)
        others += next[i]->tid != s->last.tid;
    if (!c->stuck && (others > 0 || s->created != s->joined))
        s->left_out = true;
    if (s->gone || !s->live || f == NULL || f->record == 0 || c->stuck)
        return;
    struct pl_past_record r = s->past.records[f->record];

    r.ends = true;
    f->record = pl_past_record(&s->past, &r);
}

/* The frame that the choice within an operation belongs to. */
static struct pl_values_frame *owner_of(struct pl_values *s, uint32_t i)
{
    while (i > 0 && s->frames[i].kind != PL_CHOICE_THREAD)
        i--;
    return &s->frames[i];
}

void pl_values_path_resume(struct pl_strategy_context *c, uint64_t n)
{
    struct pl_values *s = state_of(c);
    uint32_t at = (uint32_t)n;

    PL_ASSERT(n < s->n || n == 0);
    s->depth = (uint32_t)n;
    if (n == 0)
        return;
    s->created = s->frames[n].created;
    s->joined = s->frames[n].joined;
    s->roots = s->frames[n].roots;
    s->history = s->frames[n].history;
    s->era = s->frames[n].era;
    while (at > 0 && s->frames[at - 1].kind != PL_CHOICE_THREAD)
        at--;
    s->owner = at;
    for (uint32_t i = at; i < n; i++)
        note_outcome(s, s->frames[i].order);
}

bool pl_values_path_end(struct pl_strategy_context *c)
{
    struct pl_values *s = state_of(c);
    uint32_t n = s->gone ? s->n : s->depth;

    s->adopted = false;
    if (s->past.full) {
        c->divergence->happened = true;
        return false;
    }
    for (; n > 0; n--) {
        struct pl_values_frame *f = &s->frames[n - 1];
        bool thread = f->kind == PL_CHOICE_THREAD;
        unsigned next = thread ? f->order + 1u : next_outcome(f, f->order + 1u);

        if (next >= f->end) {
            free_nodes(s, f->done);
            f->done = 0;
            continue;
        }
        struct pl_values_frame *owner = owner_of(s, n - 1);

        if (owner->kind == PL_CHOICE_THREAD && !finish(s, owner))
            s->left_out = true;
        f->order = (uint16_t)next;
        break;
    }
    s->n = n;
    return n > 0;
}
