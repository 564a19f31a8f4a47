/* SPDX-License-Identifier: MIT */
/* A finding as a JSON object: its members are the rows of result/finding.def, in their order. */
#include "report/place.h"
#include "report/report.h"
#include "trace/value.h"

#include <inttypes.h>

/* An empty key says that something is not in the object. */
static void put(json_t *o, const char *key, json_t *value)
{
    if (key[0] != '\0')
        json_object_set_new(o, key, value);
    else
        json_decref(value);
}

static json_t *of_stack(const char (*stack)[PL_RESULT_LINE], size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, pl_value_text(stack[i]));
    return list;
}

static json_t *of_thread(const struct pl_result_thread *t)
{
    json_t *o = json_object();

#define PL_OF_THREAD_TEXT(name, size, key) put(o, key, pl_value_text(t->name));
#include "result/finding.def"
    put(o, "place", pl_place_json(t->location));
    put(o, "stack", of_stack(t->stack, t->n_stack));
    return o;
}

static json_t *of_threads(const struct pl_result_finding *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->n_threads; i++)
        json_array_append_new(list, of_thread(&f->threads[i]));
    return list;
}

static json_t *of_lock(const struct pl_result_lock *lock)
{
    json_t *o = json_object();

#define PL_OF_LOCK_TEXT(name, size, key) put(o, key, pl_value_text(lock->name));
#define PL_OF_LOCK_FLAG(name, key) put(o, key, json_boolean(lock->name));
#include "result/finding.def"
    return o;
}

static json_t *of_access(const struct pl_result_access *a)
{
    json_t *o = json_object(), *locks = json_array();

#define PL_OF_ACCESS_TEXT(name, size, key) put(o, key, pl_value_text(a->name));
#define PL_OF_ACCESS_NUMBER(name, key) put(o, key, pl_value_number(a->name));
#include "result/finding.def"
    for (size_t i = 0; i < a->n_locks; i++)
        json_array_append_new(locks, of_lock(&a->locks[i]));
    put(o, "place", pl_place_json(a->location));
    put(o, "stack", of_stack(a->stack, a->n_stack));
    put(o, "locks", locks);
    return o;
}

static json_t *of_accesses(const struct pl_result_finding *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->n_accesses; i++)
        json_array_append_new(list, of_access(&f->accesses[i]));
    return list;
}

static json_t *of_signature(const struct pl_result_finding *f)
{
    char hex[20];

    snprintf(hex, sizeof(hex), "%016" PRIx64, f->signature);
    return pl_value_text(hex);
}

static json_t *of_identity(const struct pl_result_finding *f)
{
    char hex[20];

    snprintf(hex, sizeof(hex), "%016" PRIx64, f->identity);
    return pl_value_text(hex);
}

static json_t *of_finding_place(const struct pl_result_finding *f)
{
    return pl_place_json(f->location);
}

static json_t *of_out(const struct pl_result_finding *f)
{
    return pl_value_text(f->out.text);
}

static json_t *of_err(const struct pl_result_finding *f)
{
    return pl_value_text(f->err.text);
}

static json_t *of_part(const struct pl_result_part *part)
{
    json_t *o = json_object();

#define PL_OF_PART_TEXT(name, size, key) put(o, key, pl_value_text(part->name));
#include "result/finding.def"
    put(o, "place", pl_place_json(part->location));
    return o;
}

static json_t *of_explanation(const struct pl_result_finding *f)
{
    const struct pl_result_explanation *e = &f->explanation;
    json_t *o = json_object();

    put(o, "text", pl_value_text(e->text));
    if (e->passing[0] != '\0')
        put(o, "passing", pl_value_text(e->passing));
    if (e->ordered) {
        put(o, "first", of_part(&e->first));
        put(o, "second", of_part(&e->second));
    }
    return o;
}

static json_t *of_driven(const struct pl_result_finding *f)
{
    return pl_value_text(f->driven.text);
}

static json_t *of_confirmed(const struct pl_result_finding *f)
{
    return json_boolean(f->driven.confirmed);
}

static json_t *of_tries(const struct pl_result_finding *f)
{
    return pl_value_number(f->driven.tries);
}

static json_t *of_effect(const struct pl_result_finding *f)
{
    return pl_value_text(f->driven.effect);
}

static json_t *of_schedules(const struct pl_result_finding *f)
{
    json_t *list = json_array();

    for (unsigned i = 0; i < 2; i++) {
        if (f->driven.schedules[i][0] != '\0')
            json_array_append_new(list, pl_value_text(f->driven.schedules[i]));
    }
    return list;
}

json_t *pl_json_finding(const struct pl_result_finding *f)
{
    json_t *o = json_object();

#define PL_OF_FINDING_TEXT(name, size, key, when) \
    if (when)                                     \
        put(o, key, pl_value_text(f->name));
#define PL_OF_FINDING_NUMBER(name, key, when) \
    if (when)                                 \
        put(o, key, pl_value_number(f->name));
#define PL_OF_FINDING_FLAG(name, key, when) \
    if (when)                               \
        put(o, key, json_boolean(f->name));
#define PL_OF_FINDING_MEMBER(key, when, function) \
    if (when)                                     \
        put(o, key, function(f));
#include "result/finding.def"
    return o;
}
