/* SPDX-License-Identifier: MIT */
/*
 * The end of a campaign for a person at a terminal.  It says what was explored
 * and how far that can be trusted; it never pretends.
 */
#include "model/finding.h"
#include "report/document.h"

#include <string.h>

enum { OUTPUTS_SHOWN = 20, LINE_SHOWN = 72 };

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static unsigned long long big(uint64_t n)
{
    return n;
}

static void print_verdict(FILE *to, const struct pl_document *d, const struct pl_document_style *s)
{
    const char *color = d->n_findings > 0 ? "\033[1;31m" : "\033[1;32m";

    fprintf(to, "%s%s: ", s->color ? color : "", d->program);
    if (d->n_findings == 0 && d->complete) {
        fprintf(to, "clean, complete%s: every interleaving was covered by %llu execution%s\n",
                s->color ? "\033[0m" : "", big(d->executions), plural(d->executions));
        return;
    }
    if (d->n_findings == 0 && d->complete_within) {
        fprintf(to,
                "clean, complete up to %llu operation%s per thread%s: every interleaving up to "
                "there was covered by %llu execution%s\n",
                big(d->max_operations), plural(d->max_operations), s->color ? "\033[0m" : "",
                big(d->executions), plural(d->executions));
        return;
    }
    if (d->n_findings == 0)
        fprintf(to, "no finding");
    else
        fprintf(to, "%zu finding%s", d->n_findings, plural(d->n_findings));
    fprintf(to, "%s in %llu execution%s, ", s->color ? "\033[0m" : "", big(d->executions),
            plural(d->executions));
    if (d->complete)
        fprintf(to, "the search is complete\n");
    else if (d->complete_within)
        fprintf(to, "the search is complete up to %llu operation%s per thread\n",
                big(d->max_operations), plural(d->max_operations));
    else
        fprintf(to, "not complete: %s\n", d->ended);
    for (size_t i = 0; i < d->n_findings && d->failures > 1; i++)
        fprintf(to, "  finding %zu: %s in %llu execution%s\n", i + 1, d->findings[i].kind,
                big(d->findings[i].count), plural(d->findings[i].count));
    if (d->findings_lost > 0)
        fprintf(to, "  at least %llu more finding%s did not fit\n", big(d->findings_lost),
                plural(d->findings_lost));
}

/* What a search that was stopped has seen, and what it has not. */
static void print_coverage(FILE *to, const struct pl_document *d)
{
    const struct pl_coverage *c = &d->coverage;

    fprintf(to,
            "  covered   %s%u pair%s of conflicting operations in both orders, %u in one only\n",
            c->pairs.full ? "at least " : "", c->pairs.both, plural(c->pairs.both), c->pairs.one);
    fprintf(to, "            %llu sample%s; %llu execution%s of the exhaustive search, ",
            big(d->samples), plural(d->samples), big(c->searched), plural(c->searched));
    if (c->stopped)
        fprintf(to, "given up: the program did not repeat itself\n");
    else
        fprintf(to, "which has not come to its end\n");
}

/* Whether each finding is a failure of the execution that showed it. */
static bool all_end(const struct pl_document *d)
{
    for (size_t i = 0; i < d->n_findings; i++) {
        if (!pl_finding_ends(pl_finding_find(d->findings[i].kind)))
            return false;
    }
    return true;
}

/* With commas between thousands. */
static const char *grouped(char *to, uint64_t n)
{
    char digits[24];
    int length = snprintf(digits, sizeof(digits), "%llu", big(n)), k = 0;

    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            to[k++] = ',';
        to[k++] = digits[i];
    }
    to[k] = '\0';
    return to;
}

/* A search over blocks: how its paths ended. */
static void print_paths(FILE *to, const struct pl_document *d)
{
    const struct pl_paths *p = &d->coverage.paths;
    char n[32];

    fprintf(to, "            %s path%s: ", grouped(n, p->total), plural(p->total));
    fprintf(to, "%s finished, ", grouped(n, p->finished));
    fprintf(to, "%s cut short", grouped(n, p->cut));
    if (p->stuck > 0)
        fprintf(to, ", %s stuck", grouped(n, p->stuck));
    fprintf(to, "; %s attempt%s aborted", grouped(n, p->aborts), plural(p->aborts));
    if (p->reports > 0)
        fprintf(to, ", %s report%s of a deadlock", grouped(n, p->reports), plural(p->reports));
    fputc('\n', to);
    if (p->atomic_pc != 0)
        fprintf(to,
                "            atomics at %s: each is a block of its own; -s dpor needs fewer "
                "executions\n",
                d->atomics);
}

/* What all campaigns with these results have covered; see plait-coverage(1). */
static void print_tasks(FILE *to, const struct pl_document *d)
{
    const struct pl_coverage_tasks *c = &d->cover;

    fprintf(
        to,
        "  coverage  M1 functions %llu of %llu, M2 pairs of functions %llu of %llu, M3 pairs of "
        "statements %llu of %llu%s\n",
        big(c->covered[0]), big(c->total[0]), big(c->covered[1]), big(c->total[1]),
        big(c->covered[2]), big(c->total[2]), c->lost ? ", and more" : "");
}

/* Sets of another program are no mistake that could be known, but they are of no use. */
static void print_given(FILE *to, const struct pl_document *d)
{
    const struct pl_coverage_tasks *c = &d->cover;

    fprintf(to, "  given     %llu of the %llu statements in the coverage given were executed%s\n",
            big(c->given_met), big(c->given_statements),
            c->given_met == 0 ? ": is it that of another program?" : "");
}

/* Threads that run freely: classes are of synchronisation only, and nothing is chosen. */
static void print_free(FILE *to, const struct pl_document *d)
{
    bool none = strcmp(d->recorded, "none") == 0;

    if (!none)
        fprintf(to, ", %llu order%s of synchronisation", big(d->classes), plural(d->classes));
    if (d->max_threads > 0)
        fprintf(to, ", up to %u thread%s", d->max_threads, plural(d->max_threads));
    fputc('\n', to);
    if (strcmp(d->recorded, "light") == 0)
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
        fprintf(to, ", which took %.2f times as long as the %llu other%s", pl_times_cost(t),
                big(t->n_quiet), plural(t->n_quiet));
    fprintf(to, "\n");
}

static void print_explored(FILE *to, const struct pl_document *d)
{
    double n = d->executions ? (double)d->executions : 1;
    char outlook[160];

    fprintf(to, "  strategy  %s, seed %llu\n", d->strategy, big(d->seed));
    fprintf(to, "  explored  %llu execution%s", big(d->executions), plural(d->executions));
    if (d->failures > 0)
        fprintf(to, " (%llu %s)", big(d->failures), all_end(d) ? "failed" : "with findings");
    if (d->recorded == NULL)
        fprintf(to,
                ", %s%llu class%s, up to %u thread%s, %.1f points per execution, up to %llu "
                "choice%s\n",
                d->classes_overflow ? "more than " : "", big(d->classes),
                d->classes == 1 ? "" : "es", d->max_threads, plural(d->max_threads),
                (double)d->points / n, big(d->max_choices), plural(d->max_choices));
    else
        print_free(to, d);
    print_noise(to, &d->times);
    if (d->coverage.paths.known)
        print_paths(to, d);
    if (d->coverage.known && !d->complete && d->n_findings == 0)
        print_coverage(to, d);
    if (d->has_cover && d->cover.total[0] > 0)
        print_tasks(to, d);
    if (d->has_cover && d->cover.given)
        print_given(to, d);
    pl_outlook_text(outlook, sizeof(outlook), &d->outlook);
    if (outlook[0] != '\0' && d->recorded == NULL)
        fprintf(to, "  estimate  %s\n", outlook);
    fprintf(to, "  speed     %.2f s, %.0f executions/s by %s", d->seconds,
            d->seconds > 0 ? (double)d->executions / d->seconds : 0, d->restart);
    if (d->jobs > 1)
        fprintf(to, ", %u jobs", d->jobs);
    fputc('\n', to);
    if (d->restart_why[0] != '\0')
        fprintf(to, "            %s, because %s\n", d->restart, d->restart_why);
}

static void print_modules(FILE *to, const struct pl_document *d, bool instrumented,
                          const char *before)
{
    bool any = false;

    for (size_t i = 0; i < d->n_modules; i++) {
        if (d->modules[i].instrumented != instrumented)
            continue;
        fprintf(to, "%s%s", any ? ", " : before, d->modules[i].name);
        any = true;
    }
    if (any)
        fputc('\n', to);
}

/* What became of the orders that were asked for. */
static void print_orders(FILE *to, const struct pl_document *d)
{
    for (size_t i = 0; i < d->n_orders; i++) {
        const struct pl_document_order *o = &d->orders[i];

        fprintf(to, "  %-9s %s: ", i == 0 ? "order" : "", o->text);
        if (o->found != NULL)
            fprintf(to, "shown by execution %llu\n", big(o->found->execution));
        else
            fprintf(to, "%s: %s\n",
                    strcmp(o->verdict, "impossible") == 0 ? "impossible" : "not shown", o->note);
    }
}

static void print_control(FILE *to, const struct pl_document *d, const struct pl_document_style *s)
{
    const char *slash = strrchr(d->program, '/');
    const char *name = slash ? slash + 1 : d->program;

    if (d->executions > 0 && d->max_threads <= 1)
        fprintf(to, "  control   nothing to control: %s created no thread\n", name);
    else if (d->instrumented)
        print_modules(to, d, true, "  control   every access and synchronisation in ");
    else
        fprintf(to,
                "  control   controlled at synchronisation only: %s was not compiled with "
                "plait cc\n",
                name);
    if (s->verbose)
        print_modules(to, d, false, "            synchronisation only in ");
    if (d->bypassed > 0)
        fprintf(to, "            %llu call%s left control (raw threads or processes)\n",
                big(d->bypassed), plural(d->bypassed));
    if (d->divergences > 0)
        fprintf(to,
                "            %llu finding%s could not be replayed: something varies that plait "
                "does not control\n",
                big(d->divergences), plural(d->divergences));
    if (d->examined > 0)
        fprintf(to, "            detectors have looked at %llu recorded order%s\n",
                big(d->examined - d->unexamined), plural(d->examined - d->unexamined));
    if (d->unexamined > 0)
        fprintf(to, "            %llu more could not be followed: accesses were not recorded\n",
                big(d->unexamined));
    if (d->lost > 0)
        fprintf(to, "            %llu execution%s done again because something killed the worker\n",
                big(d->lost), plural(d->lost));
}

/* The first line of each, and how often it came. */
static void print_outputs(FILE *to, const struct pl_document *d)
{
    fprintf(to, "  outputs   %zu different\n", d->n_outputs);
    for (size_t i = 0; i < d->n_outputs; i++) {
        const char *text = d->outputs[i].text;
        int line = (int)strcspn(text, "\n");

        if (i == OUTPUTS_SHOWN) {
            fprintf(to, "            %zu more; --json has them all\n", d->n_outputs - i);
            break;
        }
        fprintf(to, "            %llu execution%s: %.*s%s\n", big(d->outputs[i].count),
                plural(d->outputs[i].count), line < LINE_SHOWN ? line : LINE_SHOWN, text,
                line > LINE_SHOWN || (text[line] == '\n' && text[line + 1] != '\0') ? " ..." : "");
    }
    if (d->outputs_lost > 0)
        fprintf(to, "            %llu execution%s printed others, which did not fit\n",
                big(d->outputs_lost), plural(d->outputs_lost));
}

/* What the user did not want to hear of, and what of that there is no need for. */
static void print_suppressed(FILE *to, const struct pl_document *d)
{
    if (d->n_suppressed > 0)
        fprintf(to, "  suppress  %llu finding%s in %llu execution%s suppressed\n",
                big(d->n_suppressed), plural(d->n_suppressed), big(d->suppressed),
                plural(d->suppressed));
    else
        fprintf(to, "  suppress  nothing was suppressed\n");
    for (size_t i = 0; i < d->n_suppressions; i++) {
        const struct pl_document_suppression *s = &d->suppressions[i];

        if (s->findings == 0)
            fprintf(to, "            %s:%u: unused: %s\n", s->file, s->line, s->text);
    }
}

void pl_summary_print(FILE *to, const struct pl_document *d, const struct pl_document_style *s)
{
    print_verdict(to, d, s);
    print_explored(to, d);
    print_orders(to, d);
    if (d->has_outputs)
        print_outputs(to, d);
    if (d->has_trust && s->verbose)
        fprintf(to, "  trust     %llu operation%s in trusted code\n", big(d->trusted_operations),
                plural(d->trusted_operations));
    if (d->n_suppressions > 0)
        print_suppressed(to, d);
    print_control(to, d, s);
    if (s->verbose)
        fprintf(to, "  memory    %llu KB\n  results   %s\n", big(d->max_rss_kb), d->folder);
    if (s->verbose && d->has_cover)
        fprintf(to, "            plait coverage --html %s %s makes a page of what is covered\n",
                d->folder, d->folder);
}
