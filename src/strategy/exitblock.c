/* SPDX-License-Identifier: MIT */
/*
 * ExitBlock (Bruening 1999): all orders of the blocks that lock exits cut a program into.
 *
 * Where every shared variable has a lock, it is enough to switch threads where a
 * lock is given up (strategy/cuts.h).  The search is a tree.  A node is a
 * state between two blocks; at a node every thread is one of
 *
 *   enabled   it may be chosen,
 *   delayed   it has been chosen here, or further up, and what followed has been
 *             seen: it must not be the next, unless the order matters,
 *   blocked   it has been tried and failed to take a lock: the attempt
 *             was undone, so that no thread ever waits for a lock,
 *   waiting   for anything else, or dead: it is not listed.
 *
 * Blocks that touch something in common put a delayed thread, or a blocked one, back among
 * the enabled.  Without `rw` every block does that to all who are delayed.  Where nobody is
 * enabled a path ends.
 *
 * Corrections to the thesis, by the letters of docs/design/exitblock.md: delayed threads are a set
 * (A); attempts that failed keep what they touched (B); locks count as
 * touched (C); choices within a block belong to it (D); blocks end whoever is enabled
 * (E); chains of locks go through what was held (F); no branch without anybody
 * to begin it (G).
 *
 * An execution goes from the root to the end of a path.  The next one repeats it as
 * far as the last node where somebody else is enabled.  All that the search knows of a
 * state is on a stack, or can be undone, so that an execution that is resumed in the
 * middle needs nothing that came before.
 *
 * The search is not divided between workers: one explores, the others wait.
 */
#include "base/hash.h"
#include "strategy/cuts.h"
#include "strategy/parameters.h"
#include "strategy/table.h"
#include "strategy/view.h"

enum { PREDICTED = 8 };
enum order { OLDEST, NEWEST, RANDOM };
enum status { ENABLED, DELAYED, BLOCKED };

/* How the execution came to its end. */
enum ending {
    RUNNING, /* it has not, or the program has ended */
    ABORTED, /* an attempt failed */
    LEAF,    /* the path has been counted */
};

/* A thread at a node. */
struct entry {
    uint64_t lock, pc, name; /* the lock that its first operation takes, if that fails */
    uint32_t set;            /* delayed, blocked: what it touched */
    pl_tid tid;
    uint8_t status; /* enum status */
    uint8_t op;     /* enum pl_op_kind of the first operation */
    bool fails;     /* that cannot be performed: it takes a lock that somebody has */
    bool unlikely;  /* that would be a time-out: others go first */
};

struct node {
    pl_tid current;     /* who goes on */
    bool automatic;     /* with something that nobody can tell: no node of the tree */
    bool shows;         /* threads that cannot get anywhere are to show it */
    bool done;          /* some outcome of the block that is being explored did not fail */
    uint32_t decisions; /* choices before it */
    uint32_t before;    /* the node before */
    uint32_t entries, n_entries;
    uint32_t vector;   /* choices within blocks before it */
    uint32_t sets;     /* those that belong to it end here */
    uint32_t set;      /* what its block touched; 0: not known yet */
    uint32_t gathered; /* what it touched with other outcomes */
    struct pl_chain_mark chain;
};

/* A choice within a block: the order-th of the ways to go on. */
struct outcome {
    uint32_t decisions;
    uint16_t order, options;
};

struct state {
    bool rw, dd;
    enum order order;
    bool open;    /* an execution has begun and has not been ended */
    bool turning; /* the next one is being planned: it is half done */
    bool gone;    /* the program does not repeat itself */
    bool between; /* the block is over, and the next has not begun */
    bool ended;   /* the block ends here */
    bool shown;   /* the execution came to a deadlock by itself */
    enum ending ending;
    uint32_t plan, plan_outcomes; /* nodes and outcomes to repeat */
    uint32_t at, outcome_at;      /* how many of them have been */
    uint32_t last;                /* the node whose block it is */
    uint32_t decisions;
    unsigned n_predicted; /* deadlocks to be told of as soon as there is an execution */
    struct pl_cycle predicted[PREDICTED];
    struct pl_paths paths;
    struct pl_cuts cuts;
    struct node *nodes;
    struct entry *entries;
    struct outcome *outcomes;
    uint32_t n_nodes, nodes_max, n_entries, entries_max, n_outcomes, outcomes_max;
    bool full;
    uint8_t seen[PL_THREADS_MAX]; /* threads that are listed at the node that is being made */
};

static struct state *state_of(const struct pl_strategy_context *c)
{
    return (struct state *)c->arena;
}

/* ---- counting ---- */

static void count_path(struct state *s, uint64_t *kind, bool failed)
{
    if (failed && s->cuts.java)
        return; /* the thesis does not count paths that end in a failed attempt */
    (*kind)++;
    s->paths.total++;
}

static void tell(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);

    for (unsigned i = 0; i < s->n_predicted; i++) {
        if (c->predict != NULL)
            c->predict(&s->predicted[i]);
    }
    s->n_predicted = 0;
}

/* An attempt failed: does that show a deadlock? */
static void count_abort(struct state *s, const struct pl_operation *failed)
{
    struct pl_cycle *cycle = &s->predicted[s->n_predicted];

    s->paths.aborts++;
    if (!s->dd || !pl_chain_closes(&s->cuts.chain, failed, cycle))
        return;
    s->paths.reports++;
    if (s->n_predicted < PREDICTED - 1)
        s->n_predicted++;
}

/* ---- the stack ---- */

static void clear(struct state *s)
{
    s->open = s->turning = s->gone = false;
    s->n_predicted = 0;
    s->paths = (struct pl_paths){.known = true};
    pl_blocks_drop(&s->cuts.blocks, 1);
    pl_chain_back(&s->cuts.chain, (struct pl_chain_mark){1, 0});
    s->n_nodes = s->plan = 1;
    s->n_entries = s->n_outcomes = s->plan_outcomes = 0;
    s->nodes[0] =
        (struct node){.current = PL_TID_NONE, .sets = 1, .chain = pl_chain_mark(&s->cuts.chain)};
}

/* Go back to node i, before anything was done there; what it knows stays. */
static void go_back(struct state *s, uint32_t i)
{
    const struct node *n = &s->nodes[i];

    s->n_nodes = i + 1;
    s->n_entries = n->entries + n->n_entries;
    pl_chain_back(&s->cuts.chain, n->chain);
    pl_blocks_drop(&s->cuts.blocks, n->sets);
}

static const char *start(struct pl_strategy_context *c)
{
    static const char *const keys[] = {"mode", "cuts", "order"};
    static const char *const modes[] = {"rwdd", "plain", "rw", "dd"};
    static const char *const cuts[] = {"pthreads", "java"};
    static const char *const orders[] = {"oldest", "newest", "random"};
    const char *parameters = c->settings->parameters;
    struct state *s = state_of(c);
    unsigned mode = 0, java = 0, order = 0;
    uint64_t part = ((c->arena_size - sizeof(*s)) / 8) & ~UINT64_C(63);
    unsigned char *memory = c->arena + ((sizeof(*s) + 63) & ~UINT64_C(63));

    if (!pl_parameters_known(parameters, keys, 3, true) ||
        !pl_parameter_word(parameters, keys[0], true, modes, 4, &mode) ||
        !pl_parameter_word(parameters, keys[1], false, cuts, 2, &java) ||
        !pl_parameter_word(parameters, keys[2], false, orders, 3, &order))
        return "exitblock takes one of plain, rw, dd, rwdd, then cuts=java and "
               "order=oldest, newest or random: exitblock:dd,order=newest.";
    s->rw = mode == 0 || mode == 2;
    s->dd = mode == 0 || mode == 3;
    s->cuts.java = java == 1;
    s->order = (enum order)order;
    pl_blocks_start(&s->cuts.blocks, memory, 3 * part);
    memory += 3 * part;
    pl_chain_start(&s->cuts.chain, memory, part);
    memory += part;
    s->nodes = (struct node *)memory;
    s->nodes_max = (uint32_t)(part / sizeof(struct node));
    memory += part;
    s->entries = (struct entry *)memory;
    s->entries_max = (uint32_t)(part / sizeof(struct entry));
    memory += part;
    s->outcomes = (struct outcome *)memory;
    s->outcomes_max = (uint32_t)(part / sizeof(struct outcome));
    clear(s);
    return NULL;
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = state_of(c);

    if (s->turning)
        clear(s); /* somebody died while it was being planned */
    go_back(s, s->plan - 1);
    s->n_outcomes = s->plan_outcomes;
    s->at = 1;
    s->outcome_at = 0;
    s->last = 0;
    s->decisions = 0;
    s->gone = s->between = false;
    s->ended = true;
    s->cuts.again = s->cuts.exits = false;
    s->ending = RUNNING;
    if (s->plan == 1)
        pl_cuts_open(&s->cuts, PL_TID_NONE);
    PL_STORE(s->open, true);
}

static void stray(struct pl_strategy_context *c)
{
    c->divergence->happened = true;
    state_of(c)->gone = true;
}

/* ---- choosing at a node ---- */

static bool is_candidate(const struct entry *e, bool unlikely)
{
    return e->status == ENABLED && e->unlikely == unlikely;
}

/* The n-th of the candidates. */
static struct entry *candidate(struct state *s, const struct node *n, bool unlikely, unsigned nth)
{
    for (uint32_t i = 0; i < n->n_entries; i++) {
        struct entry *e = &s->entries[n->entries + i];

        if (is_candidate(e, unlikely) && nth-- == 0)
            return e;
    }
    return NULL;
}

/* Who is to be chosen; NULL when nobody is enabled. */
static struct entry *pick(struct state *s, const struct node *n, pl_tid before)
{
    unsigned counts[2] = {0, 0};

    for (uint32_t i = 0; i < n->n_entries; i++) {
        struct entry *e = &s->entries[n->entries + i];

        if (is_candidate(e, false) && e->tid == before)
            return e;
        counts[0] += is_candidate(e, false);
        counts[1] += is_candidate(e, true);
    }
    bool unlikely = counts[0] == 0;
    unsigned all = counts[unlikely], nth = 0;

    if (s->order == NEWEST && all > 0)
        nth = all - 1;
    else if (s->order == RANDOM && all > 0)
        nth = (unsigned)(pl_hash_add(s->paths.total * 64 + all, s->n_nodes) % all);
    return candidate(s, n, unlikely, nth);
}

/* Threads whose first operation fails have been tried without an execution. */
static void fail_at_once(struct state *s, struct node *n, struct entry *e)
{
    struct pl_operation op = {
        .kind = e->op, .tid = e->tid, .addr = e->lock, .pc = e->pc, .name = e->name};

    e->status = BLOCKED;
    pl_cuts_open(&s->cuts, e->tid);
    pl_cuts_fail(&s->cuts, &op);
    e->set = pl_cuts_close(&s->cuts, false);
    n->sets = s->cuts.blocks.n_sets;
    count_abort(s, &op);
}

/* Choose at the node, whose state is the present one; NULL when nobody is left. */
static struct entry *settle(struct state *s, struct node *n, pl_tid before, bool *failed)
{
    struct entry *e;

    while ((e = pick(s, n, before)) != NULL && e->fails) {
        fail_at_once(s, n, e);
        *failed = true;
    }
    if (e == NULL)
        return NULL;
    n->current = e->tid;
    n->set = n->gathered = 0;
    n->done = false;
    return e;
}

static bool is_any(const struct state *s, const struct node *n, enum status status)
{
    for (uint32_t i = 0; i < n->n_entries; i++) {
        if (s->entries[n->entries + i].status == status)
            return true;
    }
    return false;
}

/* ---- making a node ---- */

static struct entry *add_entry(struct state *s, struct node *n, const struct entry *from)
{
    struct entry *e = &s->entries[s->n_entries];

    *e = *from;
    n->n_entries++;
    s->n_entries++;
    s->seen[e->tid] = 1;
    return e;
}

/* What every thread that could be chosen would begin with. */
struct offer {
    const struct pl_operation *const *next;
    const struct pl_operation *const *blocked;
    unsigned n, n_blocked;
};

static const struct pl_operation *offered(const struct offer *o, pl_tid tid)
{
    for (unsigned i = 0; i < o->n; i++) {
        if (o->next[i]->tid == tid && o->next[i]->way != PL_WAY_BLOCKED)
            return o->next[i];
    }
    for (unsigned i = 0; i < o->n_blocked; i++) {
        const struct pl_operation *op = o->blocked[i];

        if (op->tid == tid && op->way == PL_WAY_BLOCKED && pl_chain_acquires(op))
            return op;
    }
    return NULL;
}

static void enable(struct state *s, struct node *n, const struct pl_operation *op)
{
    struct entry e = {.tid = op->tid,
                      .status = ENABLED,
                      .op = op->kind,
                      .fails = op->way == PL_WAY_BLOCKED,
                      .unlikely = op->way == PL_WAY_TIMEOUT || op->way == PL_WAY_SPURIOUS,
                      .lock = op->addr,
                      .pc = op->pc,
                      .name = op->name};

    add_entry(s, n, &e);
}

/* Whether the block of the node before gives the thread another chance. */
static bool is_released(const struct state *s, const struct entry *e, uint32_t set)
{
    if (e->status == DELAYED && !s->rw)
        return !pl_blocks_empty(&s->cuts.blocks, set);
    return pl_blocks_conflict(&s->cuts.blocks, e->set, set);
}

/* Those of one status at the node before; the others come later, in another order. */
static void inherit(struct state *s, struct node *n, const struct offer *o, enum status status)
{
    const struct node *before = &s->nodes[n->before];

    for (uint32_t i = 0; i < before->n_entries; i++) {
        const struct entry *e = &s->entries[before->entries + i];
        const struct pl_operation *op = offered(o, e->tid);

        if (e->status != status)
            continue;
        if (status == ENABLED || is_released(s, e, before->set)) {
            if (op != NULL)
                enable(s, n, op);
            s->seen[e->tid] = 1;
        } else {
            add_entry(s, n, e);
        }
    }
}

/* Threads that are new here, or do not wait any longer. */
static void add_others(struct state *s, struct node *n, const struct pl_operation *const *ops,
                       unsigned n_ops, const struct offer *o)
{
    for (unsigned i = 0; i < n_ops; i++) {
        if (s->seen[ops[i]->tid] == 0 && offered(o, ops[i]->tid) != NULL)
            enable(s, n, ops[i]);
    }
}

static void forget_seen(struct state *s, const struct node *n)
{
    const struct node *before = &s->nodes[n->before];

    for (uint32_t i = 0; i < before->n_entries; i++)
        s->seen[s->entries[before->entries + i].tid] = 0;
    for (uint32_t i = 0; i < n->n_entries; i++)
        s->seen[s->entries[n->entries + i].tid] = 0;
}

/* The state that has been reached, as a node behind the last one; NULL: no room. */
static struct node *push(struct state *s)
{
    if (s->n_nodes == s->nodes_max || s->n_entries + 2 * PL_THREADS_MAX > s->entries_max ||
        s->cuts.blocks.full || s->cuts.chain.full) {
        s->full = true;
        return NULL;
    }
    struct node *n = &s->nodes[s->n_nodes++];

    *n = (struct node){.current = PL_TID_NONE,
                       .decisions = s->decisions,
                       .before = s->last,
                       .entries = s->n_entries,
                       .vector = s->n_outcomes,
                       .sets = s->cuts.blocks.n_sets,
                       .chain = pl_chain_mark(&s->cuts.chain)};
    s->at = s->n_nodes;
    return n;
}

static struct node *make_node(struct state *s, const struct offer *o)
{
    struct node *n = push(s);

    if (n == NULL)
        return NULL;
    inherit(s, n, o, ENABLED);
    /* The thesis puts those who get another chance behind the others. */
    struct node *before = &s->nodes[n->before];

    for (unsigned pass = 0; pass < 2; pass++) {
        enum status status = pass == 0 ? DELAYED : BLOCKED;

        if (before->n_entries > 0)
            inherit(s, n, o, status);
    }
    add_others(s, n, o->next, o->n, o);
    add_others(s, n, o->blocked, o->n_blocked, o);
    forget_seen(s, n);
    return n;
}

/* ---- choosing ---- */

static int option_of(const struct pl_view *view, pl_tid tid)
{
    for (unsigned i = 0; i < view->options; i++) {
        if (view->next[i]->tid == tid)
            return (int)i;
    }
    return -1;
}

static unsigned take(struct pl_strategy_context *c, const struct pl_view *view, pl_tid tid)
{
    int option = option_of(view, tid);

    if (option >= 0)
        return (unsigned)option;
    stray(c);
    return pl_view_unwritten(view);
}

/* The node that has been chosen at: its block begins. */
static void begin_block(struct state *s, uint32_t i)
{
    const struct node *n = &s->nodes[i];

    if (n->automatic)
        return;
    s->last = i;
    s->between = s->ended = false;
    pl_cuts_open(&s->cuts, n->current);
}

/* On the part of the path that is repeated. */
static unsigned repeat(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = state_of(c);
    const struct node *n = &s->nodes[s->at];

    if (n->decisions == s->decisions) {
        if (++s->at == s->plan)
            begin_block(s, s->at - 1);
        return take(c, view, n->current);
    }
    if (view->running < 0)
        stray(c);
    return pl_view_unwritten(view);
}

static const struct pl_operation *blocked_operation(const struct offer *o, pl_tid tid)
{
    for (unsigned i = 0; i < o->n_blocked; i++) {
        if (o->blocked[i]->tid == tid && o->blocked[i]->way == PL_WAY_BLOCKED)
            return o->blocked[i];
    }
    return NULL;
}

static void close_block(struct state *s, bool ends)
{
    if (!s->between)
        s->nodes[s->last].set = pl_cuts_close(&s->cuts, ends);
    s->between = true;
}

/* The block cannot go on, because its thread fails to take a lock. */
static bool aborts(struct state *s, const struct offer *o)
{
    const struct node *n = &s->nodes[s->last];
    const struct pl_operation *op = s->between ? NULL : blocked_operation(o, n->current);

    if (op == NULL || s->ended || !pl_chain_acquires(op))
        return false;
    pl_cuts_fail(&s->cuts, op);
    count_abort(s, op);
    close_block(s, false);
    s->ending = ABORTED;
    return true;
}

/* Somebody else can do what nobody can tell: it is done at once, and is no node. */
static int automatic(const struct state *s, const struct pl_view *view)
{
    if (view->options + view->n_blocked == 1)
        return -1; /* nobody will be asked before it does more */
    for (unsigned i = 0; i < view->options; i++) {
        if (view->next[i]->tid != s->nodes[s->last].current && pl_cuts_silent(view->next[i]))
            return (int)i;
    }
    return -1;
}

/* Nobody is enabled at the node: the path ends.  Whether that is because nobody can go on. */
static bool end_path(struct state *s, const struct node *n, bool failed)
{
    if (is_any(s, n, DELAYED)) {
        count_path(s, &s->paths.cut, failed);
        return false;
    }
    count_path(s, &s->paths.stuck, failed);
    s->paths.reports += s->dd;
    return true;
}

/* A new node, or the end of the path. */
static unsigned branch(struct pl_strategy_context *c, const struct pl_view *view,
                       const struct offer *o)
{
    struct state *s = state_of(c);
    pl_tid before = s->nodes[s->last].current;
    struct node *n = make_node(s, o);
    bool failed = false;

    if (n == NULL) {
        s->gone = true;
        return pl_view_unwritten(view);
    }
    struct entry *e = settle(s, n, before != PL_TID_NONE ? before : view->at.tid, &failed);

    tell(c);
    if (e != NULL) {
        begin_block(s, s->n_nodes - 1);
        return take(c, view, e->tid);
    }
    s->ending = LEAF;
    s->last = s->n_nodes - 1;
    if (!end_path(s, n, failed))
        return PL_CHOOSE_CUT;
    n->shows = true;
    return pl_view_unwritten(view);
}

static unsigned choose_thread(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = state_of(c);
    struct offer o = {view->next, view->blocked, view->options, view->n_blocked};

    if (s->gone || s->nodes[s->last].shows)
        return pl_view_unwritten(view);
    if (s->at < s->plan)
        return repeat(c, view);
    const struct node *n = &s->nodes[s->last];

    if (!s->ended && !s->between && view->running >= 0 &&
        view->next[view->running]->tid == n->current)
        return (unsigned)view->running;
    if (aborts(s, &o)) {
        tell(c);
        return PL_CHOOSE_ABORT;
    }
    close_block(s, false);
    int option = automatic(s, view);

    if (option < 0)
        return branch(c, view, &o);
    struct node *a = push(s);

    if (a != NULL) {
        a->automatic = true;
        a->current = view->next[option]->tid;
    }
    return (unsigned)option;
}

/* A choice within a block. */
static unsigned choose_outcome(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = state_of(c);

    if (s->gone || s->nodes[s->last].shows || view->options < 2)
        return pl_view_unwritten(view);
    if (s->outcome_at < s->n_outcomes) {
        const struct outcome *o = &s->outcomes[s->outcome_at++];

        if (o->decisions == s->decisions && o->options == view->options)
            return pl_view_option(view, o->order);
        stray(c);
        return pl_view_unwritten(view);
    }
    if (s->n_outcomes == s->outcomes_max) {
        s->full = s->gone = true;
        return pl_view_unwritten(view);
    }
    s->outcomes[s->n_outcomes++] = (struct outcome){s->decisions, 0, (uint16_t)view->options};
    s->outcome_at = s->n_outcomes;
    return pl_view_default(view);
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = state_of(c);
    unsigned taken;

    tell(c);
    taken = view->kind == PL_CHOICE_THREAD ? choose_thread(c, view) : choose_outcome(c, view);
    s->decisions++;
    return taken;
}

/* ---- observing ---- */

static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct state *s = state_of(c);

    if (s->gone || s->at < s->plan || s->nodes[s->last].shows || pl_cuts_silent(op))
        return;
    if (s->between) { /* a spinning thread, which was not chosen */
        if (op->effect != PL_EFFECT_NONE)
            stray(c);
        return;
    }
    if (pl_cuts_perform(&s->cuts, op))
        s->ended = true;
    if (!s->cuts.again)
        return;
    c->divergence->again = true;
    c->divergence->exits = s->cuts.exits;
}

/*
 * The execution ends.  If that is because nobody can go on, the block may have failed to
 * take a lock, or all others may.
 */
static void last(struct pl_strategy_context *c, const struct pl_operation *const *next, unsigned n)
{
    struct state *s = state_of(c);
    struct offer o = {next, next, 0, n};
    bool failed = false;

    if (s->gone || s->at < s->plan || s->nodes[s->last].shows || s->ending != RUNNING)
        return;
    if (aborts(s, &o)) {
        tell(c);
        return;
    }
    if (!c->stuck)
        return;
    close_block(s, false);
    struct node *node = make_node(s, &o);

    if (node == NULL)
        return;
    settle(s, node, s->nodes[s->last].current, &failed);
    tell(c);
    end_path(s, node, failed);
    node->shows = true;
    s->ending = LEAF;
    s->last = s->n_nodes - 1;
}

/* ---- the next execution ---- */

static struct entry *entry_of(struct state *s, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_entries; i++) {
        if (s->entries[n->entries + i].tid == n->current)
            return &s->entries[n->entries + i];
    }
    return NULL;
}

static void plan(struct state *s, uint32_t i)
{
    s->plan = i + 1;
    s->plan_outcomes = s->n_outcomes;
}

/*
 * Whether the block has another outcome: then it is the next.  What it touched so
 * far goes with what it is going to touch.
 */
static bool next_outcome(struct state *s, struct node *n)
{
    while (s->n_outcomes > n->vector &&
           s->outcomes[s->n_outcomes - 1].order + 1u >= s->outcomes[s->n_outcomes - 1].options)
        s->n_outcomes--;
    if (s->n_outcomes == n->vector)
        return false;
    s->outcomes[s->n_outcomes - 1].order++;
    return true;
}

/* The set of the block that has just been explored belongs to the node. */
static void gather(struct state *s, struct node *n)
{
    if (n->set == 0)
        return;
    s->cuts.blocks.n_sets = n->set + 1;
    s->cuts.blocks.n_cells = s->cuts.blocks.sets[n->set].first + s->cuts.blocks.sets[n->set].n;
    if (n->gathered != 0)
        pl_blocks_merge(&s->cuts.blocks, n->gathered);
    else
        n->gathered = n->set;
    n->set = 0;
    n->sets = s->cuts.blocks.n_sets;
}

/*
 * Go back to node i, of which one block has been explored or has failed.  True when there is
 * another execution that goes there.
 */
static bool turn_at(struct state *s, uint32_t i, bool failed)
{
    struct node *n = &s->nodes[i];

    gather(s, n);
    go_back(s, i);
    n->done |= !failed;
    if (next_outcome(s, n)) {
        plan(s, i);
        return true;
    }
    struct entry *e = entry_of(s, n);

    if (e == NULL || n->shows || (!failed && pl_blocks_empty(&s->cuts.blocks, n->gathered)))
        return false; /* nobody could tell whether others went first */
    e->status = n->done ? DELAYED : BLOCKED;
    e->set = n->gathered;
    if (settle(s, n, PL_TID_NONE, &failed) != NULL) {
        plan(s, i);
        return true;
    }
    if (!failed || !end_path(s, n, true) || s->shown)
        return false;
    n->shows = true; /* a deadlock: to be seen once more, without undoing anything */
    plan(s, i);
    return true;
}

static bool turn(struct state *s)
{
    bool failed = s->ending == ABORTED;

    for (uint32_t i = s->n_nodes; i-- > 0;) {
        if (s->nodes[i].automatic)
            continue;
        if (turn_at(s, i, failed && i == s->last))
            return true;
    }
    return false;
}

/* The program did not repeat itself: give up what was planned. */
static bool give_up(struct state *s)
{
    uint32_t i = s->plan - 1;

    s->n_nodes = s->plan;
    s->n_outcomes = s->plan_outcomes;
    s->nodes[i].set = 0;
    s->ending = RUNNING;
    return turn(s);
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct state *s = state_of(c);
    bool more;

    if (s->turning || again) {
        clear(s);
        return true;
    }
    if (outcome == PL_OUTCOME_LOST || !s->open)
        return true;
    PL_STORE(s->turning, true);
    if (s->full || s->cuts.full || s->cuts.blocks.full || s->cuts.chain.full)
        c->divergence->happened = true;
    if (s->at < s->plan)
        stray(c);
    if (s->gone) {
        more = give_up(s);
    } else {
        s->shown = outcome == PL_OUTCOME_FINDING;
        if (s->ending == RUNNING && !s->nodes[s->last].shows) {
            close_block(s, true);
            count_path(s, &s->paths.finished, false);
        }
        more = turn(s);
    }
    if (c->coverage != NULL)
        c->coverage->paths = s->paths;
    PL_STORE(s->open, false);
    PL_STORE(s->turning, false);
    return more;
}

static void adopt(struct pl_strategy_context *c, const unsigned char *part, uint64_t size)
{
    clear(state_of(c));
}

static uint64_t repeats(const struct pl_strategy_context *c)
{
    const struct state *s = state_of(c);

    return s->nodes[s->plan - 1].decisions;
}

static void resume(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = state_of(c);

    while (s->at + 1 < s->plan && s->nodes[s->at].decisions < n)
        s->at++;
    while (s->outcome_at < s->n_outcomes && s->outcomes[s->outcome_at].decisions < n)
        s->outcome_at++;
    s->decisions = (uint32_t)n;
}

const struct pl_strategy pl_exitblock = {
    .name = "exitblock",
    .start = start,
    .begin = begin,
    .choose = choose,
    .observe = observe,
    .last = last,
    .end = end,
    .repeats = repeats,
    .resume = resume,
    .adopt = adopt,
    .exhaustive = true,
    .always = true,
};
