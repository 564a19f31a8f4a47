/* SPDX-License-Identifier: MIT */
/* See progress.h. */
#include "cli/progress.h"

#include "base/assert.h"
#include "report/report.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { REDRAW_MS = 200 };

void pl_progress_open(struct pl_progress_line *line, bool wanted)
{
    memset(line, 0, sizeof(*line));
    line->on = wanted && isatty(STDERR_FILENO);
}

static void add_time_left(char *to, size_t size, const struct pl_progress_line *line,
                          const struct pl_progress *p)
{
    double left = -1;

    if (p->time_ms != 0)
        left = p->elapsed_ms < p->time_ms ? (double)(p->time_ms - p->elapsed_ms) / 1000 : 0;
    if (p->limit > p->executions && line->rate > 0) {
        double by_count = (double)(p->limit - p->executions) / line->rate;

        left = left < 0 || by_count < left ? by_count : left;
    }
    if (left >= 3600)
        snprintf(to, size, ", %.1f h left", left / 3600);
    else if (left >= 60)
        snprintf(to, size, ", %.0f min left", left / 60);
    else if (left >= 0)
        snprintf(to, size, ", %.0f s left", left);
    else
        snprintf(to, size, ", %.0f s", (double)p->elapsed_ms / 1000);
}

static unsigned terminal_width(void)
{
    struct winsize w;

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col : 80;
}

void pl_progress_draw(struct pl_progress_line *line, const struct pl_progress *p)
{
    char text[256], left[64], jobs[24] = "", outlook[160];
    uint64_t gone = p->elapsed_ms - line->drawn_ms;

    PL_ASSERT(!p->driving || !p->minimizing);
    if (!line->on || gone < REDRAW_MS)
        return;
    double now = (double)(p->executions - line->drawn_executions) * 1000 / (double)gone;

    line->rate = line->rate > 0 ? 0.7 * line->rate + 0.3 * now : now;
    line->drawn_ms = p->elapsed_ms;
    line->drawn_executions = p->executions;
    add_time_left(left, sizeof(left), line, p);
    pl_outlook_text(outlook, sizeof(outlook), &p->outlook);
    if (outlook[0] == '\0')
        snprintf(outlook, sizeof(outlook), "depth %llu", (unsigned long long)p->max_choices);
    if (p->jobs > 1)
        snprintf(jobs, sizeof(jobs), " by %u jobs", p->jobs);
    if (p->starting)
        snprintf(text, sizeof(text), "starting the program%s", left);
    else if (p->driving)
        snprintf(text, sizeof(text), "trying what was predicted: %llu of %llu executions, %.0f/s",
                 (unsigned long long)p->executions, (unsigned long long)p->limit, line->rate);
    else if (p->minimizing)
        snprintf(text, sizeof(text), "making a finding simpler: %llu executions, %.0f/s%s",
                 (unsigned long long)p->executions, line->rate, left);
    else
        snprintf(text, sizeof(text), "%llu executions, %.0f/s%s, %s, %llu finding%s%s",
                 (unsigned long long)p->executions, line->rate, jobs, outlook,
                 (unsigned long long)p->findings, p->findings == 1 ? "" : "s", left);
    dprintf(STDERR_FILENO, "\r\033[K%.*s", (int)terminal_width() - 1, text);
    line->visible = true;
}

void pl_progress_wipe(struct pl_progress_line *line)
{
    if (!line->visible)
        return;
    (void)!write(STDERR_FILENO, "\r\033[K", 4);
    line->visible = false;
}
