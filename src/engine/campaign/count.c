/* SPDX-License-Identifier: MIT */
/* See count.h. */
#include "engine/campaign/count.h"

#include "base/assert.h"
#include "base/err.h"
#include "model/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void list_modules(const struct pl_board *board, struct pl_result *r)
{
    unsigned n = board->n_modules < PL_BOARD_MODULES ? board->n_modules : PL_BOARD_MODULES;

    PL_ASSERT(r->modules == NULL && r->n_modules == 0);
    snprintf(r->strangers, sizeof(r->strangers), "%.*s", (int)sizeof(board->strangers) - 1,
             board->strangers);
    r->modules = calloc(n + 1, sizeof(*r->modules));
    if (r->modules == NULL)
        abort();
    for (unsigned i = 0; i < n; i++) {
        const char *path = board->modules[i].path[0] || i > 0 ? board->modules[i].path : r->program;
        const char *slash = strrchr(path, '/');
        struct pl_result_module *m = &r->modules[r->n_modules];

        snprintf(m->name, sizeof(m->name), "%s", slash ? slash + 1 : path);
        m->instrumented = board->modules[i].instrumented;
        m->unseen = pl_module_is_unseen(board, i);
        if (m->name[0] != '\0' && strcmp(m->name, "libplait.so") != 0)
            r->n_modules++;
        if (i == 0) /* the program itself comes first and has no name of its own */
            r->instrumented = m->instrumented;
    }
}

static int by_execution(const void *a, const void *b)
{
    const struct pl_result_output *x = a, *y = b;

    return x->execution < y->execution ? -1 : x->execution > y->execution;
}

static void list_outputs(const struct pl_common *common, struct pl_result *r)
{
    PL_ASSERT(r->outputs == NULL && r->n_outputs == 0);
    r->outputs = calloc(common->n_outputs + 1, sizeof(*r->outputs));
    if (r->outputs == NULL)
        abort();
    for (unsigned i = 0; i < PL_COMMON_OUTPUTS && r->n_outputs < common->n_outputs; i++) {
        const struct pl_printed *p = &common->outputs[i];
        struct pl_result_output *o = &r->outputs[r->n_outputs];

        if (p->hash == 0)
            continue;
        *o = (struct pl_result_output){
            .text = strndup((const char *)common->store + p->at, p->size),
            .execution = p->execution,
            .count = p->count,
        };
        if (o->text == NULL)
            abort();
        r->n_outputs++;
    }
    qsort(r->outputs, r->n_outputs, sizeof(*r->outputs), by_execution);
    r->outputs_lost = common->outputs_lost;
}

static uint64_t most_memory(void)
{
    struct rusage self, children;

    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return (uint64_t)(self.ru_maxrss > children.ru_maxrss ? self.ru_maxrss : children.ru_maxrss);
}

/* What a search in rounds has seen in full, were it interrupted: all but the last round. */
static int64_t bound_reached(const struct pl_session *session)
{
    const uint32_t spoils =
        PL_INCOMPLETE_UNFAIR | PL_INCOMPLETE_STRAYED | PL_INCOMPLETE_BLIND | PL_INCOMPLETE_CROWDED;
    const struct pl_common *common = session->common;

    if (common->bounds[0] == '\0' || (common->incomplete & spoils) != 0 ||
        session->slots[0].board->section != 0)
        return -1;
    return (int64_t)common->round - (common->why == PL_WHY_COMPLETE ? 0 : 1);
}

/* How a number gets into the result, by where it comes from (result.def). */
#define TAKE_PUBLISHED(name) r->name = counts.name;
#define TAKE_SUM(name) r->name = counts.name;
#define TAKE_MOST(name) r->name = counts.name;
#define TAKE_SEARCH(name) r->name = counts.name;
#define TAKE_COMMON(name) r->name = common->name;
#define TAKE_TOOL(name)

void pl_count_result(struct pl_result *r, const struct pl_session *session, double seconds)
{
    struct pl_session_counts counts = pl_session_count(session);
    const struct pl_settings *settings = &session->slots[0].board->settings;
    const struct pl_common *common = session->common;

#define PL_RESULT_NUMBER(name, from, key, when, part, sentence) TAKE_##from(name)
#include "model/result.def"
    r->jobs = session->n_slots;
    r->classes = common->classes_before + common->classes;
    r->classes_overflow = common->classes_overflow;
    r->classes_since = common->classes_before == 0 ? common->epoch_tickets + 1 : 1;
    if (common->stray_execution != 0)
        snprintf(r->strayed, sizeof(r->strayed), "execution %llu %s",
                 (unsigned long long)common->stray_execution,
                 common->stray_text[0] ? common->stray_text
                                       : "was not what those before it had shown");
    r->coverage = counts.coverage;
    r->outlook = pl_session_outlook(session);
    r->bound = bound_reached(session);
    snprintf(r->bounds, sizeof(r->bounds), "%s", common->bounds);
    r->incomplete |= common->incomplete;
    r->max_operations = settings->max_operations;
    r->hooks_only = settings->hooks_only;
    snprintf(r->time_outs, sizeof(r->time_outs), "%s", pl_time_outs_texts[settings->time_outs]);
    r->has_trust = (settings->marks >> PL_MARK_TRUST & 1) != 0;
    r->times = counts.times;
    r->seconds = seconds;
    if (counts.slowest->settings.carrier == PL_CARRIER_FREE)
        snprintf(r->recorded, sizeof(r->recorded), "%s",
                 pl_record_texts[counts.slowest->settings.record]);
    snprintf(r->restart, sizeof(r->restart), "%s", pl_restart_texts[counts.slowest->restart]);
    /* A reason to change it is none for what was used until then. */
    if (counts.slowest->restart_wish <= counts.slowest->restart)
        snprintf(r->restart_why, sizeof(r->restart_why), "%s", counts.slowest->restart_why);
    r->max_rss_kb = most_memory();
    list_modules(session->slots[0].board, r);
    r->has_outputs = settings->outputs;
    list_outputs(common, r);
}
