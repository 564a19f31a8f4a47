/* SPDX-License-Identifier: MIT */
/*
 * ExitBlock (Bruening 1999): all orders of the blocks that lock exits cut a program into.
 *
 * Where every shared variable has a lock, it is enough to switch threads where a
 * lock is given up (strategy/exitblock/cuts.h).  Which orders of blocks there are, and which of
 * them need not be tried, is a tree (strategy/exitblock/tree.h).  An execution goes from its root
 * to the end of a path; the next one repeats it as far as the last node where somebody else is
 * enabled, and lets that one go first.
 *
 * A thread that would have to wait for a lock has made an attempt that failed: the execution ends,
 * and the next one goes back to the beginning of its block, where others may be tried.  Nobody
 * comes to a deadlock that way, but many are seen to be possible (strategy/exitblock/chain.h).
 * Where the path ends because nobody can go on, they are let go as far as they get, so that the
 * deadlock is seen.
 *
 * All that the search knows of a state is on a stack, or can be undone, so that an execution that
 * is resumed in the middle needs nothing that came before.
 *
 * What is different from the thesis: docs/design/exitblock.md.  The search is not divided
 * between workers: one explores, the others wait.
 */
#include "strategy/exitblock/tree.h"
#include "strategy/shared/parameters.h"
#include "strategy/shared/table.h"
#include "strategy/shared/view.h"

/* How the execution came to its end. */
enum ending {
    RUNNING, /* it has not, or the program has ended */
    FAILED,  /* an attempt did */
    LEAF,    /* the path has been counted */
};

struct state {
    bool open;    /* an execution has begun and has not been ended */
    bool turning; /* the next one is being planned: it is half done */
    bool gone;    /* the program does not repeat itself, or nobody cares */
    bool telling; /* the search is over; this execution is there to tell of a deadlock */
    bool between; /* the block is over, and the next has not begun */
    bool ended;   /* the block ends here */
    enum ending ending;
    uint32_t at, outcome_at; /* how many nodes and outcomes of the path there have been */
    uint32_t last;           /* the node whose block it is */
    uint32_t decisions;
    struct pl_tree tree;
};

static struct state *state_of(const struct pl_strategy_context *c)
{
    return (struct state *)c->arena;
}

static struct pl_tree_node *node_of(struct state *s)
{
    PL_ASSERT(s->last < s->tree.n_nodes);
    return &s->tree.nodes[s->last];
}

static void clear(struct state *s)
{
    s->open = s->turning = s->gone = s->telling = false;
    pl_tree_clear(&s->tree);
}

static const char *start(struct pl_strategy_context *c)
{
    static const char *const keys[] = {"mode", "cuts", "order"};
    enum { RWDD, PLAIN, RW, DD, MODES };
    static const char *const modes[MODES] = {
        [RWDD] = "rwdd", [PLAIN] = "plain", [RW] = "rw", [DD] = "dd"};
    static const char *const cuts[] = {"pthreads", "java"};
    static const char *const orders[] = {"oldest", "newest", "random"};
    const char *parameters = c->settings->parameters;
    struct state *s = state_of(c);
    struct pl_arena arena = pl_arena_of(c->arena, c->arena_size);
    unsigned mode = RWDD, java = 0, order = 0;

    if (!pl_parameters_known(parameters, keys, 3, true) ||
        !pl_parameter_word(parameters, keys[0], true, modes, MODES, &mode) ||
        !pl_parameter_word(parameters, keys[1], false, cuts, 2, &java) ||
        !pl_parameter_word(parameters, keys[2], false, orders, 3, &order))
        return "exitblock takes one of plain, rw, dd, rwdd, then cuts=java and "
               "order=oldest, newest or random: exitblock:dd,order=newest.";
    s->tree.rw = mode == RWDD || mode == RW;
    s->tree.dd = mode == RWDD || mode == DD;
    s->tree.order = (enum pl_tree_order)order;
    s->tree.cuts.java = java == 1;
    if (PL_ARENA_TAKE(&arena, struct state, 1) == NULL)
        return "exitblock needs more memory than there is.";
    pl_tree_start(&s->tree, arena);
    clear(s);
    return NULL;
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = state_of(c);

    if (s->turning)
        clear(s); /* somebody died while it was being planned */
    PL_ASSERT(s->tree.plan > 0 && s->tree.plan <= s->tree.n_nodes);
    PL_ASSERT(s->tree.plan_outcomes <= s->tree.outcomes_max);
    pl_tree_return(&s->tree, s->tree.plan - 1);
    s->tree.n_outcomes = s->tree.plan_outcomes;
    s->tree.visible = false;
    s->tree.cuts.again = s->tree.cuts.exits = false;
    s->at = 1;
    s->outcome_at = s->last = s->decisions = 0;
    s->gone = s->telling;
    s->between = false;
    s->ended = true;
    s->ending = RUNNING;
    if (s->tree.plan == 1)
        pl_cuts_open(&s->tree.cuts, PL_TID_NONE);
    PL_STORE(s->open, true);
}

static void stray(struct pl_strategy_context *c, const struct pl_operation *at)
{
    pl_strategy_stray_at(
        c, "did not repeat another: a block ended elsewhere, or could not be executed", NULL, at);
    state_of(c)->gone = true;
}

/* Deadlocks that were seen to be possible. */
static void tell(struct pl_strategy_context *c)
{
    struct pl_tree *t = &state_of(c)->tree;

    for (unsigned i = 0; i < t->n_predicted; i++) {
        if (c->predict != NULL)
            c->predict(&t->predicted[i]);
    }
    t->n_predicted = 0;
}

/* ---- choosing ---- */

static unsigned take(struct pl_strategy_context *c, const struct pl_view *view, pl_tid tid)
{
    for (unsigned i = 0; i < view->options; i++) {
        if (view->next[i]->tid == tid)
            return i;
    }
    stray(c, &view->at);
    return pl_view_unwritten(view);
}

/* At the last node somebody has been chosen: the block begins. */
static void begin_block(struct state *s)
{
    PL_ASSERT(s->at == s->tree.n_nodes); /* nothing of the path is left to repeat */
    s->last = s->tree.n_nodes - 1;
    s->between = s->ended = false;
    pl_cuts_open(&s->tree.cuts, node_of(s)->current);
}

static void close_block(struct state *s, bool ends)
{
    if (s->between)
        return;
    node_of(s)->set = pl_cuts_close(&s->tree.cuts, ends);
    s->tree.visible |= s->tree.cuts.blocks.sets[node_of(s)->set].visible;
    s->between = true;
}

/* On the part of the path that is repeated. */
static unsigned repeat(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = state_of(c);
    const struct pl_tree_node *n = &s->tree.nodes[s->at];

    PL_ASSERT(s->at > 0 && s->at < s->tree.plan && s->tree.n_nodes == s->tree.plan);
    if (n->decisions == s->decisions) {
        if (++s->at == s->tree.plan)
            begin_block(s);
        return take(c, view, n->current);
    }
    if (view->running < 0)
        stray(c, &view->at);
    return pl_view_unwritten(view);
}

/* The block cannot go on, because its thread fails to take a lock. */
static bool fails(struct state *s, const struct pl_tree_offer *o)
{
    const struct pl_tree_node *n = node_of(s);

    for (unsigned i = 0; i < o->n_blocked && !s->between && !s->ended; i++) {
        const struct pl_operation *op = o->blocked[i];

        if (op->tid != n->current || op->way != PL_WAY_BLOCKED || !pl_chain_acquires(op))
            continue;
        pl_tree_fail(&s->tree, n, op);
        pl_cuts_fail(&s->tree.cuts, op);
        close_block(s, false);
        s->ending = FAILED;
        return true;
    }
    return false;
}

/* Somebody else can do what nobody can tell: it is done at once, and is no node. */
static int automatic(struct state *s, const struct pl_view *view)
{
    if (s->tree.loud || view->options + view->n_blocked == 1)
        return -1; /* nobody will be asked before it does more */
    for (unsigned i = 0; i < view->options; i++) {
        if (view->next[i]->tid != node_of(s)->current && pl_cuts_silent(view->next[i]))
            return (int)i;
    }
    return -1;
}

/* There was no room for a node: the rest is of no use. */
static unsigned give_in(struct pl_strategy_context *c, const struct pl_view *view)
{
    state_of(c)->gone = true;
    return pl_view_unwritten(view);
}

/* A new node, or the end of the path. */
static unsigned branch(struct pl_strategy_context *c, const struct pl_view *view,
                       const struct pl_tree_offer *o)
{
    struct state *s = state_of(c);
    pl_tid first = node_of(s)->current != PL_TID_NONE ? node_of(s)->current : view->at.tid;
    bool failed = false;

    s->tree.risk = c->risk;
    s->tree.held_back = c->held_back;
    struct pl_tree_node *n = pl_tree_grow(&s->tree, s->last, s->decisions, o);

    s->tree.risk = NULL;
    s->at = s->tree.n_nodes;
    if (n == NULL)
        return give_in(c, view);
    bool found = pl_tree_settle(&s->tree, n, first, &failed);

    tell(c);
    begin_block(s);
    if (found)
        return take(c, view, n->current);
    s->ending = LEAF;
    if (!pl_tree_end_path(&s->tree, n, failed))
        return PL_CHOOSE_CUT;
    n->shows = true;
    return pl_view_unwritten(view);
}

static unsigned choose_thread(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = state_of(c);
    struct pl_tree_offer o = {view->next, view->blocked, view->options, view->n_blocked};

    if (s->gone || node_of(s)->shows)
        return pl_view_unwritten(view);
    if (s->at < s->tree.plan)
        return repeat(c, view);
    if (!s->ended && !s->between && view->running >= 0 &&
        view->next[view->running]->tid == node_of(s)->current)
        return (unsigned)view->running;
    if (fails(s, &o)) {
        tell(c);
        return PL_CHOOSE_ABORT;
    }
    close_block(s, false);
    int option = automatic(s, view);

    if (option < 0)
        return branch(c, view, &o);
    struct pl_tree_node *n = pl_tree_push(&s->tree, s->last, s->decisions);

    if (n == NULL)
        return give_in(c, view);
    n->automatic = true;
    n->current = view->next[option]->tid;
    s->at = s->tree.n_nodes;
    return (unsigned)option;
}

/* A choice within a block. */
static unsigned choose_outcome(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = state_of(c);
    struct pl_tree *t = &s->tree;

    if (s->gone || node_of(s)->shows || view->options < 2)
        return pl_view_unwritten(view);
    if (s->outcome_at < t->n_outcomes) {
        const struct pl_tree_outcome *o = &t->outcomes[s->outcome_at++];

        if (o->decisions == s->decisions && o->options == view->options)
            return pl_view_option(view, o->order);
        stray(c, &view->at);
        return pl_view_unwritten(view);
    }
    if (t->n_outcomes == t->outcomes_max) {
        t->full = true;
        return give_in(c, view);
    }
    t->outcomes[t->n_outcomes++] =
        (struct pl_tree_outcome){s->decisions, 0, (uint16_t)view->options};
    s->outcome_at = t->n_outcomes;
    return pl_view_option(view, 0);
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    unsigned taken;

    tell(c);
    taken = view->kind == PL_CHOICE_THREAD ? choose_thread(c, view) : choose_outcome(c, view);
    state_of(c)->decisions++;
    return taken;
}

/* ---- observing ---- */

static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct state *s = state_of(c);
    struct pl_cuts *k = &s->tree.cuts;

    if (s->gone || s->at < s->tree.plan || node_of(s)->shows)
        return;
    /* Blocks end at lock exits only: not where that would come before, or after, anything else. */
    if (pl_cuts_interrupted(op))
        pl_strategy_stray_at(c, "interrupts a block by a signal or a cancellation, use -s dpor",
                             NULL, op);
    if (pl_cuts_silent(op)) {
        if (op->private && !s->between)
            pl_cuts_suspect(k, op);
        pl_cuts_note(k, op);
        return;
    }
    if (s->between) { /* a spinning thread, which was not chosen */
        if (op->effect != PL_EFFECT_NONE)
            stray(c, op);
        return;
    }
    if (pl_cuts_perform(k, op))
        s->ended = true;
    if (!k->again)
        return;
    c->divergence->again = true;
    c->divergence->exits = k->exits;
}

/*
 * The execution ends.  If that is because nobody can go on, the block may have failed to take a
 * lock, and all others may fail with what they begin with.
 */
static void last(struct pl_strategy_context *c, const struct pl_operation *const *next, unsigned n)
{
    struct state *s = state_of(c);
    struct pl_tree_offer o = {next, next, 0, n};
    bool failed = false;

    if (s->gone || s->at < s->tree.plan || node_of(s)->shows || s->ending != RUNNING)
        return;
    if (!fails(s, &o) && c->stuck) {
        close_block(s, false);
        s->tree.held_back = c->held_back;
        struct pl_tree_node *leaf = pl_tree_grow(&s->tree, s->last, s->decisions, &o);

        if (leaf == NULL)
            return;
        pl_tree_settle(&s->tree, leaf, node_of(s)->current, &failed);
        leaf->shows = pl_tree_end_path(&s->tree, leaf, failed);
        s->last = s->tree.n_nodes - 1;
        s->ending = LEAF;
    }
    tell(c);
}

/* ---- the next execution ---- */

/* The program did not repeat itself: give up what was planned. */
static bool give_up(struct state *s)
{
    s->tree.n_nodes = s->tree.plan;
    s->tree.n_outcomes = s->tree.plan_outcomes;
    s->tree.nodes[s->tree.plan - 1].set = 0;
    return pl_tree_turn(&s->tree, 0, false);
}

/* The execution is over.  Whether another follows. */
static bool conclude(struct pl_strategy_context *c, enum pl_outcome outcome)
{
    struct state *s = state_of(c);

    if (s->at < s->tree.plan)
        stray(c, NULL);
    if (s->gone)
        return give_up(s);
    if (s->ending == RUNNING && !node_of(s)->shows) {
        close_block(s, true);
        pl_tree_count(&s->tree, &s->tree.paths.finished, false);
    }
    return pl_tree_turn(&s->tree, s->ending == FAILED ? s->last : 0, outcome == PL_OUTCOME_FINDING);
}

/*
 * What was seen after the last execution can be told of in an execution only: one more, which is
 * no path.
 */
static bool has_to_tell(struct state *s)
{
    if (s->telling || s->tree.n_predicted == 0)
        return s->telling = false;
    s->tree.plan = 1;
    s->tree.plan_outcomes = 0;
    return s->telling = true;
}

/*
 * Whether the search has to start over.  Something may have been found behind an operation that
 * nobody can tell, before the thread came to its next one: then others might have found something
 * else before.
 */
static bool knows_better(struct pl_strategy_context *c, enum pl_outcome outcome)
{
    struct state *s = state_of(c);
    struct pl_tree *t = &s->tree;
    bool loud = outcome == PL_OUTCOME_FINDING && !c->stuck && s->between && !t->loud &&
                t->nodes[t->n_nodes - 1].automatic;

    t->loud |= loud;
    return pl_cuts_judge(&t->cuts) || loud;
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct state *s = state_of(c);
    struct pl_tree *t = &s->tree;

    if (s->turning || again) {
        clear(s);
        return true;
    }
    if (outcome == PL_OUTCOME_LOST || !s->open)
        return true;
    if (s->ending == RUNNING && !s->gone && knows_better(c, outcome)) {
        clear(s);
        return true;
    }
    PL_STORE(s->turning, true);
    if (t->full || t->cuts.full || t->cuts.blocks.full || t->cuts.chain.full ||
        t->cuts.discipline.full)
        pl_strategy_stray(c, "left more to explore than can be remembered");
    bool more = (!s->telling && conclude(c, outcome)) || has_to_tell(s);

    t->paths.atomic_pc = t->cuts.atomic_pc;
    t->paths.outside_pc = t->cuts.discipline.outside.pc;
    t->paths.beside_pc = t->cuts.discipline.outside.other_pc;
    t->paths.outside_addr = t->cuts.discipline.outside.addr;
    if (c->coverage != NULL)
        c->coverage->paths = t->paths;
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
    const struct pl_tree *t = &state_of(c)->tree;

    return t->nodes[t->plan - 1].decisions;
}

static void resume(struct pl_strategy_context *c, uint64_t n, uint64_t place)
{
    struct state *s = state_of(c);
    const struct pl_tree *t = &s->tree;

    while (s->at + 1 < t->plan && t->nodes[s->at].decisions < n)
        s->at++;
    while (s->outcome_at < t->n_outcomes && t->outcomes[s->outcome_at].decisions < n)
        s->outcome_at++;
    PL_ASSERT(s->at <= t->plan && s->outcome_at <= t->n_outcomes);
    s->decisions = (uint32_t)n;
}

static const struct pl_strategy_resumes resumes = {.repeats = repeats, .resume = resume};
static const struct pl_strategy_search search = {.adopt = adopt};

const struct pl_strategy pl_exitblock = {
    .name = "exitblock",
    .traits = PL_TRAITS_OF_exitblock,
    .start = start,
    .begin = begin,
    .choose = choose,
    .observe = observe,
    .last = last,
    .end = end,
    .resumes = &resumes,
    .search = &search,
};
