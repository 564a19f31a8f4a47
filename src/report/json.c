/* SPDX-License-Identifier: MIT */
/* The result as one JSON object; plait-test(1) lists its members. */
#include "report/document.h"
#include "trace/value.h"

static json_t *of_stack(const char *const *stack, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, pl_value_text(stack[i]));
    return list;
}

static json_t *of_threads(const struct pl_document_finding *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->n_threads; i++) {
        const struct pl_document_thread *t = &f->threads[i];
        json_t *o = json_object();

        json_object_set_new(o, "name", pl_value_text(t->name));
        json_object_set_new(o, "waits", pl_value_text(t->waits));
        json_object_set_new(o, "operation", pl_value_text(t->operation));
        json_object_set_new(o, "object", pl_value_text(t->object));
        json_object_set_new(o, "location", pl_value_text(t->location));
        json_object_set_new(o, "holder", pl_value_text(t->holder));
        json_object_set_new(o, "since", pl_value_text(t->since));
        json_object_set_new(o, "stack", of_stack(t->stack, t->n_stack));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *of_locks(const struct pl_document_access *a)
{
    json_t *list = json_array();

    for (size_t i = 0; i < a->n_locks; i++) {
        json_t *o = json_object();

        json_object_set_new(o, "kind", pl_value_text(a->locks[i].kind));
        json_object_set_new(o, "object", pl_value_text(a->locks[i].object));
        json_object_set_new(o, "shared", json_boolean(a->locks[i].shared));
        json_object_set_new(o, "since", pl_value_text(a->locks[i].since));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *of_accesses(const struct pl_document_finding *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct pl_document_access *a = &f->accesses[i];
        json_t *o = json_object();

        json_object_set_new(o, "thread", pl_value_text(a->thread));
        json_object_set_new(o, "operation", pl_value_text(a->operation));
        json_object_set_new(o, "size", pl_value_number(a->size));
        json_object_set_new(o, "object", pl_value_text(a->object));
        json_object_set_new(o, "location", pl_value_text(a->location));
        json_object_set_new(o, "stack", of_stack(a->stack, a->n_stack));
        json_object_set_new(o, "locks", of_locks(a));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *of_part(const struct pl_document_part *part)
{
    json_t *o = json_object();

    json_object_set_new(o, "thread", pl_value_text(part->thread));
    json_object_set_new(o, "op", pl_value_text(part->operation));
    json_object_set_new(o, "location", pl_value_text(part->location));
    json_object_set_new(o, "object", pl_value_text(part->object));
    return o;
}

static json_t *of_explanation(const struct pl_document_finding *f)
{
    json_t *o = json_object();

    json_object_set_new(o, "text", pl_value_text(f->why));
    if (f->passing[0] != '\0')
        json_object_set_new(o, "passing", pl_value_text(f->passing));
    if (f->ordered) {
        json_object_set_new(o, "first", of_part(&f->first));
        json_object_set_new(o, "second", of_part(&f->second));
    }
    return o;
}

/* What making it simpler came to. */
static void add_minimal(json_t *o, const struct pl_document_finding *f)
{
    if (f->minimal[0] != '\0') {
        json_object_set_new(o, "minimal", pl_value_text(f->minimal));
        json_object_set_new(o, "preemptions", pl_value_number(f->preemptions));
        json_object_set_new(o, "switches", pl_value_number(f->switches));
    } else if (f->unminimized[0] != '\0') {
        json_object_set_new(o, "unminimized", pl_value_text(f->unminimized));
    }
    if (f->why[0] != '\0')
        json_object_set_new(o, "explanation", of_explanation(f));
}

/* What trying to bring it about came to. */
static void add_driven(json_t *o, const struct pl_document_finding *f)
{
    json_t *schedules = json_array();

    for (unsigned i = 0; i < 2; i++) {
        if (f->schedules[i] != NULL && f->schedules[i][0] != '\0')
            json_array_append_new(schedules, pl_value_text(f->schedules[i]));
    }
    if (f->driven != NULL && f->driven[0] != '\0') {
        json_object_set_new(o, "driven", pl_value_text(f->driven));
        json_object_set_new(o, "confirmed", json_boolean(f->confirmed));
        json_object_set_new(o, "tries", pl_value_number(f->tries));
        if (f->effect[0] != '\0') {
            json_object_set_new(o, "effect", pl_value_text(f->effect));
            json_object_set(o, "schedules", schedules);
        }
    }
    json_decref(schedules);
}

static json_t *of_finding(const struct pl_document_finding *f)
{
    json_t *o = json_object();
    char hex[20];

    snprintf(hex, sizeof(hex), "%016llx", (unsigned long long)f->signature);
    json_object_set_new(o, "kind", pl_value_text(f->kind));
    json_object_set_new(o, "message", pl_value_text(f->message));
    json_object_set_new(o, "execution", pl_value_number(f->execution));
    json_object_set_new(o, "count", pl_value_number(f->count));
    json_object_set_new(o, "schedule", pl_value_text(f->schedule));
    json_object_set_new(o, "location", pl_value_text(f->location));
    json_object_set_new(o, "thread", pl_value_text(f->thread));
    json_object_set_new(o, "object", pl_value_text(f->object));
    json_object_set_new(o, "threads", of_threads(f));
    if (f->n_accesses > 0)
        json_object_set_new(o, "accesses", of_accesses(f));
    json_object_set_new(o, "signature", pl_value_text(hex));
    json_object_set_new(o, "replays", json_boolean(f->replays));
    if (!f->replays)
        json_object_set_new(o, "unreplayed", pl_value_text(f->unreplayed));
    add_minimal(o, f);
    add_driven(o, f);
    return o;
}

static json_t *of_orders(const struct pl_document *d)
{
    json_t *list = json_array();

    for (size_t i = 0; i < d->n_orders; i++) {
        const struct pl_document_order *order = &d->orders[i];
        json_t *o = json_object();

        json_object_set_new(o, "order", pl_value_text(order->text));
        json_object_set_new(o, "verdict", pl_value_text(order->verdict));
        if (order->note[0] != '\0')
            json_object_set_new(o, "note", pl_value_text(order->note));
        json_object_set_new(o, "first", pl_value_number(order->first));
        json_object_set_new(o, "second", pl_value_number(order->second));
        json_object_set_new(o, "both", pl_value_number(order->both));
        json_object_set_new(o, "met", pl_value_number(order->met));
        json_object_set_new(o, "reversed", pl_value_number(order->reversed));
        json_object_set_new(o, "between", pl_value_number(order->between));
        if (order->found != NULL)
            json_object_set_new(o, "found", of_finding(order->found));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *of_control(const struct pl_document *d)
{
    json_t *o = json_object(), *modules = json_array();

    for (size_t i = 0; i < d->n_modules; i++) {
        if (d->modules[i].instrumented)
            json_array_append_new(modules, pl_value_text(d->modules[i].name));
    }
    json_object_set_new(o, "instrumented", json_boolean(d->instrumented));
    json_object_set_new(o, "modules", modules);
    json_object_set_new(o, "bypassed", pl_value_number(d->bypassed));
    json_object_set_new(o, "divergences", pl_value_number(d->divergences));
    json_object_set_new(o, "examined", pl_value_number(d->examined));
    json_object_set_new(o, "unexamined", pl_value_number(d->unexamined));
    return o;
}

/* null when nothing can be said. */
static json_t *of_estimate(const struct pl_document *d)
{
    json_t *o = json_object();

    if (d->outlook.kind == PL_OUTLOOK_NONE) {
        json_decref(o);
        return json_null();
    }
    json_object_set_new(
        o, "of",
        pl_value_text(d->outlook.kind == PL_OUTLOOK_LEFT ? "executions-left" : "new-class"));
    json_object_set_new(o, "value", json_real(d->outlook.value));
    json_object_set_new(o, "low", json_real(d->outlook.low));
    json_object_set_new(o, "high", json_real(d->outlook.high));
    return o;
}

/* null for a strategy that does not say. */
static json_t *of_coverage(const struct pl_document *d)
{
    const struct pl_coverage *c = &d->coverage;

    if (!c->known)
        return json_null();
    json_t *o = json_object();

    json_object_set_new(o, "pairs_both", pl_value_number(c->pairs.both));
    json_object_set_new(o, "pairs_one", pl_value_number(c->pairs.one));
    json_object_set_new(o, "pairs_full", json_boolean(c->pairs.full));
    json_object_set_new(o, "samples", pl_value_number(d->samples));
    json_object_set_new(o, "searched", pl_value_number(c->searched));
    json_object_set_new(o, "search_given_up", json_boolean(c->stopped));
    return o;
}

/* What noise has cost. */
static json_t *of_times(const struct pl_times *t)
{
    json_t *o = json_object();

    json_object_set_new(o, "quiet", pl_value_number(t->n_quiet));
    json_object_set_new(o, "disturbed", pl_value_number(t->n_disturbed));
    json_object_set_new(o, "quiet_seconds", json_real((double)t->quiet_ns / 1e9));
    json_object_set_new(o, "disturbed_seconds", json_real((double)t->disturbed_ns / 1e9));
    json_object_set_new(o, "cost", json_real(pl_times_cost(t)));
    return o;
}

static json_t *of_cover(const struct pl_document *d)
{
    const struct pl_coverage_tasks *c = &d->cover;
    json_t *o = json_object();
    char name[4];

    for (unsigned i = 0; i < 3; i++) {
        json_t *model = json_object();

        snprintf(name, sizeof(name), "m%u", i + 1);
        json_object_set_new(model, "covered", pl_value_number(c->covered[i]));
        json_object_set_new(model, "total", pl_value_number(c->total[i]));
        json_object_set_new(o, name, model);
    }
    json_object_set_new(o, "executions", pl_value_number(c->executions));
    json_object_set_new(o, "latest", pl_value_number(c->latest));
    json_object_set_new(o, "lost", json_boolean(c->lost));
    if (c->given) {
        json_t *given = json_object();

        json_object_set_new(given, "statements", pl_value_number(c->given_statements));
        json_object_set_new(given, "executed", pl_value_number(c->given_met));
        json_object_set_new(o, "given", given);
    }
    return o;
}

/* null for a search that does not consist of paths. */
static json_t *of_paths(const struct pl_document *d)
{
    const struct pl_paths *p = &d->coverage.paths;

    if (!p->known)
        return json_null();
    json_t *o = json_object();

    json_object_set_new(o, "total", pl_value_number(p->total));
    json_object_set_new(o, "finished", pl_value_number(p->finished));
    json_object_set_new(o, "cut", pl_value_number(p->cut));
    json_object_set_new(o, "stuck", pl_value_number(p->stuck));
    json_object_set_new(o, "aborts", pl_value_number(p->aborts));
    json_object_set_new(o, "reports", pl_value_number(p->reports));
    json_object_set_new(o, "returns", pl_value_number(p->total + p->aborts - (p->total > 0)));
    json_object_set_new(o, "outside", p->outside_pc != 0 ? pl_value_text(d->outside) : json_null());
    json_object_set_new(o, "atomics", p->atomic_pc != 0 ? pl_value_text(d->atomics) : json_null());
    return o;
}

static json_t *of_outputs(const struct pl_document *d)
{
    json_t *list = json_array();

    for (size_t i = 0; i < d->n_outputs; i++) {
        json_t *o = json_object();

        json_object_set_new(o, "text", pl_value_text(d->outputs[i].text));
        json_object_set_new(o, "execution", pl_value_number(d->outputs[i].execution));
        json_object_set_new(o, "count", pl_value_number(d->outputs[i].count));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *of_suppressions(const struct pl_document *d)
{
    json_t *o = json_object(), *list = json_array();

    json_object_set_new(o, "findings", pl_value_number(d->n_suppressed));
    json_object_set_new(o, "executions", pl_value_number(d->suppressed));
    for (size_t i = 0; i < d->n_suppressions; i++) {
        const struct pl_document_suppression *s = &d->suppressions[i];
        json_t *one = json_object();

        json_object_set_new(one, "file", pl_value_text(s->file));
        json_object_set_new(one, "line", pl_value_number(s->line));
        json_object_set_new(one, "text", pl_value_text(s->text));
        json_object_set_new(one, "findings", pl_value_number(s->findings));
        json_array_append_new(list, one);
    }
    json_object_set_new(o, "list", list);
    return o;
}

static json_t *of_document(const struct pl_document *d)
{
    json_t *o = json_object(), *findings = json_array();
    double n = d->executions ? (double)d->executions : 1;

    json_object_set_new(o, "program", pl_value_text(d->program));
    json_object_set_new(o, "strategy", pl_value_text(d->strategy));
    json_object_set_new(o, "seed", pl_value_number(d->seed));
    json_object_set_new(o, "jobs", pl_value_number(d->jobs));
    json_object_set_new(o, "executions", pl_value_number(d->executions));
    json_object_set_new(o, "search_executions", pl_value_number(d->search_executions));
    json_object_set_new(o, "complete", json_boolean(d->complete));
    if (d->max_operations != 0) {
        json_object_set_new(o, "max_operations", pl_value_number(d->max_operations));
        json_object_set_new(o, "limit_reached", json_boolean(d->limited));
        json_object_set_new(o, "complete_up_to",
                            d->complete_within ? pl_value_number(d->max_operations) : json_null());
    }
    if (d->bounds[0] != '\0') {
        json_object_set_new(o, "bounds", pl_value_text(d->bounds));
        json_object_set_new(o, "bound",
                            d->bound < 0 ? json_null() : pl_value_number((uint64_t)d->bound));
    }
    json_object_set_new(o, "interrupted", json_boolean(d->interrupted));
    json_object_set_new(o, "failures", pl_value_number(d->failures));
    json_object_set_new(o, "seconds", json_real(d->seconds));
    json_object_set_new(o, "executions_per_second",
                        json_real(d->seconds > 0 ? (double)d->executions / d->seconds : 0));
    if (d->recorded != NULL) {
        json_object_set_new(o, "recorded", pl_value_text(d->recorded));
        json_object_set_new(o, "noise", of_times(&d->times));
    }
    json_object_set_new(o, "restart", pl_value_text(d->restart));
    json_object_set_new(o, "restart_why", pl_value_text(d->restart_why));
    json_object_set_new(o, "resumed", pl_value_number(d->resumed));
    json_object_set_new(o, "points_per_execution", json_real((double)d->points / n));
    json_object_set_new(o, "classes", pl_value_number(d->classes));
    json_object_set_new(o, "classes_once", pl_value_number(d->classes_once));
    json_object_set_new(o, "classes_twice", pl_value_number(d->classes_twice));
    json_object_set_new(o, "estimate", of_estimate(d));
    json_object_set_new(o, "coverage", of_coverage(d));
    if (d->has_cover)
        json_object_set_new(o, "covered", of_cover(d));
    if (d->until[0] != '\0')
        json_object_set_new(o, "until", pl_value_text(d->until));
    json_object_set_new(o, "paths", of_paths(d));
    json_object_set_new(o, "max_rss_kb", pl_value_number(d->max_rss_kb));
    json_object_set_new(o, "max_threads", pl_value_number(d->max_threads));
    json_object_set_new(o, "control", of_control(d));
    for (size_t i = 0; i < d->n_findings; i++)
        json_array_append_new(findings, of_finding(&d->findings[i]));
    json_object_set_new(o, "findings", findings);
    if (d->n_orders > 0)
        json_object_set_new(o, "orders", of_orders(d));
    if (d->has_trust)
        json_object_set_new(o, "trusted_operations", pl_value_number(d->trusted_operations));
    if (d->n_suppressions > 0)
        json_object_set_new(o, "suppressed", of_suppressions(d));
    if (d->has_outputs) {
        json_object_set_new(o, "outputs", of_outputs(d));
        json_object_set_new(o, "outputs_lost", pl_value_number(d->outputs_lost));
    }
    return o;
}

int pl_json_write(const char *path, const struct pl_document *document)
{
    return pl_value_write(path, of_document(document));
}
