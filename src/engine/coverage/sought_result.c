/* SPDX-License-Identifier: MIT */
/*
 * See sought_result.h.  An order that was not shown is impossible only if the
 * search was complete, and cared for it: operations that do not conflict, or commute, are in
 * no order for a search that reduces.
 */
#include "engine/coverage/sought_result.h"

#include "base/assert.h"
#include "base/err.h"
#include "engine/shared/glob.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static unsigned long long big(uint64_t n)
{
    return n;
}

__attribute__((format(printf, 2, 3))) static void say(struct pl_result_order *to,
                                                      const char *format, ...)
{
    size_t used = strlen(to->note);
    va_list args;
    PL_ASSERT(used < sizeof(to->note));

    va_start(args, format);
    vsnprintf(to->note + used, sizeof(to->note) - used, format, args);
    va_end(args);
}

static void write_side(const struct pl_sought_side *side, char *to, size_t size)
{
    if (side->line != 0)
        snprintf(to, size, "%s:%u", side->name, side->line);
    else
        snprintf(to, size, "%s", side->name);
}

/* The nearest lines of the file at which an operation was performed; 0: there is none. */
static void find_nearest(const struct pl_session *session, const struct pl_sought_side *side,
                         unsigned *below, unsigned *above)
{
    const struct pl_sought *s = &session->common->sought;

    *below = *above = 0;
    for (unsigned i = 0; i < PL_SOUGHT_PLACES && session->sought.symbols != NULL; i++) {
        if (s->places[i].pc == 0)
            continue;
        const struct pl_symbols_code *code =
            pl_symbols_code(session->sought.symbols, s->places[i].pc);

        if (code->line == 0 || !pl_glob_fits_file(side->name, code->file, 0))
            continue;
        if (code->line < side->line && code->line > *below)
            *below = code->line;
        if (code->line > side->line && (*above == 0 || code->line < *above))
            *above = code->line;
    }
}

/* Nobody performed anything there. */
static void say_never(struct pl_result_order *to, const struct pl_session *session,
                      const struct pl_sought_side *side)
{
    char name[PL_SOUGHT_TEXT + 16];
    unsigned below, above;

    PL_ASSERT(side->name[0] != '\0');
    write_side(side, name, sizeof(name));
    say(to, "no execution performed %s at %s after the first thread was created",
        side->n_pcs > 0 ? "the pair's statement" : "an operation", name);
    if (side->line == 0 || side->n_pcs > 0)
        return;
    find_nearest(session, side, &below, &above);
    if (below != 0 && above != 0)
        say(to, " (but at lines %u and %u)", below, above);
    else if (below != 0 || above != 0)
        say(to, " (but at line %u)", below != 0 ? below : above);
}

/* How close it came. */
static void say_counts(struct pl_result_order *to, const struct pl_session *session, unsigned i)
{
    const struct pl_sought_side *sides = session->sought.sides[i];
    char a[PL_SOUGHT_TEXT + 16], b[PL_SOUGHT_TEXT + 16];

    write_side(&sides[0], a, sizeof(a));
    write_side(&sides[1], b, sizeof(b));
    if (to->first == 0)
        say_never(to, session, &sides[0]);
    if (to->first == 0 && to->second == 0 && strcmp(a, b) != 0)
        say(to, "; ");
    if (to->second == 0 && strcmp(a, b) != 0)
        say_never(to, session, &sides[1]);
    if (to->first == 0 || to->second == 0)
        return;
    if (strcmp(a, b) == 0)
        say(to, "%s was performed in %llu execution%s", a, big(to->first), plural(to->first));
    else
        say(to, "%s was performed in %llu execution%s, %s in %llu, both in %llu", a, big(to->first),
            plural(to->first), b, big(to->second), big(to->both));
    if (to->both == 0)
        return;
    if (to->met == 0) {
        say(to, "%s",
            session->common->sought.orders[i].meets ? "; they were never at one object"
            : strcmp(a, b) == 0
                ? "; no two threads conflicted there"
                : "; they do not conflict, and in no execution did another thread come to "
                  "the second after the first");
        return;
    }
    if (to->reversed > 0)
        say(to, "; in the other order in %llu", big(to->reversed));
    if (to->between > 0)
        say(to,
            "; in this order but with a change of the same memory or object between them in %llu",
            big(to->between));
    if (to->reversed == 0 && to->between == 0)
        say(to, "; never next to each other");
}

static void judge(struct pl_result_order *to, const struct pl_result *r,
                  const struct pl_session *session, unsigned i)
{
    const struct pl_sought *s = &session->common->sought;
    bool cares = to->both == 0 || (s->orders[i].meets && to->met == 0) ||
                 (to->met > 0 && s->orders[i].commuted == 0);

    if (s->orders[i].shown) {
        to->verdict = PL_ORDER_SHOWN;
        return;
    }
    if (pl_sought_is_later(&s->orders[i])) {
        to->verdict = PL_ORDER_LATER;
        return;
    }
    if (r->complete && cares && !s->lost) {
        to->verdict = PL_ORDER_IMPOSSIBLE;
        say(to, "all %llu class%s of executions seen, none has this order; ", big(r->classes),
            r->classes == 1 ? "" : "es");
    }
    say_counts(to, session, i);
    if (s->lost)
        say(to, "; the program has more places than can be remembered");
}

void pl_sought_result(struct pl_result *r, struct pl_session *session)
{
    const struct pl_sought *s = &session->common->sought;
    unsigned n = session->sought.n;

    PL_ASSERT(r->orders == NULL && n <= PL_SOUGHT_ORDERS);
    r->orders = pl_err_must(calloc(n + 1, sizeof(*r->orders)));
    r->n_orders = n;
    for (unsigned i = 0; i < n; i++) {
        const struct pl_sought_order *o = &s->orders[i];

        r->orders[i] = (struct pl_result_order){
            .first = o->first,
            .second = o->second,
            .both = o->both,
            .met = o->met,
            .reversed = o->reversed,
            .between = o->between,
        };
        snprintf(r->orders[i].text, sizeof(r->orders[i].text), "%s", session->sought.texts[i]);
        judge(&r->orders[i], r, session, i);
    }
}
