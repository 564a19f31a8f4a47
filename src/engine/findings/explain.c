/* SPDX-License-Identifier: MIT */
/*
 * See explain.h.  An operation is the same in both executions when its thread,
 * by name, and its ordinal are.  Whether two conflict is asked within one
 * execution, since addresses of another may differ.
 */
#include "engine/findings/explain.h"

#include "base/assert.h"
#include "engine/findings/event_index.h"
#include "model/depend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 2000, /* operations of the failing execution that are looked at */
    REACH = 50000, /* and of the passing one for each of them */
};

static bool is_same(const struct pl_event *a, const struct pl_event *b)
{
    return a->op.name == b->op.name && a->op.ordinal == b->op.ordinal && a->op.kind == b->op.kind;
}

static uint64_t parting(const struct pl_explain_side *f, const struct pl_explain_side *p)
{
    uint64_t n = f->n < p->n ? f->n : p->n, i = 0;

    while (i < n && is_same(&f->events[i], &p->events[i]))
        i++;
    return i;
}

/* Both executions from where they part, and where in them an operation is. */
struct comparison {
    const struct pl_explain_side *failing, *passing;
    struct pl_event_index in_failing, in_passing;
    uint64_t from;
};

static void open_comparison(struct comparison *c, const struct pl_explain_side *f,
                            const struct pl_explain_side *p)
{
    *c = (struct comparison){.failing = f, .passing = p, .from = parting(f, p)};
    PL_ASSERT(c->from <= f->n && c->from <= p->n);
    pl_event_index_open(&c->in_failing, f->events + c->from, f->n - c->from, true);
    pl_event_index_open(&c->in_passing, p->events + c->from, p->n - c->from, true);
}

static void close_comparison(struct comparison *c)
{
    pl_event_index_close(&c->in_failing);
    pl_event_index_close(&c->in_passing);
}

/* Operation e in the other execution, from where the two part on; NULL when it is not there. */
static const struct pl_event *same(const struct pl_event_index *in, const struct pl_event *e)
{
    const struct pl_event *found = pl_event_index_find(in, e->op.name, e->op.ordinal);

    return found != NULL && is_same(found, e) ? found : NULL;
}

static bool is_memory(const struct pl_event *e)
{
    return pl_operation_object(e->op.kind) == PL_OBJECT_MEMORY;
}

static uint64_t size_of(const struct pl_event *e)
{
    return e->op.size > 0 ? e->op.size : 1;
}

/* What it has done, and to what, is in the event. */
static bool is_known(const struct pl_event *e)
{
    return pl_operation_is(e->op.kind, PL_ROLE_CALLS) && e->op.effect != PL_EFFECT_NONE;
}

static bool conflict(const struct pl_event *a, const struct pl_event *b)
{
    if (is_known(a) && is_known(b))
        return a->op.name != b->op.name && pl_depend(&a->op, &b->op);

    enum pl_effect ea = pl_operation_effect(a->op.kind), eb = pl_operation_effect(b->op.kind);

    if (a->op.name == b->op.name || ea == PL_EFFECT_NONE || eb == PL_EFFECT_NONE ||
        (ea == PL_EFFECT_READ && eb == PL_EFFECT_READ) || a->op.addr == 0 || b->op.addr == 0)
        return false;
    if (!is_memory(a) || !is_memory(b))
        return a->op.addr == b->op.addr && is_memory(a) == is_memory(b);
    return a->op.addr < b->op.addr + size_of(b) && b->op.addr < a->op.addr + size_of(a);
}

/* What a pair must be to count. */
enum wish { OWN, PREFERRED, ANYTHING, ABSENT, WISHES };

/* Whether two places are one thing to the reader: the same object, or parts of one block. */
static bool is_one(const struct pl_place *a, const struct pl_place *b)
{
    return a->kind == b->kind && a->kind != PL_PLACE_CALL && a->site == b->site &&
           a->tid == b->tid && a->count == b->count;
}

static bool is_named(const struct pl_place *p)
{
    return p->kind == PL_PLACE_STATIC || p->kind == PL_PLACE_HEAP || p->kind == PL_PLACE_STACK;
}

/* Whether the thread of b, which the failing execution does not have, was still before it there:
 * it has not gone another way. */
static bool was_coming(const struct comparison *c, const struct pl_event *b)
{
    for (const struct pl_event *e = c->failing->events + c->failing->n; e > c->failing->events;) {
        if ((--e)->op.name == b->op.name)
            return e->op.ordinal < b->op.ordinal;
    }
    return true;
}

/*
 * Whether it is true of the failing execution that `a` comes before b: what has the same number
 * there may concern other memory.  `there` is `a`, and `before` is b, in the other execution.
 */
static bool is_true(const struct comparison *c, const struct pl_event *a,
                    const struct pl_event *there, const struct pl_event *b,
                    const struct pl_event *before)
{
    if (there != NULL && is_named(&a->object) && !is_one(&a->object, &there->object))
        return false;
    return before != NULL ? conflict(a, before) : was_coming(c, b);
}

/*
 * The first operation of the passing execution that comes before `a` there,
 * conflicts with it, and comes after it, or never, where it fails.
 */
static const struct pl_event *turned(const struct comparison *c, const struct pl_event *a,
                                     enum wish wish)
{
    const struct pl_explain_side *p = c->passing;
    const struct pl_event *there = same(&c->in_passing, a);
    const struct pl_event *end = there != NULL ? there : p->events + p->n;

    if ((there == NULL) != (wish == ABSENT))
        return NULL;
    if (end - p->events > (ptrdiff_t)(c->from + REACH))
        end = p->events + c->from + REACH;
    for (const struct pl_event *b = p->events + c->from; b < end; b++) {
        if (!conflict(there != NULL ? there : a, b))
            continue;
        const struct pl_event *before = same(&c->in_failing, b);

        if ((before == NULL || before > a) && is_true(c, a, there, b, before))
            return b;
    }
    return NULL;
}

/* OWN: of the thread that goes on where they part. */
static bool fits(const struct pl_event *e, const struct pl_event *own, enum wish wish, bool locks)
{
    return (wish != OWN || e->op.name == own->op.name) &&
           (wish > PREFERRED || is_memory(e) != locks);
}

static struct pl_explain_pair find_turned(const struct comparison *c, bool locks)
{
    const struct pl_explain_side *f = c->failing;
    PL_ASSERT(c->from <= f->n);
    uint64_t end = f->n - c->from > WINDOW ? c->from + WINDOW : f->n;

    for (unsigned wish = OWN; wish < WISHES; wish++) {
        for (uint64_t i = c->from; i < end; i++) {
            if (!fits(&f->events[i], &f->events[c->from], (enum wish)wish, locks))
                continue;
            const struct pl_event *b = turned(c, &f->events[i], (enum wish)wish);

            if (b != NULL)
                return (struct pl_explain_pair){&f->events[i], b, true};
        }
    }
    return (struct pl_explain_pair){NULL, NULL, false};
}

struct pl_explain_pair pl_explain_find(const struct pl_explain_side *failing,
                                       const struct pl_explain_side *passing, bool locks)
{
    struct comparison c;

    open_comparison(&c, failing, passing);
    struct pl_explain_pair pair = find_turned(&c, locks);

    PL_ASSERT((pair.first == NULL) == (pair.second == NULL));
    if (pair.first == NULL && c.from < failing->n)
        pair.first = &failing->events[c.from];
    if (pair.second == NULL && c.from < passing->n)
        pair.second = &passing->events[c.from];
    close_comparison(&c);
    return pair;
}

static void fill_part(struct pl_result_part *to, const struct pl_scene *scene,
                      const struct pl_event *e)
{
    pl_describe_thread(scene, e->op.tid, to->thread, sizeof(to->thread));
    snprintf(to->operation, sizeof(to->operation), "%s", pl_operation_text(e->op.kind));
    pl_describe_place(scene, &e->object, to->object, sizeof(to->object));
    pl_describe_line(scene, pl_describe_event_pc(scene, e), to->location, sizeof(to->location));
}

/* The phrase with the object's name where it has a place for it. */
static void say_phrase(FILE *f, const char *phrase, const char *object)
{
    const char *place = strchr(phrase, '%');

    if (place == NULL)
        fputs(phrase, f);
    else
        fprintf(f, "%.*s%s%s", (int)(place - phrase), phrase, object, place + 1);
}

/* "thread 0.1 reads count (count.c:4)"; `object` in place of its own name. */
static void say_part(char *to, size_t size, const struct pl_result_part *part, unsigned kind,
                     const char *object)
{
    const char *phrase = pl_operation_phrase(kind);
    FILE *f = fmemopen(to, size, "w");
    PL_ASSERT(size > 0);

    if (f == NULL)
        abort();
    char unnamed[PL_RESULT_WORD];

    snprintf(unnamed, sizeof(unnamed), "%s%s",
             pl_operation_object(kind) == PL_OBJECT_MEMORY ? "" : "a ",
             pl_object_text(pl_operation_object(kind)));
    if (object[0] == '\0')
        object = unnamed;
    fprintf(f, "thread %s ", part->thread);
    if (phrase != NULL)
        say_phrase(f, phrase, object);
    else
        fprintf(f, "does %s%s%s", part->operation, part->object[0] ? " of " : "", part->object);
    if (part->location[0] != '\0')
        fprintf(f, " (%s)", part->location);
    fclose(f);
    to[size - 1] = '\0';
}

void pl_explain_order(struct pl_result_explanation *out, const struct pl_explain_side *failing,
                      const struct pl_explain_side *passing, const struct pl_explain_pair *pair)
{
    char first[PL_RESULT_TEXT], second[PL_RESULT_TEXT];

    if (pair->first == NULL)
        return;
    fill_part(&out->first, failing->scene, pair->first);
    say_part(first, sizeof(first), &out->first, pair->first->op.kind, out->first.object);
    if (pair->second != NULL)
        fill_part(&out->second, passing->scene, pair->second);
    /* Where accesses were not known to be shared, the switch itself may not be in the traces. */
    out->ordered = pair->second != NULL && strcmp(out->first.thread, out->second.thread) != 0;
    if (!out->ordered) {
        snprintf(out->text, sizeof(out->text), "%.600s at a bad moment", first);
        return;
    }
    bool it = is_one(&pair->first->object, &pair->second->object);

    say_part(second, sizeof(second), &out->second, pair->second->op.kind,
             it ? "it" : out->second.object);
    snprintf(out->text, sizeof(out->text), "%.600s before %.600s", first, second);
}

static const struct pl_event *find_event(const struct pl_explain_side *in,
                                         const struct pl_choice *c)
{
    for (uint64_t i = 0; i < in->n; i++) {
        if (in->events[i].op.tid == c->tid && in->events[i].op.ordinal == c->ordinal)
            return &in->events[i];
    }
    return NULL;
}

/* Where a signal finds its thread; see runtime/system/signal_handle.c. */
static const char *met_by_signal(const struct pl_choice *taken)
{
    if (taken->op == PL_OP_SIGNAL_MASK)
        return taken->taken == 0 ? "before it sends itself the same" : "sending itself the same";
    return taken->taken == 0 ? "in its call" : "on its way to its call";
}

void pl_explain_choice(struct pl_result_explanation *out, const struct pl_explain_side *failing,
                       const struct pl_choice *taken, const struct pl_choice *other)
{
    const struct pl_event *e = find_event(failing, taken);
    char thread[PL_RESULT_WORD], a[PL_RESULT_WORD], b[PL_RESULT_WORD], place[PL_RESULT_LINE] = "";
    char at[PL_RESULT_LINE + 8] = "";

    pl_describe_thread(failing->scene, taken->tid, thread, sizeof(thread));
    if (e != NULL)
        pl_describe_line(failing->scene, pl_describe_event_pc(failing->scene, e), place,
                         sizeof(place));
    if (place[0] != '\0')
        snprintf(at, sizeof(at), " (%s)", place);
    switch (taken->kind) {
    case PL_CHOICE_WAITER:
        pl_describe_thread(failing->scene, taken->target, a, sizeof(a));
        pl_describe_thread(failing->scene, other->target, b, sizeof(b));
        snprintf(out->text, sizeof(out->text), "thread %s%s wakes thread %s and not thread %s",
                 thread, at, a, b);
        break;
    case PL_CHOICE_VALUE:
        if (taken->op == PL_OP_ATOMIC_RMW) {
            snprintf(out->text, sizeof(out->text), "thread %s%s allocates a block %s", thread, at,
                     taken->taken == 1 ? "where it, or another, has freed one"
                                       : "elsewhere than where one was freed");
            break;
        }
        snprintf(out->text, sizeof(out->text),
                 "plait_choose() in thread %s%s returns %u and not %u", thread, at, taken->taken,
                 other->taken);
        break;
    case PL_CHOICE_WEAK_CAS:
        snprintf(out->text, sizeof(out->text), "a weak compare-exchange in thread %s%s %s", thread,
                 at, taken->taken == 1 ? "fails for no reason" : "does not fail for no reason");
        break;
    default:
        if (e != NULL && e->op.kind == PL_OP_SIGNAL_TAKE) {
            snprintf(out->text, sizeof(out->text), "a signal finds thread %s%s %s", thread, at,
                     met_by_signal(taken));
            break;
        }
        if (e != NULL && e->op.way == PL_WAY_CANCEL) {
            snprintf(out->text, sizeof(out->text), "a signal and its end find thread %s%s %s",
                     thread, at, met_by_signal(taken));
            break;
        }
        snprintf(out->text, sizeof(out->text), "the wait of thread %s%s %s", thread, at,
                 taken->taken == 1 ? "ends for no reason" : "ends by its timeout");
        break;
    }
}
