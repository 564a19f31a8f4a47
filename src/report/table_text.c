/* SPDX-License-Identifier: MIT */
/* The words in a table of a schedule; see table_text.h. */
#include "report/table_text.h"

#include "base/assert.h"
#include "report/fit.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

/* Append cleaned text, quoted when a shell would need it. */
static void append_word(char *to, size_t size, const char *word)
{
    size_t n = strlen(to);
    bool plain = word[0] != '\0' && !strpbrk(word, " \t\n\"'\\$`*?[](){}<>|&;#~!");

    if (n + 4 >= size)
        return;
    if (!plain)
        to[n++] = '\'';
    pl_fit_clean(to + n, size - n - 2, word);
    if (!plain)
        strcat(to + n, "'");
}

void pl_table_text_title(char *to, size_t size, const struct pl_schedule *s)
{
    PL_ASSERT(size > 0 && s->program != NULL);
    to[0] = '\0';
    append_word(to, size, s->program);
    for (size_t i = 0; i < s->n_arguments; i++) {
        size_t n = strlen(to);

        if (n + 8 >= size)
            return;
        strcat(to, " ");
        append_word(to, size, s->arguments[i]);
    }
}

void pl_table_text_origin(char *to, size_t size, const struct pl_schedule *s)
{
    char strategy[128], simple[128];

    pl_fit_clean(strategy, sizeof(strategy), s->strategy);
    int n = snprintf(to, size, "strategy %s, seed %" PRIu64 ", execution %" PRIu64, strategy,
                     s->seed, s->execution);
    size_t used = n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;

    if (s->minimal) {
        /* Whether that is proven does not fit here. */
        pl_finding_text_minimal(simple, sizeof(simple), "", s->preemptions, s->switches);
        snprintf(to + used, size - used, ", minimised: %s", simple);
    } else {
        snprintf(to + used, size - used, ", %zu choice%s", s->n_packed + s->n_choices,
                 s->n_packed + s->n_choices == 1 ? "" : "s");
    }
}

void pl_table_text_thread(char *to, size_t size, const struct pl_schedule *s, const char *path)
{
    uint32_t process = pl_schedule_process(s, path);

    if (process != 0)
        snprintf(to, size, "p%" PRIu32 ":%.256s", process, path);
    else
        snprintf(to, size, "%.256s", path);
}

void pl_table_text_heading(char *to, size_t size, const struct pl_schedule *s, const char *path)
{
    const char *function = pl_schedule_start_function(s, path);
    const char *program = pl_schedule_program(s, path);
    char name[PL_FIT_TEXT / 2], other[PL_FIT_TEXT / 2], thread[PL_FIT_TEXT / 2];

    if (!function && strcmp(path, "0") == 0)
        function = "main";
    pl_table_text_thread(thread, sizeof(thread), s, path);
    pl_fit_clean(name, sizeof(name), function ? function : "");
    pl_fit_clean(other, sizeof(other), program ? program : "");
    snprintf(to, size, "%s%s%s%s%s%s", function || program ? "" : "thread ", thread,
             function || program ? " " : "", other, function && program ? ":" : "", name);
}

static void choice_cell(char *to, size_t size, const struct pl_schedule_line *line)
{
    PL_ASSERT(line->is_choice && line->options > 0);
    switch (line->kind) {
    case PL_CHOICE_WAITER:
        snprintf(to, size, "* wakes %.64s, %u of %u", line->target ? line->target : "waiter",
                 line->taken + 1u, (unsigned)line->options);
        break;
    case PL_CHOICE_WEAK_CAS:
        snprintf(to, size, "* exchange %s", line->taken ? "fails" : "succeeds");
        break;
    case PL_CHOICE_VALUE:
        if (line->op == PL_OP_ATOMIC_RMW) {
            snprintf(to, size, "* %s address", line->taken ? "a freed block's" : "another");
            break;
        }
        snprintf(to, size, "* chooses %u of 0..%u", (unsigned)line->taken, line->options - 1u);
        break;
    default:
        snprintf(to, size, "* way %u of %u", line->taken + 1u, (unsigned)line->options);
    }
}

void pl_table_text_cell(char *to, size_t size, const struct pl_schedule_line *line, unsigned width,
                        bool unicode)
{
    static const char *const ways[] = {
        [PL_WAY_BLOCKED] = "",           [PL_WAY_NORMAL] = "",
        [PL_WAY_TIMEOUT] = ", timeout",  [PL_WAY_SPURIOUS] = ", spurious",
        [PL_WAY_CANCEL] = ", cancelled", [PL_WAY_SIGNAL] = ", signal",
    };
    char name[PL_FIT_TEXT / 2] = "";
    PL_ASSERT(line->op < PL_OP_KINDS && line->way < sizeof(ways) / sizeof(ways[0]));
    const char *op = pl_operation_text(line->op);
    const char *way = !line->early                  ? ways[line->way]
                      : line->way == PL_WAY_TIMEOUT ? ", early timeout"
                                                    : ", ends early";

    if (line->is_choice) {
        choice_cell(to, size, line);
        pl_fit_end(to, size, width, unicode);
        return;
    }
    if (line->target || line->object)
        pl_fit_clean(name, sizeof(name), line->target ? line->target : line->object);

    unsigned fixed = (unsigned)(strlen(op) + strlen(way)) + 1;

    if (name[0] != '\0' && width > fixed + 4)
        pl_fit_middle(name, sizeof(name), width - fixed, unicode);
    snprintf(to, size, "%s%s%s%s", op, name[0] != '\0' ? " " : "", name, way);
    pl_fit_end(to, size, width, unicode);
}

bool pl_table_text_side(char *to, size_t size, const struct pl_schedule_line *line,
                        struct pl_source *source)
{
    if (line->location && pl_source_line(source, line->location, to, size))
        return true;
    if (!line->function)
        return false;
    pl_fit_clean(to, size, line->function);
    return true;
}

/* Whether the line is what a detail such as "thread 0.1 came first at ..." says. */
static bool is_said(const struct pl_schedule_line *line, const char *detail)
{
    char text[PL_FIT_TEXT];
    size_t n;

    if (line->is_choice || line->location == NULL)
        return false;
    n = (size_t)snprintf(text, sizeof(text), "thread %s came ", line->thread);
    if (n >= sizeof(text) || strncmp(detail, text, n) != 0)
        return false;
    const char *at = strstr(detail + n, " at ");

    snprintf(text, sizeof(text), "%s%s%s%s", line->location, line->function ? " (" : "",
             line->function ? line->function : "", line->function ? ")" : "");
    n = strlen(text);
    if (line->object != NULL)
        snprintf(text + n, sizeof(text) - n, " (%s of %s)", pl_operation_text(line->op),
                 line->object);
    return at != NULL && strcmp(at + 4, text) == 0;
}

void pl_table_text_order(const struct pl_schedule *s, const struct pl_schedule_line *rows[2])
{
    const struct pl_schedule_line *first = NULL;

    rows[0] = rows[1] = NULL;
    if (s->finding != PL_FINDING_ORDER || s->n_details < 2)
        return;
    for (size_t i = 0; i < s->n_lines; i++) {
        const struct pl_schedule_line *line = &s->lines[i];

        if (first != NULL && is_said(line, s->details[1])) {
            rows[0] = first;
            rows[1] = line;
            return;
        }
        if (is_said(line, s->details[0]))
            first = line;
    }
}
