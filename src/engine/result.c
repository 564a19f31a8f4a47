/* SPDX-License-Identifier: MIT */
/* See result.h. */
#include "engine/result.h"

#include "engine/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void list_modules(const struct pl_board *board, struct pl_result *r)
{
    unsigned n = board->n_modules < PL_BOARD_MODULES ? board->n_modules : PL_BOARD_MODULES;

    r->modules = calloc(n + 1, sizeof(*r->modules));
    if (r->modules == NULL)
        abort();
    for (unsigned i = 0; i < n; i++) {
        const char *path = board->modules[i].path[0] || i > 0 ? board->modules[i].path : r->program;
        const char *slash = strrchr(path, '/');
        struct pl_result_module *m = &r->modules[r->n_modules];

        snprintf(m->name, sizeof(m->name), "%s", slash ? slash + 1 : path);
        m->instrumented = board->modules[i].instrumented;
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
    const struct pl_common *common = session->common;

    if (common->bounds[0] == '\0' || common->unfair || common->strayed || common->blind ||
        common->crowded || session->slots[0].board->section != 0)
        return -1;
    return (int64_t)common->round - (common->why == PL_WHY_COMPLETE ? 0 : 1);
}

void pl_result_count(struct pl_result *r, const struct pl_session *session, double seconds)
{
    struct pl_session_counts counts = pl_session_count(session);
    const struct pl_common *common = session->common;

    r->jobs = session->n_slots;
    r->executions = counts.executions;
    r->search_executions = counts.epoch_executions;
    r->resumed = counts.resumed;
    r->points = counts.points;
    r->max_choices = counts.max_depth;
    r->classes = common->classes_before + common->classes;
    r->classes_once = common->classes_once;
    r->classes_twice = common->classes_twice;
    r->coverage = counts.coverage;
    r->samples = counts.epoch_samples;
    r->outlook = pl_session_outlook(session);
    r->bound = bound_reached(session);
    snprintf(r->bounds, sizeof(r->bounds), "%s", common->bounds);
    r->classes_overflow = common->classes_overflow;
    r->max_operations = session->slots[0].board->settings.max_operations;
    r->limited = common->limited;
    r->failures = common->failures;
    r->suppressed = common->suppressed;
    r->has_trust = (session->slots[0].board->settings.marks >> PL_MARK_TRUST & 1) != 0;
    r->trusted_operations = counts.trusted_operations;
    r->times = counts.times;
    r->lost = counts.lost;
    r->max_threads = counts.max_threads;
    r->bypassed = counts.bypassed;
    r->seconds = seconds;
    if (counts.slowest->settings.carrier == PL_CARRIER_FREE)
        r->recorded = pl_record_texts[counts.slowest->settings.record];
    snprintf(r->restart, sizeof(r->restart), "%s", pl_restart_texts[counts.slowest->restart]);
    snprintf(r->restart_why, sizeof(r->restart_why), "%s", counts.slowest->restart_why);
    r->max_rss_kb = most_memory();
    list_modules(session->slots[0].board, r);
    r->has_outputs = session->slots[0].board->settings.outputs;
    list_outputs(common, r);
}

static void free_finding(struct pl_result_finding *f)
{
    free(f->threads);
    free(f->stack);
    free(f->accesses);
}

static void free_orders(struct pl_result *result)
{
    for (size_t i = 0; i < result->n_orders; i++) {
        if (result->orders[i].found != NULL)
            free_finding(result->orders[i].found);
        free(result->orders[i].found);
    }
    free(result->orders);
    result->orders = NULL;
    result->n_orders = 0;
}

void pl_result_free(struct pl_result *result)
{
    for (size_t i = 0; i < result->n_findings; i++)
        free_finding(&result->findings[i]);
    free_orders(result);
    for (size_t i = 0; i < result->n_outputs; i++)
        free(result->outputs[i].text);
    free(result->outputs);
    free(result->findings);
    free(result->modules);
    result->outputs = NULL;
    result->findings = NULL;
    result->modules = NULL;
    result->n_findings = result->n_modules = result->n_outputs = 0;
}
