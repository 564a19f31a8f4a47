/* SPDX-License-Identifier: MIT */
/*
 * The result as one JSON object: its members are the rows of model/result.def, in their order.
 * plait-test(1) lists them.
 */
#include "base/assert.h"
#include "model/board.h"
#include "model/incomplete.h"
#include "report/report.h"
#include "result/request.h"
#include "trace/value.h"

#include <string.h>

/*
 * Put a member into the object, "control.bypassed" into the one that is its member "control".  An
 * empty key says that there is no such member.
 */
static void put(json_t *o, const char *key, json_t *value)
{
    const char *dot = strchr(key, '.');
    char outer[32];

    if (key[0] == '\0') {
        json_decref(value);
        return;
    }
    if (dot != NULL) {
        PL_ASSERT((size_t)(dot - key) < sizeof(outer));
        snprintf(outer, sizeof(outer), "%.*s", (int)(dot - key), key);
        if (json_object_get(o, outer) == NULL)
            json_object_set_new(o, outer, json_object());
        o = json_object_get(o, outer);
        key = dot + 1;
    }
    PL_ASSERT(json_object_get(o, key) == NULL); /* or two rows have one key */
    json_object_set_new(o, key, value);
}

static json_t *of_limit_reached(const struct pl_result *r)
{
    return json_boolean((r->incomplete & (uint32_t)PL_INCOMPLETE_LIMITED) != 0);
}

static json_t *of_complete_up_to(const struct pl_result *r)
{
    return r->complete_within ? pl_value_number(r->max_operations) : json_null();
}

/* As many as there are: that no time-out was kept from it. */
static json_t *of_complete_with_early(const struct pl_result *r)
{
    if (!r->complete_within || (r->incomplete & (uint32_t)PL_INCOMPLETE_EARLY) == 0)
        return json_null();
    return pl_value_number(strcmp(r->time_outs, "few") == 0 ? PL_TIME_OUTS_BUDGET : 0);
}

static json_t *of_bound(const struct pl_result *r)
{
    return r->bound < 0 ? json_null() : pl_value_number((uint64_t)r->bound);
}

static json_t *of_interrupted(const struct pl_result *r)
{
    return json_boolean((r->incomplete & (uint32_t)PL_INCOMPLETE_INTERRUPTED) != 0);
}

static json_t *of_rate(const struct pl_result *r)
{
    return json_real(r->seconds > 0 ? (double)r->executions / r->seconds : 0);
}

static json_t *of_points(const struct pl_result *r)
{
    return json_real((double)r->points / (r->executions ? (double)r->executions : 1));
}

static json_t *of_findings(const struct pl_result *r)
{
    json_t *list = json_array();

    for (size_t i = 0; i < r->n_findings; i++)
        json_array_append_new(list, pl_json_finding(&r->findings[i]));
    return list;
}

static json_t *of_order(const struct pl_result_order *order)
{
    json_t *o = json_object();

    put(o, "order", pl_value_text(order->text));
    put(o, "verdict", pl_value_text(pl_result_verdict(order->verdict)));
    if (order->note[0] != '\0')
        put(o, "note", pl_value_text(order->note));
#define PL_OF_ORDER_NUMBER(name, key) put(o, key, pl_value_number(order->name));
#include "result/finding.def"
    if (order->found != NULL)
        put(o, "found", pl_json_finding(order->found));
    return o;
}

static json_t *of_notes(const struct pl_result *r)
{
    json_t *list = json_array();

    for (size_t i = 0; i < r->n_notes; i++)
        json_array_append_new(list, pl_value_text(r->notes[i]));
    return list;
}

static json_t *of_orders(const struct pl_result *r)
{
    json_t *list = json_array();

    for (size_t i = 0; i < r->n_orders; i++)
        json_array_append_new(list, of_order(&r->orders[i]));
    return list;
}

/* The modules that were compiled with plait cc. */
static json_t *of_modules(const struct pl_result *r)
{
    json_t *list = json_array();

    for (size_t i = 0; i < r->n_modules; i++) {
        if (r->modules[i].instrumented)
            json_array_append_new(list, pl_value_text(r->modules[i].name));
    }
    return list;
}

/* Libraries whose accesses nobody sees: what is complete is complete but for them. */
static json_t *of_unseen(const struct pl_result *r)
{
    json_t *list = json_array();

    for (size_t i = 0; i < r->n_modules; i++) {
        if (r->modules[i].unseen)
            json_array_append_new(list, pl_value_text(r->modules[i].name));
    }
    return list;
}

/* null when nothing can be said. */
static json_t *of_estimate(const struct pl_result *r)
{
    if (r->outlook.kind == PL_OUTLOOK_NONE)
        return json_null();
    json_t *o = json_object();

    put(o, "of",
        pl_value_text(r->outlook.kind == PL_OUTLOOK_LEFT ? "executions-left" : "new-class"));
    put(o, "value", json_real(r->outlook.value));
    put(o, "low", json_real(r->outlook.low));
    put(o, "high", json_real(r->outlook.high));
    return o;
}

/* null for a strategy that does not say. */
static json_t *of_coverage(const struct pl_result *r)
{
    const struct pl_coverage *c = &r->coverage;

    if (!c->known)
        return json_null();
    json_t *o = json_object();

    put(o, "pairs_both", pl_value_number(c->pairs.both));
    put(o, "pairs_one", pl_value_number(c->pairs.one));
    put(o, "pairs_full", json_boolean(c->pairs.full));
    put(o, "samples", pl_value_number(r->samples));
    put(o, "searched", pl_value_number(c->searched));
    put(o, "search_given_up", json_boolean(c->stopped));
    return o;
}

/* What noise has cost. */
static json_t *of_times(const struct pl_result *r)
{
    const struct pl_times *t = &r->times;
    json_t *o = json_object();

    put(o, "quiet", pl_value_number(t->n_quiet));
    put(o, "disturbed", pl_value_number(t->n_disturbed));
    put(o, "quiet_seconds", json_real((double)t->quiet_ns / 1e9));
    put(o, "disturbed_seconds", json_real((double)t->disturbed_ns / 1e9));
    put(o, "cost", json_real(pl_times_cost(t)));
    json_t *alive = json_object();
    char threads[16];

    for (unsigned i = 1; i <= PL_TIMES_ALIVE; i++) {
        snprintf(threads, sizeof(threads), "%u", i);
        if (t->alive[i] > 0)
            put(alive, threads, pl_value_number(t->alive[i]));
    }
    put(o, "alive", alive);
    return o;
}

static json_t *of_cover(const struct pl_result *r)
{
    const struct pl_coverage_tasks *c = &r->cover;
    json_t *o = json_object();
    char name[4];

    for (unsigned i = 0; i < PL_COVER_MODELS; i++) {
        json_t *model = json_object();

        snprintf(name, sizeof(name), "m%u", i + 1);
        put(model, "covered", pl_value_number(c->covered[i]));
        put(model, "total", pl_value_number(c->total[i]));
        put(o, name, model);
    }
    put(o, "executions", pl_value_number(c->executions));
    put(o, "latest", pl_value_number(c->latest));
    put(o, "lost", json_boolean(c->lost));
    if (c->given) {
        json_t *given = json_object();

        put(given, "statements", pl_value_number(c->given_statements));
        put(given, "executed", pl_value_number(c->given_met));
        put(o, "given", given);
    }
    return o;
}

/* null for a search that does not consist of paths. */
static json_t *of_paths(const struct pl_result *r)
{
    const struct pl_paths *p = &r->coverage.paths;

    if (!p->known)
        return json_null();
    json_t *o = json_object();

    put(o, "total", pl_value_number(p->total));
    put(o, "finished", pl_value_number(p->finished));
    put(o, "cut", pl_value_number(p->cut));
    put(o, "stuck", pl_value_number(p->stuck));
    put(o, "late", pl_value_number(p->late));
    put(o, "aborts", pl_value_number(p->aborts));
    put(o, "reports", pl_value_number(p->reports));
    put(o, "returns", pl_value_number(p->total + p->aborts - (p->total > 0)));
    put(o, "outside", p->outside_pc != 0 ? pl_value_text(r->outside) : json_null());
    put(o, "beside", p->outside_pc != 0 ? pl_value_text(r->beside) : json_null());
    put(o, "atomics", p->atomic_pc != 0 ? pl_value_text(r->atomics) : json_null());
    return o;
}

static json_t *of_values(const struct pl_result *r)
{
    const struct pl_result_values *v = &r->values;
    json_t *o = json_object(), *kinds = json_object(), *of = json_object();

    for (unsigned k = 0; k < PL_PAIR_KINDS; k++)
        put(kinds, pl_pair_text(k), pl_value_number(v->pairs[k]));
    for (unsigned k = 0; k < PL_JUDGED_KINDS; k++)
        put(of, pl_judged_text(k), pl_value_number(v->of[k]));
    put(o, "kinds", kinds);
    put(o, "switches", pl_value_number(v->switches));
    put(o, "attempts", pl_value_number(v->attempts));
    put(o, "verdicts", of);
    put(o, "orders", pl_value_number(v->orders));
    put(o, "shown", pl_value_number(v->shown));
    put(o, "failed", pl_value_number(v->failed));
    put(o, "impossible", pl_value_number(v->impossible));
    put(o, "open", pl_value_number(v->open));
    put(o, "aimed", pl_value_number(v->aimed));
    put(o, "met", pl_value_number(v->met));
    return o;
}

static json_t *of_outputs(const struct pl_result *r)
{
    json_t *list = json_array();

    for (size_t i = 0; i < r->n_outputs; i++) {
        json_t *o = json_object();

        put(o, "text", pl_value_text(r->outputs[i].text));
        put(o, "execution", pl_value_number(r->outputs[i].execution));
        put(o, "count", pl_value_number(r->outputs[i].count));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *of_suppressions(const struct pl_result *r)
{
    json_t *o = json_object(), *list = json_array();

    put(o, "findings", pl_value_number(r->n_suppressed));
    put(o, "executions", pl_value_number(r->suppressed));
    for (size_t i = 0; i < r->suppressions->n; i++) {
        const struct pl_suppression *s = &r->suppressions->list[i];
        json_t *one = json_object();

        put(one, "file", pl_value_text(s->path));
        put(one, "line", pl_value_number(s->line));
        put(one, "text", pl_value_text(s->text));
        put(one, "findings", pl_value_number(s->findings));
        json_array_append_new(list, one);
    }
    put(o, "list", list);
    return o;
}

static json_t *of_result(const struct pl_result *r)
{
    json_t *o = json_object();

    put(o, "format", json_string("plait-result"));
    put(o, "version", json_integer(PL_JSON_VERSION));
#define PL_RESULT_NUMBER(name, from, key, when, part, sentence) \
    if (when)                                                   \
        put(o, key, pl_value_number(r->name));
#define PL_RESULT_FLAG(name, key, when) \
    if (when)                           \
        put(o, key, json_boolean(r->name));
#define PL_RESULT_REAL(name, key, when) \
    if (when)                           \
        put(o, key, json_real(r->name));
#define PL_RESULT_TEXT(name, size, key, when) \
    if (when)                                 \
        put(o, key, pl_value_text(r->name));
#define PL_RESULT_MEMBER(key, when, function) \
    if (when)                                 \
        put(o, key, function(r));
#include "model/result.def"
    return o;
}

int pl_json_write(const char *path, const struct pl_result *result)
{
    return pl_value_write(path, of_result(result));
}
