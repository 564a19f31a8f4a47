/* SPDX-License-Identifier: MIT */
/*
 * The end of a campaign for a person at a terminal.  It says what was explored
 * and how far that can be trusted; it never pretends.
 */
#include "base/assert.h"
#include "model/finding.h"
#include "model/incomplete.h"
#include "report/line.h"
#include "report/report.h"
#include "result/incomplete.h"
#include "result/request.h"
#include "result/sentence.h"

#include <string.h>

#define PLAIN "\033[0m"

enum { OUTPUTS_SHOWN = 20, LINE_SHOWN = 72 };

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static unsigned long long big(uint64_t n)
{
    return n;
}

/* The parts of the summary where rows of result.def have their sentences. */
enum part { PART_NOWHERE, PART_VERDICT, PART_CONTROL, PART_OUTPUTS, PART_TRUST };

static void say(FILE *to, const char *before, const char *sentence, uint64_t n)
{
    char line[PL_RESULT_LINE];

    pl_sentence_count(line, sizeof(line), sentence, n);
    fprintf(to, "%s%s\n", before, line);
}

/* The sentences of a part, each behind `before`. */
static void print_part(FILE *to, const struct pl_result *r, enum part part, const char *before)
{
    PL_ASSERT(part != PART_NOWHERE);
#define PL_RESULT_NUMBER(name, from, key, when, where, sentence) \
    if (PART_##where == part && (when) && r->name > 0)           \
        say(to, before, sentence, r->name);
#define PL_RESULT_SENTENCE(where, when, number, sentence) \
    if (PART_##where == part && (when))                   \
        say(to, before, sentence, number);
#include "model/result.def"
}

/* Whether nothing stands against completeness but what is not modelled, or has no hooks. */
static bool is_complete_but(const struct pl_result *r)
{
    const uint32_t some = PL_INCOMPLETE_UNSEEN | PL_INCOMPLETE_UNMODELLED;

    return r->incomplete != 0 && (r->incomplete & ~some) == 0;
}

/* " but for libuv.so.1, without hooks, and for the system call ...", or nothing. */
static void but_for(const struct pl_result *r, char *to, size_t size)
{
    char unseen[PL_RESULT_LINE / 2];

    to[0] = '\0';
    if (!is_complete_but(r))
        return;
    bool hidden = (r->incomplete & (uint32_t)PL_INCOMPLETE_UNSEEN) != 0;

    pl_incomplete_unseen(r, unseen, sizeof(unseen));
    if (hidden)
        snprintf(to, size, " but for %s, without hooks", unseen);
    if ((r->incomplete & (uint32_t)PL_INCOMPLETE_UNMODELLED) != 0)
        snprintf(to + strlen(to), size - strlen(to), "%s for %.150s, which is not modelled",
                 hidden ? ", and" : " but", r->unmodelled);
}

/* What a search over blocks did not look into because the user says that it is right. */
static const char *trusting(const struct pl_result *r)
{
    return r->coverage.paths.known && r->trusted_operations > 0 ? " if what is trusted is right"
                                                                : "";
}

/* What is left out by the user's wish is no part of the claim. */
static const char *as_seen(const struct pl_result *r)
{
    return r->hooks_only ? " as far as hooks tell" : "";
}

static void print_verdict(FILE *to, const struct pl_result *r, const struct pl_report_style *s)
{
    const char *color = r->n_findings > 0 ? "\033[1;31m" : "\033[1;32m";
    const char *clean = r->n_suppressed > 0 ? "clean but for what is suppressed" : "clean";
    char ended[PL_RESULT_LINE], within[PL_RESULT_LINE];

    pl_incomplete_text(r, ended, sizeof(ended));
    pl_incomplete_within_text(r, within, sizeof(within));

    pl_report_paint(to, s, color);
    fprintf(to, "%s: ", pl_line(r->program));
    if (r->n_findings == 0 && pl_result_uncontrolled(r)) {
        fprintf(
            to,
            "nothing was under control%s: it created no thread, so there was nothing to explore\n",
            s->color ? "\033[0m" : "");
        return;
    }
    if (r->n_findings == 0 && (r->complete || is_complete_but(r))) {
        char but[PL_RESULT_LINE];

        but_for(r, but, sizeof(but));
        fprintf(to, "%s, complete%s%s%s", clean, but, trusting(r), as_seen(r));
        pl_report_paint(to, s, PLAIN);
        fprintf(to, ": every interleaving was covered by %llu execution%s\n", big(r->executions),
                plural(r->executions));
        return;
    }
    if (r->n_findings == 0 && r->complete_within) {
        fprintf(to, "%s, complete %s%s%s", clean, within, trusting(r), as_seen(r));
        pl_report_paint(to, s, PLAIN);
        fprintf(to, ": every interleaving %s was covered by %llu execution%s\n",
                (r->incomplete & (uint32_t)PL_INCOMPLETE_EARLY) != 0 ? "within that"
                                                                     : "up to there",
                big(r->executions), plural(r->executions));
        return;
    }
    if (r->n_findings == 0)
        fprintf(to, "no finding");
    else
        fprintf(to, "%zu finding%s", r->n_findings, plural(r->n_findings));
    pl_report_paint(to, s, PLAIN);
    fprintf(to, " in %llu execution%s, ", big(r->executions), plural(r->executions));
    if (r->complete)
        fprintf(to, "the search is complete%s%s\n", trusting(r), as_seen(r));
    else if (r->complete_within)
        fprintf(to, "the search is complete %s%s%s\n", within, trusting(r), as_seen(r));
    else
        fprintf(to, "not complete%s: %s\n", pl_incomplete_bounded(r) ? " beyond the bound" : "",
                ended);
    for (size_t i = 0; i < r->n_findings && r->failures > 1; i++)
        fprintf(to, "  finding %zu: %s in %llu execution%s\n", i + 1, r->findings[i].kind,
                big(r->findings[i].count), plural(r->findings[i].count));
    print_part(to, r, PART_VERDICT, "  ");
}

/* Whether something has ended the search before it ended by itself. */
static bool is_cut_off(const struct pl_result *r)
{
    const uint32_t by_tool = PL_INCOMPLETE_INTERRUPTED | PL_INCOMPLETE_SHOWN |
                             PL_INCOMPLETE_REACHED | PL_INCOMPLETE_EXECUTIONS |
                             PL_INCOMPLETE_SUPPRESSED | PL_INCOMPLETE_FINDING | PL_INCOMPLETE_TIME;

    return (r->incomplete & by_tool) != 0;
}

/* What a search that is not complete has seen, and what it has not. */
static void print_coverage(FILE *to, const struct pl_result *r)
{
    const struct pl_coverage *c = &r->coverage;

    fprintf(to,
            "  covered   %s%u pair%s of conflicting operations in both orders, %u in one only\n",
            c->pairs.full ? "at least " : "", c->pairs.both, plural(c->pairs.both), c->pairs.one);
    if (r->samples + c->searched == 0)
        return; /* all belong to what comes before them */
    fprintf(to, "            %llu sample%s; ", big(r->samples), plural(r->samples));
    if (c->searched == 0 && !is_cut_off(r) && !c->stopped) {
        fprintf(to, "nothing was left to search\n");
        return;
    }
    fprintf(to, "%llu execution%s of the exhaustive search, ", big(c->searched),
            plural(c->searched));
    if (c->ended)
        fprintf(to, "which came to its end, but not to see everything\n");
    else if (c->stopped)
        fprintf(to, "given up: %s\n", r->strayed[0] ? r->strayed : "it came to nothing");
    else
        fprintf(to, "which %s to its end\n", is_cut_off(r) ? "has not come" : "came");
}

/* Whether each finding is a failure of the execution that showed it. */
static bool all_end(const struct pl_result *r)
{
    for (size_t i = 0; i < r->n_findings; i++) {
        if (!pl_finding_ends(pl_finding_find(r->findings[i].kind)))
            return false;
    }
    return true;
}

/* With commas between thousands. */
static const char *grouped(char *to, uint64_t n)
{
    char digits[24];
    int length = snprintf(digits, sizeof(digits), "%llu", big(n)), k = 0;
    PL_ASSERT(length > 0 && length < (int)sizeof(digits));

    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            to[k++] = ',';
        to[k++] = digits[i];
    }
    to[k] = '\0';
    return to;
}

static bool has_deadlock(const struct pl_result *r)
{
    for (size_t i = 0; i < r->n_findings; i++) {
        enum pl_finding_kind kind = pl_finding_find(r->findings[i].kind);

        if (kind == PL_FINDING_DEADLOCK || kind == PL_FINDING_LOCK_ORDER)
            return true;
    }
    return false;
}

/* A search over blocks: how its paths ended. */
static void print_paths(FILE *to, const struct pl_result *r)
{
    const struct pl_paths *p = &r->coverage.paths;
    char n[32];

    fprintf(to, "            %s path%s: ", grouped(n, p->total), plural(p->total));
    fprintf(to, "%s finished, ", grouped(n, p->finished));
    fprintf(to, "%s cut short", grouped(n, p->cut));
    if (p->stuck > 0)
        fprintf(to, ", %s stuck", grouped(n, p->stuck));
    if (p->late > 0)
        fprintf(to, ", %s in which a thread ran too long", grouped(n, p->late));
    fprintf(to, "; %s attempt%s aborted", grouped(n, p->aborts), plural(p->aborts));
    if (p->reports > 0 && has_deadlock(r))
        fprintf(to, ", %s report%s of a deadlock", grouped(n, p->reports), plural(p->reports));
    fputc('\n', to);
    if (p->atomic_pc != 0)
        fprintf(to,
                "            atomics at %s: each is a block of its own; -s dpor needs fewer "
                "executions\n",
                r->atomics);
}

/* Value schedules: which pairs there are, and what came of attempts at their orders. */
static void print_values(FILE *to, const struct pl_result *r)
{
    const struct pl_result_values *v = &r->values;
    const char *between = "  pairs     ";

    for (unsigned k = 0; k < PL_PAIR_KINDS; k++) {
        if (v->pairs[k] == 0)
            continue;
        fprintf(to, "%s%llu %s", between, big(v->pairs[k]), pl_pair_text(k));
        between = ", ";
    }
    fprintf(to, "%s%llu order%s: %llu shown", v->orders > 0 ? "; " : between, big(v->orders),
            plural(v->orders), big(v->shown));
    if (v->failed > 0)
        fprintf(to, " (%llu with a failure)", big(v->failed));
    if (v->impossible > 0)
        fprintf(to, ", %llu impossible", big(v->impossible));
    if (v->open > 0)
        fprintf(to, ", %llu open", big(v->open));
    if (v->attempts == 0) {
        if (v->aimed > 0)
            fprintf(to, "\n            %llu execution%s led to an open one: %llu came true",
                    big(v->aimed), plural(v->aimed), big(v->met));
        fputc('\n', to);
        return;
    }
    fprintf(to, "\n            %llu attempt%s", big(v->attempts), plural(v->attempts));
    between = ": ";
    for (unsigned k = 0; k < PL_JUDGED_KINDS; k++) {
        if (v->of[k] == 0)
            continue;
        fprintf(to, "%s%llu %s", between, big(v->of[k]), pl_judged_text(k));
        between = ", ";
    }
    fputc('\n', to);
}

/* What all campaigns with these results have covered; see plait-coverage(1). */
static void print_tasks(FILE *to, const struct pl_result *r)
{
    const struct pl_coverage_tasks *c = &r->cover;

    fprintf(
        to,
        "  coverage  M1 functions %llu of %llu, M2 pairs of functions %llu of %llu, M3 pairs of "
        "statements %llu of %llu%s\n",
        big(c->covered[0]), big(c->total[0]), big(c->covered[1]), big(c->total[1]),
        big(c->covered[2]), big(c->total[2]), c->lost ? ", and more" : "");
}

/* Sets of another program are no mistake that could be known, but they are of no use. */
static void print_given(FILE *to, const struct pl_result *r)
{
    const struct pl_coverage_tasks *c = &r->cover;

    fprintf(to, "  given     %llu of the %llu statements in the coverage given were executed%s\n",
            big(c->given_met), big(c->given_statements),
            c->given_met == 0 ? ": is it that of another program?" : "");
}

/* Threads that run freely: classes are of synchronisation only, and nothing is chosen. */
static void print_free(FILE *to, const struct pl_result *r)
{
    PL_ASSERT(r->recorded[0] != '\0');
    bool none = strcmp(r->recorded, "none") == 0;

    if (!none)
        fprintf(to, ", %llu order%s of synchronisation", big(r->classes), plural(r->classes));
    if (r->max_threads > 0)
        fprintf(to, ", up to %llu thread%s", big(r->max_threads), plural(r->max_threads));
    fputc('\n', to);
    if (strcmp(r->recorded, "light") == 0)
        fprintf(to, "  recorded  the order of synchronisation only: a replay of a program with "
                    "races may differ\n");
    else if (none)
        fprintf(to, "  recorded  nothing: findings cannot be replayed\n");
}

static void print_noise(FILE *to, const struct pl_times *t)
{
    if (t->n_disturbed == 0)
        return;
    fprintf(to, "  noise     %llu execution%s disturbed", big(t->n_disturbed),
            plural(t->n_disturbed));
    if (pl_times_cost(t) > 0)
        fprintf(to, ", which took %.2f times as long as %llu that %s not", pl_times_cost(t),
                big(t->n_quiet), t->n_quiet == 1 ? "was" : "were");
    fprintf(to, "\n");
}

/* How many threads were alive at a time, at most, in how many executions: up to ten of them. */
static void print_alive(FILE *to, const struct pl_times *t)
{
    uint64_t all = 0;
    const char *start = "  threads   ";

    for (unsigned i = 0; i <= PL_TIMES_ALIVE; i++)
        all += t->alive[i];
    for (unsigned i = 1, n = 0; i <= PL_TIMES_ALIVE && n < 10; i++) {
        if (t->alive[i] == 0)
            continue;
        fprintf(to, "%s%u%s alive at a time in %.0f %%", start, i,
                i == PL_TIMES_ALIVE ? " or more" : "", 100.0 * (double)t->alive[i] / (double)all);
        start = ", ";
        n++;
    }
    if (all > 0)
        fprintf(to, " of executions\n");
}

static void print_explored(FILE *to, const struct pl_result *r)
{
    double n = r->executions ? (double)r->executions : 1;
    char outlook[160], since[48] = "";

    if (r->classes_since > 1 && r->classes_since <= r->executions)
        snprintf(since, sizeof(since), " since execution %llu", big(r->classes_since));
    fprintf(to, "  strategy  %s, seed %llu\n", r->strategy, big(r->seed));
    fprintf(to, "  explored  %llu execution%s", big(r->executions), plural(r->executions));
    if (r->failures > 0)
        fprintf(to, " (%llu %s)", big(r->failures), all_end(r) ? "failed" : "with findings");
    if (r->recorded[0] == '\0')
        fprintf(to,
                ", %s%llu class%s%s, up to %llu thread%s, %.1f points per execution, up to %llu "
                "choice%s\n",
                r->classes_overflow ? "more than " : "", big(r->classes),
                r->classes == 1 ? "" : "es", since, big(r->max_threads), plural(r->max_threads),
                (double)r->points / n, big(r->max_choices), plural(r->max_choices));
    else
        print_free(to, r);
    print_noise(to, &r->times);
    print_alive(to, &r->times);
    if (r->coverage.paths.known)
        print_paths(to, r);
    if (r->values.known)
        print_values(to, r);
    if (r->coverage.known && !r->complete && !r->complete_within && !is_complete_but(r) &&
        r->n_findings == 0 && !pl_result_uncontrolled(r))
        print_coverage(to, r);
    if (r->has_cover && r->cover.total[0] > 0)
        print_tasks(to, r);
    if (r->has_cover && r->cover.given)
        print_given(to, r);
    pl_outlook_text(outlook, sizeof(outlook), &r->outlook);
    if (outlook[0] != '\0' && r->recorded[0] == '\0' && !is_complete_but(r))
        fprintf(to, "  estimate  %s\n", outlook);
    double speed = r->seconds > 0 ? (double)r->executions / r->seconds : 0;

    fprintf(to, "  speed     %.2f s, %.0f execution%s/s by %s", r->seconds, speed,
            speed >= 0.5 && speed < 1.5 ? "" : "s", r->restart);
    if (r->jobs > 1)
        fprintf(to, ", %llu jobs", big(r->jobs));
    fputc('\n', to);
    if (r->restart_why[0] != '\0')
        fprintf(to, "            %s, because %s\n", r->restart, r->restart_why);
}

static void print_modules(FILE *to, const struct pl_result *r, bool instrumented,
                          const char *before)
{
    bool any = false;

    for (size_t i = 0; i < r->n_modules; i++) {
        if (r->modules[i].instrumented != instrumented)
            continue;
        fprintf(to, "%s%s", any ? ", " : before, pl_line(r->modules[i].name));
        any = true;
    }
    if (any)
        fputc('\n', to);
}

/* What became of the orders that were asked for. */
static void print_orders(FILE *to, const struct pl_result *r)
{
    for (size_t i = 0; i < r->n_orders; i++) {
        const struct pl_result_order *o = &r->orders[i];

        fprintf(to, "  %-9s %s: ", i == 0 ? "order" : "", pl_line(o->text));
        PL_ASSERT(o->verdict < PL_ORDER_VERDICTS);
        if (o->found != NULL)
            fprintf(to, "shown by execution %llu\n", big(o->found->execution));
        else
            fprintf(to, "%s: %s\n", o->verdict == PL_ORDER_IMPOSSIBLE ? "impossible" : "not shown",
                    o->note);
    }
}

static void print_control(FILE *to, const struct pl_result *r, const struct pl_report_style *s)
{
    const char *slash = strrchr(r->program, '/');
    const char *name = slash ? slash + 1 : r->program;

    if (r->executions > 0 && r->max_threads <= 1)
        fprintf(to, "  control   nothing to control: %s created no thread\n", pl_line(name));
    else if (r->instrumented)
        print_modules(to, r, true,
                      r->hooks_only
                          ? "  control   synchronisation, and every access with a hook, in "
                          : "  control   every access and synchronisation in ");
    else
        fprintf(to,
                "  control   controlled at synchronisation only: %s was not compiled with "
                "plait cc\n",
                name);
    if (s->verbose)
        print_modules(to, r, false, "            synchronisation only in ");
    print_part(to, r, PART_CONTROL, "            ");
    if (r->strangers[0] != '\0')
        fprintf(to, "            not under control: %s\n", pl_line(r->strangers));
}

/* The first line of each, and how often it came. */
static void print_outputs(FILE *to, const struct pl_result *r)
{
    fprintf(to, "  outputs   %zu different\n", r->n_outputs);
    for (size_t i = 0; i < r->n_outputs; i++) {
        const char *text = r->outputs[i].text;
        int line = (int)strcspn(text, "\n");

        if (i == OUTPUTS_SHOWN) {
            fprintf(to, "            %zu more; --json has them all\n", r->n_outputs - i);
            break;
        }
        fprintf(to, "            %llu execution%s: %.*s%s\n", big(r->outputs[i].count),
                plural(r->outputs[i].count), line < LINE_SHOWN ? line : LINE_SHOWN, text,
                line > LINE_SHOWN || (text[line] == '\n' && text[line + 1] != '\0') ? " ..." : "");
    }
    print_part(to, r, PART_OUTPUTS, "            ");
}

/* What the user did not want to hear of, and what of that there is no need for. */
static void print_suppressed(FILE *to, const struct pl_result *r)
{
    if (r->n_suppressed > 0)
        fprintf(to, "  suppress  %llu finding%s in %llu execution%s suppressed\n",
                big(r->n_suppressed), plural(r->n_suppressed), big(r->suppressed),
                plural(r->suppressed));
    else
        fprintf(to, "  suppress  nothing was suppressed\n");
    for (size_t i = 0; i < r->suppressions->n; i++) {
        const struct pl_suppression *s = &r->suppressions->list[i];

        if (s->findings == 0)
            fprintf(to, "            %s:%u: unused: %s\n", pl_line(s->path), s->line,
                    pl_line(s->text));
    }
}

static void print_notes(FILE *to, const struct pl_result *r)
{
    for (size_t i = 0; i < r->n_notes; i++)
        fprintf(to, "  note      %s\n", pl_line(r->notes[i]));
}

void pl_summary_print(FILE *to, const struct pl_result *r, const struct pl_report_style *s)
{
    print_verdict(to, r, s);
    print_notes(to, r);
    print_explored(to, r);
    print_orders(to, r);
    if (r->has_outputs)
        print_outputs(to, r);
    if (s->verbose)
        print_part(to, r, PART_TRUST, "  trust     ");
    if (pl_result_suppressions(r) > 0)
        print_suppressed(to, r);
    print_control(to, r, s);
    if (s->verbose)
        fprintf(to, "  memory    %llu KB\n  results   %s\n", big(r->max_rss_kb), r->folder);
    if (s->verbose && r->has_cover)
        fprintf(to, "            plait coverage --html %s %s makes a page of what is covered\n",
                r->home, r->home);
}
