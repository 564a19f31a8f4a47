/* SPDX-License-Identifier: MIT */
/* See result.h: what belongs to a result, and how it is given back. */
#include "result/result.h"

#include "base/assert.h"
#include "base/err.h"
#include "result/request.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const struct pl_result_keys pl_result_keys = {
#define PL_RESULT_NUMBER(name, from, key, when, part, sentence) .name = key,
#define PL_RESULT_FLAG(name, key, when) .name = key,
#define PL_RESULT_REAL(name, key, when) .name = key,
#define PL_RESULT_TEXT(name, size, key, when) .name = key,
#include "model/result.def"
};

const struct pl_result_finding_keys pl_result_finding_keys = {
#define PL_OF_FINDING_TEXT(name, size, key, when) .name = key,
#include "result/finding.def"
};

bool pl_result_uncontrolled(const struct pl_result *r)
{
    return r->executions > 0 && r->max_threads == 0;
}

size_t pl_result_suppressions(const struct pl_result *r)
{
    return r->suppressions != NULL ? r->suppressions->n : 0;
}

const char *pl_result_verdict(enum pl_order_verdict verdict)
{
    static const char *const texts[PL_ORDER_VERDICTS] = {
        [PL_ORDER_NOT_SHOWN] = "not-shown",
        [PL_ORDER_SHOWN] = "shown",
        [PL_ORDER_LATER] = "shown-apart",
        [PL_ORDER_IMPOSSIBLE] = "impossible",
    };

    PL_ASSERT(verdict < PL_ORDER_VERDICTS);
    return texts[verdict];
}

void pl_result_note(struct pl_result *r, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        abort();
    va_end(args);
    r->notes = pl_err_must(realloc(r->notes, (r->n_notes + 1) * sizeof(*r->notes)));
    r->notes[r->n_notes++] = text;
}

void pl_result_forget(struct pl_result_finding *f)
{
    free(f->out.text);
    free(f->err.text);
    f->out = f->err = (struct pl_result_said){0};
    free(f->threads);
    free(f->stack);
    free(f->accesses);
    f->threads = NULL;
    f->stack = NULL;
    f->accesses = NULL;
    f->n_threads = f->n_stack = f->n_accesses = 0;
}

static void free_orders(struct pl_result *r)
{
    for (size_t i = 0; i < r->n_orders; i++) {
        if (r->orders[i].found != NULL)
            pl_result_forget(r->orders[i].found);
        free(r->orders[i].found);
    }
    free(r->orders);
    r->orders = NULL;
    r->n_orders = 0;
}

void pl_result_free(struct pl_result *r)
{
    PL_ASSERT(r->n_findings == 0 || r->findings != NULL);
    PL_ASSERT(r->n_outputs == 0 || r->outputs != NULL);
    for (size_t i = 0; i < r->n_findings; i++)
        pl_result_forget(&r->findings[i]);
    free_orders(r);
    for (size_t i = 0; i < r->n_outputs; i++)
        free(r->outputs[i].text);
    for (size_t i = 0; i < r->n_notes; i++)
        free(r->notes[i]);
    free(r->notes);
    r->notes = NULL;
    r->n_notes = 0;
    free(r->outputs);
    free(r->findings);
    free(r->modules);
    r->outputs = NULL;
    r->findings = NULL;
    r->modules = NULL;
    r->n_findings = r->n_modules = r->n_outputs = 0;
}
