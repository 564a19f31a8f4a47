/* SPDX-License-Identifier: MIT */
/*
 * See output.h.  Reports know nothing of the engine; here its result becomes
 * their document.  The document borrows every string of the result.
 */
#include "cli/output.h"

#include "base/err.h"
#include "report/document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void pl_output_open(struct pl_output *output, const struct pl_options *options)
{
    const char *no_color = getenv("NO_COLOR");

    output->suppressions = NULL;
    output->json = options->text[PL_OPTION_ID_json];
    output->to = output->json != NULL && strcmp(output->json, "-") == 0 ? stderr : stdout;
    output->quiet = options->text[PL_OPTION_ID_quiet] != NULL;
    output->verbose = options->text[PL_OPTION_ID_verbose] != NULL;
    output->color = isatty(fileno(output->to)) && (no_color == NULL || no_color[0] == '\0');
}

/* Callers as a list of texts; to be freed. */
static const char **stack_of(const char (*from)[PL_RESULT_LINE], size_t n)
{
    const char **stack = pl_err_must(calloc(n + 1, sizeof(*stack)));

    for (size_t i = 0; i < n; i++)
        stack[i] = from[i];
    return stack;
}

static struct pl_document_thread *threads_of(const struct pl_result_finding *f)
{
    struct pl_document_thread *to = pl_err_must(calloc(f->n_threads + 1, sizeof(*to)));

    for (size_t i = 0; i < f->n_threads; i++) {
        const struct pl_result_thread *t = &f->threads[i];

        to[i] = (struct pl_document_thread){
            .name = t->name,
            .waits = t->waits,
            .operation = t->operation,
            .object = t->object,
            .location = t->location,
            .holder = t->holder,
            .since = t->since,
            .sentence = t->sentence,
            .n_stack = t->n_stack,
            .stack = stack_of(t->stack, t->n_stack),
        };
    }
    return to;
}

static void fill_access(struct pl_document_access *to, const struct pl_result_access *a)
{
    struct pl_document_lock *locks = pl_err_must(calloc(a->n_locks + 1, sizeof(*locks)));

    for (size_t i = 0; i < a->n_locks; i++)
        locks[i] = (struct pl_document_lock){a->locks[i].kind, a->locks[i].object,
                                             a->locks[i].since, a->locks[i].shared};
    *to = (struct pl_document_access){
        .thread = a->thread,
        .operation = a->operation,
        .object = a->object,
        .location = a->location,
        .sentence = a->sentence,
        .size = a->size,
        .n_stack = a->n_stack,
        .n_locks = a->n_locks,
        .stack = stack_of(a->stack, a->n_stack),
        .locks = locks,
    };
}

static struct pl_document_access *accesses_of(const struct pl_result_finding *f)
{
    struct pl_document_access *to = pl_err_must(calloc(f->n_accesses + 1, sizeof(*to)));

    for (size_t i = 0; i < f->n_accesses; i++)
        fill_access(&to[i], &f->accesses[i]);
    return to;
}

static struct pl_document_part part_of(const struct pl_result_part *p)
{
    return (struct pl_document_part){p->thread, p->operation, p->object, p->location};
}

static void fill_finding(struct pl_document_finding *to, const struct pl_result_finding *f)
{
    *to = (struct pl_document_finding){
        .kind = f->kind,
        .meaning = f->meaning,
        .message = f->message,
        .location = f->location,
        .other = f->other,
        .object = f->object,
        .thread = f->thread,
        .schedule = f->schedule,
        .unreplayed = f->unreplayed,
        .replays = f->replays,
        .minimal = f->minimal,
        .unminimized = f->unminimized,
        .preemptions = f->preemptions,
        .switches = f->switches,
        .why = f->explanation.text,
        .passing = f->explanation.passing,
        .ordered = f->explanation.ordered,
        .first = part_of(&f->explanation.first),
        .second = part_of(&f->explanation.second),
        .driven = f->driven.text,
        .confirmed = f->driven.confirmed,
        .tries = f->driven.tries,
        .effect = f->driven.effect,
        .schedules = {f->driven.schedules[0], f->driven.schedules[1]},
        .firsts = {f->driven.firsts[0], f->driven.firsts[1]},
        .signature = f->signature,
        .execution = f->execution,
        .count = f->count,
        .about = f->about,
        .n_accesses = f->n_accesses,
        .accesses = accesses_of(f),
        .n_threads = f->n_threads,
        .n_stack = f->n_stack,
        .threads = threads_of(f),
        .stack = stack_of(f->stack, f->n_stack),
    };
}

static void free_finding(struct pl_document_finding *f)
{
    for (size_t i = 0; i < f->n_accesses; i++) {
        free((void *)f->accesses[i].stack);
        free((void *)f->accesses[i].locks);
    }
    for (size_t i = 0; i < f->n_threads; i++)
        free((void *)f->threads[i].stack);
    free((void *)f->accesses);
    free((void *)f->threads);
    free((void *)f->stack);
}

static void add_suppressions(struct pl_document *d, const struct pl_suppressions *from)
{
    size_t n = from ? from->n : 0;
    struct pl_document_suppression *to = pl_err_must(calloc(n + 1, sizeof(*to)));

    for (size_t i = 0; i < n; i++)
        to[i] = (struct pl_document_suppression){from->list[i].path, from->list[i].text,
                                                 from->list[i].line, from->list[i].findings};
    d->n_suppressions = n;
    d->suppressions = to;
}

static struct pl_document_order *orders_of(const struct pl_result *r)
{
    static const char *const verdicts[] = {
        [PL_ORDER_NOT_SHOWN] = "not-shown",
        [PL_ORDER_SHOWN] = "shown",
        [PL_ORDER_LATER] = "shown-apart",
        [PL_ORDER_IMPOSSIBLE] = "impossible",
    };
    struct pl_document_order *to = pl_err_must(calloc(r->n_orders + 1, sizeof(*to)));

    for (size_t i = 0; i < r->n_orders; i++) {
        const struct pl_result_order *o = &r->orders[i];
        struct pl_document_finding *found = NULL;

        if (o->found != NULL) {
            found = pl_err_must(calloc(1, sizeof(*found)));
            fill_finding(found, o->found);
        }
        to[i] = (struct pl_document_order){
            o->text, verdicts[o->verdict], o->note,    o->first, o->second, o->both,
            o->met,  o->reversed,          o->between, found};
    }
    return to;
}

static void free_orders(const struct pl_document *d)
{
    for (size_t i = 0; i < d->n_orders; i++) {
        if (d->orders[i].found != NULL)
            free_finding((struct pl_document_finding *)d->orders[i].found);
        free((void *)d->orders[i].found);
    }
    free((void *)d->orders);
}

static void fill_document(struct pl_document *d, const struct pl_result *r)
{
    struct pl_document_module *modules = pl_err_must(calloc(r->n_modules + 1, sizeof(*modules)));
    struct pl_document_finding *findings =
        pl_err_must(calloc(r->n_findings + 1, sizeof(*findings)));

    struct pl_document_output *outputs = pl_err_must(calloc(r->n_outputs + 1, sizeof(*outputs)));

    for (size_t i = 0; i < r->n_outputs; i++)
        outputs[i] = (struct pl_document_output){r->outputs[i].text, r->outputs[i].execution,
                                                 r->outputs[i].count};
    for (size_t i = 0; i < r->n_modules; i++)
        modules[i] = (struct pl_document_module){r->modules[i].name, r->modules[i].instrumented};
    for (size_t i = 0; i < r->n_findings; i++)
        fill_finding(&findings[i], &r->findings[i]);
    *d = (struct pl_document){
        .program = r->program,
        .strategy = r->strategy,
        .folder = r->folder,
        .ended = r->ended,
        .until = r->until,
        .has_cover = r->has_cover,
        .cover = r->cover,
        .bound = r->bound,
        .bounds = r->bounds,
        .seed = r->seed,
        .jobs = r->jobs,
        .search_executions = r->search_executions,
        .executions = r->executions,
        .resumed = r->resumed,
        .points = r->points,
        .max_choices = r->max_choices,
        .classes = r->classes,
        .failures = r->failures,
        .lost = r->lost,
        .outlook = r->outlook,
        .coverage = r->coverage,
        .outside = r->outside,
        .outside_what = r->outside_what,
        .atomics = r->atomics,
        .samples = r->samples,
        .classes_once = r->classes_once,
        .classes_twice = r->classes_twice,
        .max_rss_kb = r->max_rss_kb,
        .bypassed = r->bypassed,
        .divergences = r->divergences,
        .examined = r->examined,
        .unexamined = r->unexamined,
        .findings_lost = r->findings_lost,
        .max_threads = r->max_threads,
        .classes_overflow = r->classes_overflow,
        .complete = r->complete,
        .interrupted = r->interrupted,
        .max_operations = r->max_operations,
        .limited = r->limited,
        .complete_within = r->complete_within,
        .instrumented = r->instrumented,
        .seconds = r->seconds,
        .recorded = r->recorded,
        .restart = r->restart,
        .restart_why = r->restart_why,
        .n_modules = r->n_modules,
        .n_findings = r->n_findings,
        .modules = modules,
        .findings = findings,
        .n_orders = r->n_orders,
        .orders = orders_of(r),
        .has_outputs = r->has_outputs,
        .n_outputs = r->n_outputs,
        .outputs = outputs,
        .outputs_lost = r->outputs_lost,
        .n_suppressed = r->n_suppressed,
        .has_trust = r->has_trust,
        .trusted_operations = r->trusted_operations,
        .times = r->times,
        .suppressed = r->suppressed,
    };
}

static void free_document(struct pl_document *d)
{
    for (size_t i = 0; i < d->n_findings; i++)
        free_finding((struct pl_document_finding *)&d->findings[i]);
    free_orders(d);
    free((void *)d->suppressions);
    free((void *)d->outputs);
    free((void *)d->findings);
    free((void *)d->modules);
}

void pl_output_finding(const struct pl_output *output, const struct pl_result_finding *finding,
                       size_t number)
{
    struct pl_document_style style = {output->color, output->verbose};
    struct pl_document_finding f;

    fill_finding(&f, finding);
    pl_finding_text_print(output->to, &f, number, &style);
    fflush(output->to);
    free_finding(&f);
}

void pl_output_summary(const struct pl_output *output, const struct pl_result *result)
{
    struct pl_document_style style = {output->color, output->verbose};
    struct pl_document d;

    fill_document(&d, result);
    add_suppressions(&d, output->suppressions);
    pl_summary_print(output->to, &d, &style);
    fflush(output->to);
    free_document(&d);
}

int pl_output_json(const struct pl_output *output, const struct pl_result *result)
{
    struct pl_document d;

    if (output->json == NULL)
        return 0;
    fill_document(&d, result);
    add_suppressions(&d, output->suppressions);
    int rc = pl_json_write(output->json, &d);

    if (rc != 0)
        fprintf(stderr, "plait: %s could not be written: %s. Give --json another file.\n",
                output->json, strerror(errno));
    free_document(&d);
    return rc;
}
