/* SPDX-License-Identifier: MIT */
/* See cover.h: the page of `plait coverage --html`, from its head to its files. */
#include "report/coverage/cover_page.h"

#include "report/coverage/html.h"
#include "report/coverage/page.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { PLOT_WIDTH = 640, PLOT_HEIGHT = 160, PLOT_LEFT = 44, PLOT_TOP = 10, STEPS = 320 };
enum { LISTED = 1000, MODULES = 4 };

static const char *const models[] = {"functions", "pairs of functions", "pairs of statements"};
static const char *const meanings[] = {
    "in which a thread was interrupted, and in which it was not",
    "a thread was interrupted in one, and another ran the other meanwhile",
    "that conflict: one, then the other in another thread, nothing in between",
};

static unsigned long long big(uint64_t n)
{
    return n;
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static double percent(uint64_t covered, uint64_t total)
{
    return total > 0 ? 100.0 * (double)covered / (double)total : 0;
}

/* ---- head ---- */

static bool is_among(const char *const *names, unsigned n, const char *name)
{
    while (n > 0 && strcmp(names[n - 1], name) != 0)
        n--;
    return n > 0;
}

static void print_modules(FILE *to, const struct pl_covered *c)
{
    const char *names[MODULES];
    unsigned n = 0;

    for (size_t i = 0; i < c->n_functions; i++) {
        const struct pl_covered_function *f = &c->functions[i];

        if (!f->executed || is_among(names, n, f->module))
            continue;
        if (n == MODULES) {
            fputs(", \u2026", to);
            return;
        }
        fputs(n > 0 ? ", " : "", to);
        pl_html_text(to, names[n++] = f->module);
    }
}

/* The days on which campaigns began. */
static void print_days(FILE *to, const struct pl_covered *c)
{
    uint64_t least = UINT64_MAX, most = 0;
    char first[32], last[32];
    struct tm day;

    for (size_t i = 0; i < c->n_campaigns; i++) {
        uint64_t at = c->campaigns[i].started_ms / 1000;

        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    if (c->n_campaigns == 0 || gmtime_r(&(time_t){(time_t)least}, &day) == NULL)
        return;
    strftime(first, sizeof(first), "%Y-%m-%d", &day);
    if (gmtime_r(&(time_t){(time_t)most}, &day) == NULL)
        return;
    strftime(last, sizeof(last), "%Y-%m-%d", &day);
    fprintf(to, strcmp(first, last) == 0 ? ", %s" : ", %s to %s", first, last);
}

static void print_head(FILE *to, const struct pl_cover_view *v)
{
    fputs("<header>\n<h1>Interleaving coverage <span>", to);
    print_modules(to, v->set);
    fprintf(to, "</span></h1>\n<p>%llu execution%s in %zu campaign%s", big(v->sum.executions),
            plural(v->sum.executions), v->n_campaigns, plural(v->n_campaigns));
    print_days(to, v->set);
    fputs(".", to);
    if (v->lost)
        fputs(" There is more than could be kept: the numbers are too low.", to);
    fputs("</p>\n<div class=\"cards\">\n", to);
    for (unsigned m = 0; m < PL_COVERED_MODELS; m++) {
        double share = percent(v->sum.covered[m], v->sum.total[m]);

        fprintf(to,
                "<div class=\"card m%u\"><h3>M%u %s</h3><p><strong>%llu</strong> of %llu"
                "<span>%.0f\u2009%%</span></p><div class=\"bar\"><div style=\"width:%.1f%%\"></div>"
                "</div><small>%s</small></div>\n",
                m + 1, m + 1, models[m], big(v->sum.covered[m]), big(v->sum.total[m]), share, share,
                meanings[m]);
    }
    fputs("</div>\n</header>\n", to);
}

/* ---- growth ---- */

static void print_curve(FILE *to, const struct pl_cover_view *v, unsigned model)
{
    uint64_t before = UINT64_MAX;

    fprintf(to, "<path class=\"m%u\" d=\"M%d %d", model + 1, PLOT_LEFT, PLOT_TOP + PLOT_HEIGHT);
    for (unsigned i = 0; i < STEPS; i++) {
        uint64_t executions = pl_growth_executions(&v->curve, i, STEPS);
        uint64_t n = pl_growth_at(&v->curve, executions).covered[model];
        double y = PLOT_HEIGHT * (1 - percent(n, v->sum.total[model]) / 100);

        if (n != before)
            fprintf(to, "H%.1fV%.1f", PLOT_LEFT + (double)PLOT_WIDTH * i / STEPS, PLOT_TOP + y);
        before = n;
    }
    fprintf(to, "H%d\"/>\n", PLOT_LEFT + PLOT_WIDTH);
}

static void print_tick(FILE *to, const struct pl_growth *g, uint64_t execution, bool last)
{
    double x = PLOT_LEFT + (double)PLOT_WIDTH * pl_growth_column(g, execution, STEPS) / STEPS;

    if (!last && x > PLOT_LEFT + PLOT_WIDTH - 60)
        return;
    fprintf(to,
            "<path class=\"g\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
            "text-anchor=\"%s\">%llu</text>\n",
            last ? PLOT_LEFT + PLOT_WIDTH : x, PLOT_TOP, PLOT_TOP + PLOT_HEIGHT + 4,
            last ? PLOT_LEFT + PLOT_WIDTH : x, PLOT_TOP + PLOT_HEIGHT + 18, last ? "end" : "middle",
            big(execution));
}

static void print_axes(FILE *to, const struct pl_growth *g)
{
    for (unsigned i = 0; i <= 100; i += 50)
        fprintf(to,
                "<path class=\"g\" d=\"M%d %dH%d\"/><text x=\"%d\" y=\"%d\" "
                "text-anchor=\"end\">%u\u2009%%</text>\n",
                PLOT_LEFT, PLOT_TOP + PLOT_HEIGHT * (100 - (int)i) / 100, PLOT_LEFT + PLOT_WIDTH,
                PLOT_LEFT - 6, PLOT_TOP + PLOT_HEIGHT * (100 - (int)i) / 100 + 4, i);
    if (pl_growth_is_log(g)) {
        for (uint64_t decade = 1; decade <= g->executions / 2; decade *= 10)
            print_tick(to, g, decade, false);
    } else if (g->executions > 2) {
        print_tick(to, g, (g->executions + 1) / 2, false);
    }
    print_tick(to, g, g->executions, true);
    for (size_t i = 1; i < g->n_campaigns; i++) {
        double x =
            PLOT_LEFT + (double)PLOT_WIDTH * pl_growth_column(g, g->starts[i] + 1, STEPS) / STEPS;

        fprintf(to, "<path class=\"b\" d=\"M%.1f %dV%d\"><title>a campaign begins</title></path>\n",
                x, PLOT_TOP, PLOT_TOP + PLOT_HEIGHT);
    }
}

static void print_growth(FILE *to, const struct pl_cover_view *v)
{
    if (v->curve.n == 0)
        return;
    fprintf(to,
            "<section class=\"growth\">\n<h2>Growth over executions%s</h2>\n"
            "<div class=\"w\"><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Share of tasks "
            "covered over "
            "executions\">\n",
            pl_growth_is_log(&v->curve) ? "<small>logarithmic</small>" : "",
            PLOT_LEFT + PLOT_WIDTH + 8, PLOT_TOP + PLOT_HEIGHT + 24);
    print_axes(to, &v->curve);
    for (unsigned m = 0; m < PL_COVERED_MODELS; m++)
        print_curve(to, v, m);
    fputs("</svg></div>\n<p><span><i class=\"m1\"></i> M1 functions</span> <span><i "
          "class=\"m2\"></i> M2 "
          "pairs of functions</span> <span><i class=\"m3\"></i> M3 pairs of "
          "statements</span></p>\n<p>",
          to);
    fprintf(to, "The last new task came at execution %llu of %llu", big(v->sum.latest),
            big(v->sum.executions));
    if (v->sum.covered[2] > 0)
        fprintf(to, ", the last new pair of statements at %llu", big(pl_growth_last(&v->curve, 2)));
    fprintf(to, ".%s</p>\n</section>\n",
            v->n_campaigns > 1 ? " Campaigns stand one after the other; dotted lines show where "
                                 "they begin."
                               : "");
}

/* ---- files ---- */

static void print_share(FILE *to, struct pl_cover_share s)
{
    if (s.total == 0)
        fputs("<td class=\"z\">\u2013</td>", to);
    else
        fprintf(to, "<td>%llu of %llu</td>", big(s.covered), big(s.total));
}

static void print_number(FILE *to, char class, uint64_t n)
{
    fprintf(to, "<td class=\"%c\">%llu</td>", n > 0 ? class : 'z', big(n));
}

static void print_file(FILE *to, const struct pl_cover_file *f, size_t number)
{
    double share = percent(f->shares[2].covered, f->shares[2].total);

    fputs("<tr><th scope=\"row\">", to);
    if (f->n_ends > 0)
        fprintf(to, "<a href=\"#f%zu\">", number);
    pl_html_text(to, f->name[0] != '\0' ? f->name : "code without source lines");
    fputs(f->n_ends > 0 ? "</a></th>" : "</th>", to);
    for (unsigned m = 0; m < PL_COVERED_MODELS; m++)
        print_share(to, f->shares[m]);
    fputs("<td class=\"w\">", to);
    if (f->shares[2].total > 0)
        fprintf(to, "<div class=\"bar\"><div style=\"width:%.1f%%\"></div></div>", share);
    fputs("</td>", to);
    print_number(to, 'c', f->orders[PL_COVERED_SHOWN]);
    print_number(to, 'o', f->orders[PL_COVERED_OPEN]);
    print_number(to, 'n', f->orders[PL_COVERED_NEVER]);
    fputs("</tr>\n", to);
}

static void print_files(FILE *to, const struct pl_cover_page *p)
{
    fputs("<section>\n<h2>Files</h2>\n<div class=\"w\"><table>\n<thead><tr><th>file</th>"
          "<th>M1</th><th>M2</th><th>M3</th><th></th><th>orders covered</th><th>not covered</th>"
          "<th>impossible</th></tr></thead>\n<tbody>\n",
          to);
    for (size_t i = 0; i < p->n_files; i++)
        print_file(to, &p->files[i], i);
    fputs(
        "</tbody></table></div>\n"
        "<p class=\"m\">An order is one statement, then another one of another thread on the same "
        "object. It counts for the files of both. Orders that cannot be, as far as is known, do "
        "not count for M3; those that only predecessor sets know do not either.</p>\n</section>\n",
        to);
}

/* ---- lists of functions ---- */

static void print_list(FILE *to, const char *title, const struct pl_cover_list *list)
{
    if (list->n == 0)
        return;
    unsigned long long all = list->n + list->more;

    fprintf(to, "<details><summary>%s: %llu</summary>\n<ul>\n", title, all);
    for (size_t i = 0; i < list->n && i < LISTED; i++) {
        fputs("<li>", to);
        pl_html_text(to, list->lines[i]);
        fputs("</li>\n", to);
    }
    if (all > LISTED)
        fprintf(to, "<li>and %llu more: plait coverage -v lists them</li>\n", all - LISTED);
    fputs("</ul>\n</details>\n", to);
}

static void print_lists(FILE *to, const struct pl_cover_view *v)
{
    fputs("<section class=\"lists\">\n<h2>Functions</h2>\n", to);
    print_list(to, "M1, not covered", &v->open[0]);
    print_list(to, "M2, not covered", &v->open[1]);
    print_list(to, "M1, cannot be covered as far as is known", &v->never[0]);
    print_list(to, "M2, cannot be covered as far as is known", &v->never[1]);
    fputs("</section>\n", to);
}

/* The script shows it; without one there is nothing that it could do. */
static void print_tools(FILE *to)
{
    fputs("<nav id=\"tools\" hidden>\n<button type=\"button\" data-do=\"next\">next not covered "
          "<kbd>n</kbd></button>\n<button type=\"button\" data-do=\"back\">previous <kbd>p</kbd>"
          "</button>\n<button type=\"button\" data-do=\"only\" aria-pressed=\"false\">only lines "
          "with pairs <kbd>o</kbd></button>\n<button type=\"button\" data-do=\"close\">close all "
          "<kbd>c</kbd></button>\n<output></output>\n</nav>\n",
          to);
}

void pl_cover_html_print(FILE *to, const struct pl_cover_view *v, struct pl_source *source)
{
    struct pl_cover_page page;

    pl_cover_page_make(&page, v, source);
    pl_page_begin(to, "Interleaving coverage");
    print_head(to, v);
    fputs("<main>\n", to);
    print_growth(to, v);
    print_files(to, &page);
    print_lists(to, v);
    print_tools(to);
    pl_cover_lines_print(to, &page);
    fputs("</main>\n", to);
    pl_page_end(to);
    pl_cover_page_free(&page);
}
