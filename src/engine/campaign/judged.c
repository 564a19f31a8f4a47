/* SPDX-License-Identifier: MIT */
/* See judged.h.  Strategies have counted by numbers of pairs; names are put to them here. */
#include "engine/campaign/judged.h"

#include "base/assert.h"
#include "trace/known.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const struct pl_pair_table *table_of(const struct pl_session *session)
{
    return (const struct pl_pair_table *)(const void *)session->common->pairs;
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Where that is: as the table says, if it is a site. */
static void name_place(struct pl_findings *f, const struct pl_pair_table *t, uint64_t pc, char *to,
                       size_t size)
{
    uint32_t position = pl_pair_position_at(t, pc);
    uint32_t site = position != PL_PAIR_NONE ? pl_pair_positions(t)[position].site : PL_PAIR_NONE;

    to[0] = '\0';
    if (pc == 0)
        snprintf(to, size, "its end");
    else if (site != PL_PAIR_NONE)
        snprintf(to, size, "%.60s:%u", last_name(pl_pair_string(t, pl_pair_sites(t)[site].file)),
                 pl_pair_sites(t)[site].line);
    else
        pl_findings_locate(f, pc, to, size);
    if (to[0] == '\0')
        snprintf(to, size, "0x%llx", (unsigned long long)pc);
}

static void name_object(struct pl_findings *f, uint64_t addr, char *to, size_t size)
{
    to[0] = '\0';
    pl_findings_name(f, addr, to, size);
    if (to[0] == '\0')
        snprintf(to, size, "0x%llx", (unsigned long long)addr);
}

/* Why the last attempt was in vain. */
static void explain(struct pl_findings *f, const struct pl_pair_table *t, const struct pl_judged *v,
                    char *to, size_t size)
{
    char a[80], b[80];

    to[0] = '\0';
    if (v->why == 0)
        return;
    enum pl_judged_kind kind = (enum pl_judged_kind)(v->why - 1);

    PL_ASSERT(kind < PL_JUDGED_KINDS);
    switch (kind) {
    case PL_JUDGED_BRANCH:
    case PL_JUDGED_CALLEE:
        name_place(f, t, v->from, a, sizeof(a));
        name_place(f, t, v->to, b, sizeof(b));
        snprintf(to, size, "%s: from %s to %s", pl_judged_phrase(kind), a, b);
        return;
    case PL_JUDGED_ALIAS:
        name_object(f, v->from, a, sizeof(a));
        name_object(f, v->to, b, sizeof(b));
        snprintf(to, size, "%s: %s, not %s", pl_judged_phrase(kind), b, a);
        return;
    case PL_JUDGED_BLOCKED:
    case PL_JUDGED_LOOP:
        name_place(f, t, v->from, a, sizeof(a));
        snprintf(to, size, "%s: at %s", pl_judged_phrase(kind), a);
        return;
    default:
        snprintf(to, size, "%s", pl_judged_phrase(kind));
    }
}

/* The schedule of the execution, if it is one that was written down. */
static void find_schedule(const struct pl_result *r, uint64_t execution, char *to, size_t size)
{
    for (size_t i = 0; i < r->n_findings; i++) {
        if (r->findings[i].execution == execution)
            snprintf(to, size, "%s", r->findings[i].schedule);
    }
}

static struct pl_known_order order_of(const struct pl_result *r, struct pl_findings *f,
                                      const struct pl_pair_table *t, uint32_t pair,
                                      unsigned direction, const struct pl_judged *v, bool settled)
{
    const struct pl_pair *p = &pl_pair_pairs(t)[pair];
    const struct pl_pair_site *sites = pl_pair_sites(t);
    struct pl_known_order o = {.first = sites[direction == 0 ? p->a : p->b].key,
                               .second = sites[direction == 0 ? p->b : p->a].key,
                               .kind = p->kind,
                               .attempts = v->attempts,
                               .execution = v->failed > 0 ? v->execution : 0};

    for (unsigned k = 0; k < PL_JUDGED_KINDS; k++)
        o.of[k] = v->of[k];
    if (v->failed > 0)
        o.status = PL_KNOWN_FAILED;
    else if (v->shown > 0 || v->of[PL_JUDGED_FULFILLED] > 0)
        o.status = PL_KNOWN_SHOWN;
    else
        o.status = settled ? PL_KNOWN_IMPOSSIBLE : PL_KNOWN_OPEN;
    if (o.status <= PL_KNOWN_IMPOSSIBLE)
        explain(f, t, v, o.why, sizeof(o.why));
    if (o.status == PL_KNOWN_IMPOSSIBLE && o.why[0] == '\0')
        snprintf(o.why, sizeof(o.why), "no execution came to both, with the same object");
    if (o.status == PL_KNOWN_FAILED)
        find_schedule(r, v->execution, o.schedule, sizeof(o.schedule));
    return o;
}

static void count_status(struct pl_result_values *to, enum pl_known_status status)
{
    to->orders++;
    to->shown += status >= PL_KNOWN_SHOWN;
    to->failed += status == PL_KNOWN_FAILED;
    to->impossible += status == PL_KNOWN_IMPOSSIBLE;
    to->open += status == PL_KNOWN_OPEN;
}

int pl_judged_finish(struct pl_result *r, const char *home, const struct pl_session *session,
                     struct pl_findings *findings, struct pl_err *err)
{
    const struct pl_pair_table *t = table_of(session);
    const struct pl_judgements *v = &session->common->verdicts;
    struct pl_result_values *to = &r->values;
    struct pl_known known = {0};
    char path[4096];

    if (t->magic != PL_PAIR_MAGIC)
        return 0;
    to->known = true;
    to->aimed = session->common->goals.aimed;
    to->met = session->common->goals.met;
    /* Whoever does not go by pairs has not looked for what his executions show. */
    bool paired = pl_strategy_named_is(r->strategy, PL_TRAIT_PAIRED);

    if (!paired)
        pl_goals_read(&session->common->goals, &session->common->verdicts, t,
                      &session->common->cover);
    to->attempts = v->attempts;
    to->switches = v->switches;
    for (unsigned k = 0; k < PL_JUDGED_KINDS; k++)
        to->of[k] = v->of[k];
    bool settled = r->complete && v->overlooked == 0 && paired;

    snprintf(path, sizeof(path), "%s/%s", home, PL_KNOWN_FILE);
    int lock = open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    while (lock >= 0 && flock(lock, LOCK_EX) != 0 && errno == EINTR)
        continue; /* another campaign of the program adds what it has seen */
    int rc = pl_known_read(&known, path, err);

    for (uint32_t i = 0; rc == 0 && i < t->n_pairs; i++) {
        const struct pl_pair *p = &pl_pair_pairs(t)[i];

        to->pairs[p->kind]++;
        for (unsigned d = 0; d < (p->a == p->b ? 1 : 2) && i < PL_JUDGED_PAIRS; d++) {
            struct pl_known_order o = order_of(r, findings, t, i, d, &v->pairs[i][d], settled);

            count_status(to, o.status);
            pl_known_add(&known, &o);
        }
    }
    if (rc == 0)
        rc = pl_known_write(&known, path, err);
    if (lock >= 0)
        close(lock);
    pl_known_free(&known);
    return rc;
}
