/* SPDX-License-Identifier: MIT */
/* See cover_campaign.h. */
#include "engine/coverage/cover_campaign.h"

#include "base/assert.h"
#include "engine/coverage/cover_file.h"
#include "engine/coverage/cover_holds.h"
#include "engine/coverage/cover_sets.h"
#include "engine/shared/clock.h"
#include "engine/symbols/code.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SAVE_MS = 5000, LOOK_MS = 20, PLATEAU_LEAST = 100 };
enum { LOOK_SHARE = 20 }; /* of the time at most one part in so many is spent on looking */

/* ---- names ---- */

static const struct pl_module *module_of(const struct pl_board *board, uint64_t address)
{
    for (unsigned i = 0; i < board->n_modules && i < PL_BOARD_MODULES; i++) {
        if (address >= board->modules[i].start && address < board->modules[i].end)
            return &board->modules[i];
    }
    return NULL;
}

static void hex_of(const struct pl_module *m, char to[2 * sizeof(m->build_id) + 1])
{
    to[0] = '\0';
    for (unsigned i = 0; i < m->build_id_size; i++)
        sprintf(to + 2 * i, "%02x", m->build_id[i]);
}

/* Source line and column, or the distance from the beginning of the code that it is in. */
static void place_of(struct pl_cover_campaign *c, uint64_t pc, char *to, size_t size)
{
    const struct pl_cover *cover = &c->session->common->cover;
    const struct pl_symbols_code *code = pl_symbols_code(c->symbols, pc);
    const struct pl_module *m = module_of(c->board, pc);
    uint64_t start = m != NULL ? m->base : 0;

    if (code->line != 0) {
        int n = snprintf(to, size, "%s:%u", code->file, code->line);

        if (code->column != 0 && n > 0 && (size_t)n < size)
            snprintf(to + n, size - (size_t)n, ":%u", code->column);
        return;
    }
    for (uint32_t i = 0; i < cover->n_ranges && cover->ranges[i].start < pc; i++) {
        if (pc <= cover->ranges[i].end)
            start = cover->ranges[i].start;
    }
    snprintf(to, size, "%s+0x%llx", code->function, (unsigned long long)(pc - start));
}

/* Code outside the table: named, but never counted. */
static uint32_t outside(struct pl_cover_campaign *c, uint64_t pc)
{
    const struct pl_symbols_code *code = pl_symbols_code(c->symbols, pc);

    return pl_covered_function(&c->set, code->object, code->function, "");
}

/* Where its function was called, and perhaps where that one was, and so on. */
static void name_callers(struct pl_cover_campaign *c, uint64_t caller, char *to, size_t size)
{
    const struct pl_cover *cover = &c->session->common->cover;
    const uint64_t *callers = &caller;
    unsigned n = 1;

    if ((caller & PL_COVER_DEEP) != 0) {
        callers = cover->contexts[caller % PL_COVER_CONTEXTS].callers;
        n = PL_COVER_CALLERS;
    }
    for (unsigned i = 0; i < n && callers[i] != 0; i++) {
        if (pl_symbols_code(c->symbols, callers[i])->plait)
            return; /* a new thread */
        size_t used = strlen(to);

        if (i > 0 && used < size)
            used += (size_t)snprintf(to + used, size - used, ", ");
        if (used < size)
            place_of(c, callers[i], to + used, size - used);
    }
}

/* Of functions that are known only what has been named before, unless it is to be added.
 * UINT32_MAX: it has not. */
static uint32_t find_statement(struct pl_cover_campaign *c, uint32_t number, bool add)
{
    const struct pl_cover *cover = &c->session->common->cover;
    const struct pl_cover_statement *s = &cover->statements[number];
    uint32_t function = pl_cover_function_of(cover, number);
    const struct pl_module *m = module_of(c->board, s->pc);
    char place[512], caller[512] = "", build[64] = "";
    PL_ASSERT(number < PL_COVER_STATEMENTS && c->statements != NULL);

    if (c->statements[number] != 0)
        return c->statements[number] - 1;
    if (!add && function == 0)
        return UINT32_MAX;
    place_of(c, s->pc, place, sizeof(place));
    name_callers(c, s->caller, caller, sizeof(caller));
    if (m != NULL)
        hex_of(m, build);
    struct pl_covered_statement named = {
        .function = function != 0 ? c->functions[function] : outside(c, s->pc),
        .place = place,
        .operation = (char *)pl_operation_text(pl_cover_kind_of(cover, number)),
        .caller = caller,
        .build = build,
        .pc = m != NULL ? s->pc - m->base : 0,
        .caller_pc = m != NULL && module_of(c->board, s->caller) == m ? s->caller - m->base : 0,
    };

    if (!add && !pl_covered_has_statement(&c->set, &named))
        return UINT32_MAX;
    uint32_t index = pl_covered_statement(&c->set, &named);

    PL_ASSERT(index < c->set.n_statements);
    c->statements[number] = index + 1;
    return index;
}

uint32_t pl_cover_campaign_statement(struct pl_cover_campaign *c, uint32_t number)
{
    return find_statement(c, number, true);
}

bool pl_cover_campaign_knows(struct pl_cover_campaign *c, uint32_t number)
{
    return find_statement(c, number, false) != UINT32_MAX;
}

/* ---- what earlier campaigns have covered ---- */

static void tell_functions(struct pl_cover_campaign *c, struct pl_cover *cover, uint32_t *numbers)
{
    for (uint32_t i = 1; i <= c->code.n; i++) {
        const struct pl_cover_code_function *f = &c->code.functions[i - 1];
        uint32_t index = pl_covered_function(&c->set, f->module, f->name, f->file);
        const struct pl_covered_function *known = &c->set.functions[index];

        c->functions[i] = index;
        numbers[index] = i;
        if (known->alone)
            pl_cover_mark(cover, i, PL_COVER_ALONE, 0);
        if (known->executed)
            pl_cover_mark(cover, i, PL_COVER_EXECUTED, 0);
        if (known->interrupted.execution != 0)
            pl_cover_mark(cover, i, PL_COVER_INTERRUPTED, 0);
        if (known->whole.execution != 0)
            pl_cover_mark(cover, i, PL_COVER_WHOLE, 0);
    }
}

static void tell_switches(struct pl_cover_campaign *c, struct pl_cover *cover,
                          const uint32_t *numbers)
{
    for (size_t i = 0; i < c->set.n_switches; i++) {
        uint32_t a = numbers[c->set.switches[i].a], b = numbers[c->set.switches[i].b];

        if (a != 0 && b != 0)
            pl_cover_switch(cover, a, b, 0);
    }
}

/* The module of that name and build, or NULL. */
static const struct pl_module *same_build(const struct pl_cover_campaign *c,
                                          const struct pl_covered_statement *s)
{
    char build[64];

    for (unsigned i = 0; i < c->board->n_modules && i < PL_BOARD_MODULES; i++) {
        hex_of(&c->board->modules[i], build);
        if (build[0] != '\0' && strcmp(build, s->build) == 0)
            return &c->board->modules[i];
    }
    return NULL;
}

/* The statement's number, if its code is where it was; else PL_COVER_NOTHING. */
static uint32_t number_of(struct pl_cover_campaign *c, struct pl_cover *cover, uint32_t index)
{
    const struct pl_covered_statement *s = &c->set.statements[index];
    const struct pl_module *m = s->pc != 0 ? same_build(c, s) : NULL;
    unsigned kind = pl_operation_find(s->operation);

    if (m == NULL || kind == PL_OP_KINDS || (s->caller[0] != '\0' && s->caller_pc == 0))
        return PL_COVER_NOTHING;
    uint32_t number = pl_cover_statement(cover, m->base + s->pc,
                                         s->caller_pc != 0 ? m->base + s->caller_pc : 0, kind);

    if (number != PL_COVER_NOTHING)
        c->statements[number] = index + 1;
    return number;
}

static void tell_pairs(struct pl_cover_campaign *c, struct pl_cover *cover)
{
    for (size_t i = 0; i < c->set.n_pairs; i++) {
        uint32_t a = number_of(c, cover, c->set.pairs[i].a);
        uint32_t b = number_of(c, cover, c->set.pairs[i].b);

        if (a != PL_COVER_NOTHING && b != PL_COVER_NOTHING)
            pl_cover_pair(cover, a, b, false, 0);
    }
}

/* The build of the function's code, in hex; empty: not known. */
static void build_of(const struct pl_cover_campaign *c, const char *module, char to[64])
{
    to[0] = '\0';
    for (unsigned i = 0; i < c->board->n_modules && i < PL_BOARD_MODULES; i++) {
        const char *slash = strrchr(c->board->modules[i].path, '/');
        const char *name = slash != NULL ? slash + 1 : c->board->modules[i].path;

        if (strcmp(name, module) == 0 || (i == 0 && name[0] == '\0'))
            hex_of(&c->board->modules[i], to);
        if (to[0] != '\0')
            return;
    }
}

/* What was known of another build is not known of this one. */
static void forget_searches(struct pl_cover_campaign *c)
{
    char build[64];

    for (size_t i = 0; i < c->set.n_functions; i++) {
        const struct pl_covered_function *f = &c->set.functions[i];

        if (f->searched == NULL)
            continue;
        build_of(c, f->module, build);
        if (strcmp(f->searched, build) != 0)
            pl_covered_searched(&c->set, (uint32_t)i, NULL);
    }
}

/* Every interleaving was executed, not only one of each class: what none has shown cannot be. */
static void note_search(struct pl_cover_campaign *c)
{
    const struct pl_cover *cover = &c->session->common->cover;
    char build[64];

    for (uint32_t i = 1; i <= c->code.n; i++) {
        build_of(c, c->set.functions[c->functions[i]].module, build);
        if ((cover->marks[i] & PL_COVER_EXECUTED) != 0 && build[0] != '\0' && cover->lost == 0)
            pl_covered_searched(&c->set, c->functions[i], build);
    }
}

static void make(struct pl_cover_campaign *c, const struct pl_slot *slot)
{
    struct pl_cover *cover = &slot->common->cover;

    PL_ASSERT(c->functions == NULL && c->symbols == NULL); /* once for a campaign */
    c->board = slot->board;
    c->symbols = pl_symbols_open(slot->board, slot->target->program.path);
    forget_searches(c);
    pl_cover_code_make(&c->code, slot->board, slot->target->program.path, cover);
    c->functions = pl_err_must(calloc(c->code.n + 1, sizeof(*c->functions)));
    c->statements = pl_err_must(calloc(PL_COVER_STATEMENTS, sizeof(*c->statements)));
    uint32_t *numbers = pl_err_must(calloc(c->set.n_functions + c->code.n + 1, sizeof(*numbers)));

    PL_ASSERT(c->code.n <= PL_COVER_FUNCTIONS);
    tell_functions(c, cover, numbers);
    tell_switches(c, cover, numbers);
    tell_pairs(c, cover);
    free(numbers);
}

void pl_cover_campaign_answer(struct pl_cover_campaign *c, struct pl_slot *slot)
{
    struct pl_cover *cover = &slot->common->cover;

    if (!c->on || slot->board->phase != PL_PHASE_COVER ||
        slot->board->cover_status != PL_ANSWER_PENDING)
        return;
    uint64_t modules = pl_code_modules(slot->board);

    if (cover->modules == 0) {
        make(c, slot);
        cover->modules = modules;
    }
    if (cover->modules == modules)
        pl_cover_sets_tell(c);
    /* A worker that has its code elsewhere cannot use the same numbers. */
    pl_slot_answer(&slot->board->cover_status,
                   cover->modules == modules ? PL_ANSWER_YES : PL_ANSWER_NO);
}

/* ---- what this one has ---- */

static struct pl_covered_first first_of(const struct pl_cover_campaign *c, uint64_t execution)
{
    return (struct pl_covered_first){c->campaign, execution};
}

static void add_pair(struct pl_cover_campaign *c, const struct pl_cover_pair *p, unsigned order)
{
    uint32_t low = (uint32_t)(p->key >> 32), high = (uint32_t)p->key - 1;
    struct pl_covered_first first = first_of(c, p->first[order]);

    if (first.execution == 0)
        return; /* an earlier campaign had it */
    PL_ASSERT(order < 2);
    low = pl_cover_campaign_statement(c, low);
    high = pl_cover_campaign_statement(c, high);
    pl_covered_pair(&c->set, order == 0 ? low : high, order == 0 ? high : low, first);
}

static void add_concurrent(struct pl_cover_campaign *c, const struct pl_cover_pair *p)
{
    if (p->met != 0)
        pl_covered_concurrent(&c->set, pl_cover_campaign_statement(c, (uint32_t)(p->key >> 32)),
                              pl_cover_campaign_statement(c, (uint32_t)p->key - 1),
                              first_of(c, p->met));
}

static void add_switch(struct pl_cover_campaign *c, const struct pl_cover_switch *s)
{
    pl_covered_switch(&c->set, c->functions[s->key >> 16], c->functions[s->key & 0xffff],
                      first_of(c, s->first));
}

static void add_task(struct pl_cover_campaign *c, uint32_t entry)
{
    const struct pl_cover *cover = &c->session->common->cover;
    uint32_t which = entry >> PL_COVER_TASK_BITS;

    switch ((enum pl_cover_task)(entry & ((1 << PL_COVER_TASK_BITS) - 1))) {
    case PL_COVER_TASK_INTERRUPTED:
        pl_covered_interrupted(&c->set, c->functions[which],
                               first_of(c, cover->interrupted[which]));
        break;
    case PL_COVER_TASK_WHOLE:
        pl_covered_whole(&c->set, c->functions[which], first_of(c, cover->whole[which]));
        break;
    case PL_COVER_TASK_SWITCH:
        add_switch(c, &cover->switches[which - 1]);
        break;
    case PL_COVER_TASK_LOWER:
        add_pair(c, &cover->pairs[which - 1], 0);
        break;
    case PL_COVER_TASK_HIGHER:
        add_pair(c, &cover->pairs[which - 1], 1);
        break;
    case PL_COVER_TASK_CONCURRENT:
        add_concurrent(c, &cover->pairs[which - 1]);
        break;
    }
}

/* An entry that stays unwritten is of a process that was killed. */
static void read_log(struct pl_cover_campaign *c)
{
    const struct pl_cover *cover = &c->session->common->cover;
    uint32_t n = cover->n_log < PL_COVER_LOG ? cover->n_log : PL_COVER_LOG;

    PL_ASSERT(c->read <= n);
    for (; c->read < n; c->read++) {
        uint32_t entry = cover->log[c->read];

        if (entry == 0 && c->hole != c->read + 1) {
            c->hole = c->read + 1;
            return;
        }
        if (entry != 0)
            add_task(c, entry);
        else
            c->holes = true;
    }
}

/* All of it, for what is not in the log. */
static void read_all(struct pl_cover_campaign *c)
{
    const struct pl_cover *cover = &c->session->common->cover;

    for (uint32_t i = 1; i <= c->code.n; i++) {
        pl_covered_interrupted(&c->set, c->functions[i], first_of(c, cover->interrupted[i]));
        pl_covered_whole(&c->set, c->functions[i], first_of(c, cover->whole[i]));
    }
    for (uint32_t i = 0; i < PL_COVER_SWITCHES; i++) {
        if (cover->switches[i].key != 0)
            add_switch(c, &cover->switches[i]);
    }
    for (uint32_t i = 0; i < PL_COVER_PAIRS; i++) {
        if (cover->pairs[i].seen & PL_COVER_LOWER_FIRST)
            add_pair(c, &cover->pairs[i], 0);
        if (cover->pairs[i].seen & PL_COVER_HIGHER_FIRST)
            add_pair(c, &cover->pairs[i], 1);
        add_concurrent(c, &cover->pairs[i]);
    }
}

/* Which threads ran what, and with which others. */
static void read_threads(struct pl_cover_campaign *c)
{
    const struct pl_cover *cover = &c->session->common->cover;

    for (unsigned k = 0; k < PL_COVER_THREADS; k++) {
        if (cover->threads[k] == 0 && k != PL_COVER_THREADS - 1)
            continue;
        for (uint32_t f = 1; f <= c->code.n; f++) {
            if (pl_cover_ran(cover, k, f))
                pl_covered_ran(&c->set, pl_covered_thread(&c->set, cover->threads[k]),
                               c->functions[f]);
        }
        for (unsigned other = 0; other < PL_COVER_THREADS; other++) {
            if ((cover->together[k][other / 64] >> (other % 64) & 1) != 0)
                pl_covered_together(&c->set, pl_covered_thread(&c->set, cover->threads[k]),
                                    pl_covered_thread(&c->set, cover->threads[other]));
        }
    }
}

static void read_functions(struct pl_cover_campaign *c)
{
    const struct pl_cover *cover = &c->session->common->cover;

    for (uint32_t i = 1; i <= c->code.n; i++) {
        c->set.functions[c->functions[i]].alone |= (cover->marks[i] & PL_COVER_ALONE) != 0;
        c->set.functions[c->functions[i]].executed |= (cover->marks[i] & PL_COVER_EXECUTED) != 0;
    }
}

static void look(struct pl_cover_campaign *c)
{
    const struct pl_cover *cover = &c->session->common->cover;

    PL_ASSERT(c->on && c->campaign < c->set.n_campaigns);
    const struct pl_session_counts count = pl_session_count(c->session);

    c->set.campaigns[c->campaign].executions = count.executions;
    c->set.lost |= cover->lost != 0;
    if (c->functions == NULL)
        return;
    read_functions(c);
    read_threads(c);
    read_log(c);
    pl_cover_sets_read(c);
    pl_cover_holds_read(c);
}

/* ---- on disk ---- */

/* Whether the file is the one that was read or written last. */
static bool is_as_left(const struct pl_cover_campaign *c)
{
    struct stat st;

    if (lstat(c->path, &st) != 0)
        return c->left.st_ino == 0;
    return st.st_ino == c->left.st_ino && st.st_size == c->left.st_size &&
           st.st_mtim.tv_sec == c->left.st_mtim.tv_sec &&
           st.st_mtim.tv_nsec == c->left.st_mtim.tv_nsec;
}

/*
 * Campaigns of the same program may run at the same time: each adds to what is there, one at a
 * time.
 */
static int save(struct pl_cover_campaign *c, struct pl_err *err)
{
    c->saved_ms = pl_clock_ms();
    c->saved_executions = c->set.campaigns[c->campaign].executions;
    int lock = open(c->home, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = 0;

    while (lock >= 0 && flock(lock, LOCK_EX) != 0 && errno == EINTR)
        continue;
    if (!is_as_left(c)) { /* another campaign of the program has saved meanwhile */
        bool missing;

        rc = pl_cover_file_find(&c->set, c->home, c->program, c->path, &missing, err);
    }
    if (rc == 0)
        rc = pl_covered_write(&c->set, c->path, err);
    if (rc == 0)
        lstat(c->path, &c->left);
    if (lock >= 0)
        close(lock);
    return rc;
}

static uint64_t milliseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

int pl_cover_campaign_open(struct pl_cover_campaign *c, const struct pl_request *request,
                           const char *program, const struct pl_session *session,
                           struct pl_err *err)
{
    unsigned char bytes[8] = {0};
    char id[20] = "";
    bool missing = false;

    *c = (struct pl_cover_campaign){.on = request->settings.covering, .session = session};
    if (!c->on)
        return 0;
    snprintf(c->home, sizeof(c->home), "%s", request->home);
    if (request->named) /* any other home is of one program */
        c->program = realpath(program, NULL);
    if (pl_cover_file_find(&c->set, c->home, c->program, c->path, &missing, err) != 0 ||
        (request->coverage != NULL &&
         pl_cover_sets_open(c, request->coverage, c->program, err) != 0)) {
        pl_cover_campaign_close(c);
        return -1;
    }
    pl_covered_of(&c->set, c->program);
    if (lstat(c->path, &c->left) != 0)
        c->left = (struct stat){0};
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        abort();
    for (unsigned i = 0; i < sizeof(bytes); i++)
        sprintf(id + 2 * i, "%02x", bytes[i]);
    PL_ASSERT(strlen(id) == 2 * sizeof(bytes));
    c->campaign = pl_covered_campaign(&c->set, id, milliseconds());
    c->saved_ms = pl_clock_ms();
    return 0;
}

/* Whether there is enough of it. */
static bool is_enough(const struct pl_cover_campaign *c, const struct pl_until *until, char *why,
                      size_t size)
{
    struct pl_covered_sum sum = pl_covered_sum(&c->set);
    uint64_t n = c->set.campaigns[c->campaign].executions, covered = sum.covered[until->model];
    uint64_t total = sum.total[until->model], latest = c->session->common->cover.latest;
    uint64_t patience = until->plateau != 0 ? until->plateau : n / 2;
    PL_ASSERT(until->model < PL_COVER_MODELS);

    if (patience < PLATEAU_LEAST && until->plateau == 0)
        patience = PLATEAU_LEAST;
    if (until->kind == PL_UNTIL_COVERAGE && total > 0 &&
        (double)covered >= until->share * (double)total) {
        snprintf(why, size, "%llu of %llu tasks of M%u were covered", (unsigned long long)covered,
                 (unsigned long long)total, until->model + 1);
        return true;
    }
    if (until->kind == PL_UNTIL_PLATEAU && n >= latest + patience) {
        snprintf(why, size, "the last %llu executions covered nothing new",
                 (unsigned long long)(n - latest));
        return true;
    }
    return false;
}

bool pl_cover_campaign_look(struct pl_cover_campaign *c, const struct pl_until *until, char *why,
                            size_t size)
{
    uint64_t now = pl_clock_ms();
    struct pl_err ignored;

    if (!c->on || now - c->looked_ms < c->pause_ms)
        return false;
    c->looked_ms = now;
    c->pause_ms = LOOK_MS;
    bool due = now - c->saved_ms >= SAVE_MS;

    if (!due && until->kind == PL_UNTIL_NOTHING)
        return false;
    look(c);
    /* That it can be written is said at the end. */
    if (due && c->saved_executions != c->set.campaigns[c->campaign].executions)
        save(c, &ignored);
    bool enough = until->kind != PL_UNTIL_NOTHING && is_enough(c, until, why, size);

    c->pause_ms += LOOK_SHARE * (pl_clock_ms() - now);
    return enough;
}

int pl_cover_campaign_finish(struct pl_cover_campaign *c, struct pl_result *result,
                             struct pl_err *err)
{
    if (!c->on)
        return 0;
    look(c);
    look(c); /* whoever had not written an entry then will not any more */
    if (c->holes)
        read_all(c);
    if (c->functions != NULL && result->complete && strcmp(result->strategy, "dfs") == 0)
        note_search(c);
    struct pl_covered_sum sum = pl_covered_sum(&c->set);

    result->has_cover = c->functions != NULL;
    result->cover.executions = sum.executions;
    result->cover.latest = sum.latest;
    result->cover.lost = c->set.lost;
    result->cover.given = c->given_as != NULL;
    result->cover.given_statements = c->n_given;
    result->cover.given_met = pl_cover_sets_met(c);
    for (unsigned i = 0; i < PL_COVER_MODELS; i++) {
        result->cover.covered[i] = sum.covered[i];
        result->cover.total[i] = sum.total[i];
    }
    return c->functions != NULL ? save(c, err) : 0;
}

void pl_cover_campaign_close(struct pl_cover_campaign *c)
{
    pl_covered_free(&c->set);
    pl_covered_free(&c->given);
    free(c->given_as);
    free(c->program);
    pl_cover_code_free(&c->code);
    free(c->functions);
    free(c->statements);
    pl_symbols_close(c->symbols);
    *c = (struct pl_cover_campaign){0};
}
