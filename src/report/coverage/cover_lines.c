/* SPDX-License-Identifier: MIT */
/*
 * See cover_page.h: source files line by line.  A line at which orders begin or end can be
 * opened: it shows the statements there, and for each the partners with links to their lines.
 * Names are never part of links: these are numbers of files and lines.
 */
#include "base/assert.h"
#include "report/coverage/cover_page.h"

#include "report/coverage/html.h"

#include <string.h>

enum { NEAR = 5 }; /* lines */

/* What ends at one line, or at one place of code that has no lines. */
struct line {
    const struct pl_cover_end *ends;
    size_t n;
};

static const char *place_of(const struct pl_cover_page *p, uint32_t statement)
{
    return p->view->set->statements[statement].place;
}

/* The ends that belong together with the first one. */
static struct line line_at(const struct pl_cover_page *p, const struct pl_cover_file *f, size_t at)
{
    const struct pl_cover_place *first = &p->view->places[f->ends[at].statement];
    struct line l = {&f->ends[at], 0};

    for (; at < f->n_ends; at++, l.n++) {
        uint32_t s = f->ends[at].statement;

        if (p->view->places[s].line != first->line ||
            (first->line == 0 && strcmp(place_of(p, s), place_of(p, l.ends[0].statement)) != 0))
            break;
    }
    return l;
}

static void print_id(FILE *to, const struct pl_cover_page *p, uint32_t statement)
{
    unsigned line = p->view->places[statement].line;

    if (line != 0)
        fprintf(to, "f%uL%u", p->file_of[statement], line);
    else
        fprintf(to, "s%u", p->view->ranks[statement]);
}

/* ---- partners ---- */

static void print_partner(FILE *to, const struct pl_cover_page *p, const struct pl_cover_end *e)
{
    static const char classes[] = "con", *const words[] = {"covered", "not covered", "impossible"};
    const struct pl_covered_order *o = e->order;
    const struct pl_covered_statement *s = &p->view->set->statements[e->partner];

    fprintf(to, "<li class=\"%c\"><b>%s</b><span>%s ", classes[o->state], words[o->state],
            e->begins ? "before" : "after");
    pl_html_text(to, s->operation);
    fputs(" at <a href=\"#", to);
    print_id(to, p, e->partner);
    fputs("\">", to);
    pl_html_text(to, s->place);
    fputs("</a> in ", to);
    pl_html_text(to, p->view->set->functions[s->function].name);
    if (s->caller[0] != '\0') {
        fputs(", called at ", to);
        pl_html_text(to, s->caller);
    }
    if (o->why != PL_COVERED_WHY_NOT) {
        char reason[1400];

        pl_cover_view_reason(p->view->set, o, reason, sizeof(reason));
        fputs("<small>", to);
        pl_html_text(to, reason);
        fputs("</small>", to);
    }
    if (o->state == PL_COVERED_SHOWN)
        fprintf(to, "<small>execution %llu%s</small>",
                (unsigned long long)pl_covered_position(p->view->set, o->first),
                !o->pair ? ", known from a predecessor set" : "");
    fputs("</span></li>\n", to);
}

static void print_statement(FILE *to, const struct pl_cover_page *p, uint32_t statement)
{
    const struct pl_covered_statement *s = &p->view->set->statements[statement];

    fputs("<h4>", to);
    pl_html_text(to, s->operation);
    if (p->view->places[statement].column != 0)
        fprintf(to, " at column %u", p->view->places[statement].column);
    fputs(" in ", to);
    pl_html_text(to, p->view->set->functions[s->function].name);
    if (s->caller[0] != '\0') {
        fputs(", called at ", to);
        pl_html_text(to, s->caller);
    }
    fputs("</h4>\n<ul>\n", to);
}

static void print_partners(FILE *to, const struct pl_cover_page *p, const struct line *l)
{
    fputs("<div class=\"p\">\n", to);
    for (size_t i = 0; i < l->n; i++) {
        if (i == 0 || l->ends[i].statement != l->ends[i - 1].statement) {
            fputs(i > 0 ? "</ul>\n" : "", to);
            print_statement(to, p, l->ends[i].statement);
        }
        print_partner(to, p, &l->ends[i]);
    }
    fputs("</ul>\n</div>\n", to);
}

/* ---- lines ---- */

static void print_count(FILE *to, char class, uint64_t n)
{
    fprintf(to, "<i class=\"%c\">", class);
    if (n > 0)
        fprintf(to, "%llu", (unsigned long long)n);
    fputs("</i>", to);
}

/* A number of orders of each state; what is open decides how the line looks. */
static void print_summary(FILE *to, const struct pl_cover_page *p, const struct line *l)
{
    PL_ASSERT(l->n > 0);
    uint64_t n[PL_COVERED_STATES] = {0}, begin = 0;

    for (size_t i = 0; i < l->n; i++) {
        n[l->ends[i].order->state]++;
        begin += l->ends[i].begins;
    }
    fprintf(to, "<details class=\"l %c\" id=\"",
            n[PL_COVERED_OPEN] > 0    ? 'o'
            : n[PL_COVERED_SHOWN] > 0 ? 'c'
                                      : 'n');
    print_id(to, p, l->ends[0].statement);
    fprintf(to,
            "\"><summary title=\"%llu pairs begin here, %llu end here: %llu covered, %llu not, "
            "%llu impossible\"><b>",
            (unsigned long long)begin, (unsigned long long)(l->n - begin), (unsigned long long)n[0],
            (unsigned long long)n[1], (unsigned long long)n[2]);
    if (p->view->places[l->ends[0].statement].line != 0)
        fprintf(to, "%u", p->view->places[l->ends[0].statement].line);
    fputs("</b><span class=\"k\">", to);
    print_count(to, 'c', n[PL_COVERED_SHOWN]);
    print_count(to, 'o', n[PL_COVERED_OPEN]);
    print_count(to, 'n', n[PL_COVERED_NEVER]);
    fputs("</span><code>", to);
}

static void print_line(FILE *to, const struct pl_cover_page *p, const struct line *l,
                       const char *text, size_t length)
{
    print_summary(to, p, l);
    if (text != NULL)
        pl_html_part(to, text, length);
    else if (p->view->places[l->ends[0].statement].line == 0)
        pl_html_text(to, place_of(p, l->ends[0].statement));
    fputs("</code></summary>\n", to);
    print_partners(to, p, l);
    fputs("</details>\n", to);
}

/*
 * Lines from the one up to the other, which nothing happens at.  Of files that are not the
 * program's, such as headers of the system, only those near lines with orders are of interest.
 */
static void print_plain(FILE *to, const struct pl_cover_page *p, const struct pl_cover_file *f,
                        size_t from, size_t to_line)
{
    PL_ASSERT(from >= 1);
    size_t after = from > 1 ? from + NEAR : 1, have = pl_source_lines(p->source, f->name);
    size_t before = to_line > have ? have + 1 : to_line > NEAR ? to_line - NEAR : 1;

    for (size_t line = from; line < to_line; line++) {
        size_t length;

        if (pl_cover_places_foreign(f->name) && line >= after && line < before) {
            fputs("<div class=\"l\"><b>\u22ee</b></div>\n", to);
            line = before - 1;
            continue;
        }
        const char *text = pl_source_text(p->source, f->name, line, &length);

        fprintf(to, "<div class=\"l\"><b>%zu</b><code>", line);
        pl_html_part(to, text, length);
        fputs("</code></div>\n", to);
    }
}

static void print_lines(FILE *to, const struct pl_cover_page *p, const struct pl_cover_file *f)
{
    size_t have = f->name[0] != '\0' ? pl_source_lines(p->source, f->name) : 0, next = 1;

    if (have == 0 && f->name[0] != '\0')
        fputs("<p class=\"m\">There is no such file below the folder in which this page was made: "
              "only the lines with pairs are listed.</p>\n",
              to);
    for (size_t at = 0; at < f->n_ends;) {
        struct line l = line_at(p, f, at);
        size_t line = p->view->places[l.ends[0].statement].line, length = 0;
        const char *text = NULL;

        if (line != 0 && line <= have) {
            print_plain(to, p, f, next, line);
            text = pl_source_text(p->source, f->name, line, &length);
            next = line + 1;
        }
        print_line(to, p, &l, text, length);
        at += l.n;
    }
    if (have > 0)
        print_plain(to, p, f, next, have + 1);
}

/* ---- files ---- */

static void print_functions(FILE *to, const struct pl_cover_page *p, const struct pl_cover_file *f)
{
    fputs("<details class=\"fs\"><summary>Functions</summary><div class=\"w\"><table>\n<thead><tr>"
          "<th>function</th><th>interrupted</th><th>whole</th><th>by functions</th>"
          "<th>pairs of statements</th></tr></thead>\n<tbody>\n",
          to);
    for (size_t i = 0; i < p->view->n_rows; i++) {
        const struct pl_cover_row *r = &p->view->rows[i];

        if (strcmp(r->function->file, f->name) != 0)
            continue;
        fputs("<tr><td><code>", to);
        pl_html_text(to, r->function->name);
        fprintf(to, "</code></td><td>%s</td><td>%s</td><td>%u of %u</td><td>%u of %u</td></tr>\n",
                r->function->interrupted.execution != 0 ? "yes" : "no",
                r->function->whole.execution != 0 ? "yes" : "no", r->partners, r->partners_total,
                r->pairs, r->pairs_total);
    }
    fputs("</tbody></table></div></details>\n", to);
}

void pl_cover_lines_print(FILE *to, const struct pl_cover_page *p)
{
    for (size_t i = 0; i < p->n_files; i++) {
        const struct pl_cover_file *f = &p->files[i];

        if (f->n_ends == 0)
            continue;
        fprintf(to, "<section class=\"f\" id=\"f%zu\">\n<h2>", i);
        pl_html_text(to, f->name[0] != '\0' ? f->name : "code without source lines");
        fprintf(to,
                "<span class=\"t\"><i class=\"c\">%llu covered</i> <i class=\"o\">%llu not</i> "
                "<i class=\"n\">%llu impossible</i></span></h2>\n",
                (unsigned long long)f->orders[0], (unsigned long long)f->orders[1],
                (unsigned long long)f->orders[2]);
        if (f->shares[0].total > 0)
            print_functions(to, p, f);
        fputs("<div class=\"src\">\n<div class=\"h\"><b></b><span class=\"k\"><i "
              "class=\"c\">covered</i>"
              "<i class=\"o\">not</i><i class=\"n\">imp.</i></span></div>\n",
              to);
        print_lines(to, p, f);
        fputs("</div>\n</section>\n", to);
    }
}
