/* SPDX-License-Identifier: MIT */
/*
 * A schedule file from a stranger.  Whatever the bytes are, they are a schedule
 * or get a sentence.  A schedule can be printed as a table; written and read
 * again it is the same schedule, and writing it once more gives the same bytes.
 *
 * run.sh links this with libFuzzer; the test fuzz_corpus links it with
 * corpus.c, which feeds it the files of corpus/.
 */
#include "base/exit.h"
#include "report/table.h"
#include "trace/schedule.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void must(bool fact)
{
    if (!fact)
        abort();
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static char *print(const struct pl_schedule *s, size_t *size)
{
    char *text = NULL;
    struct pl_err err;
    FILE *to = open_memstream(&text, size);

    must(to != NULL);
    must(pl_schedule_print(to, s, &err) == 0);
    must(fclose(to) == 0);
    return text;
}

static void must_be_same_line(const struct pl_schedule_line *a, const struct pl_schedule_line *b)
{
    must(a->is_choice == b->is_choice && a->kind == b->kind && a->op == b->op);
    must(a->way == b->way && a->taken == b->taken && a->options == b->options);
    must(a->ordinal == b->ordinal && a->digest == b->digest);
    must(same_text(a->thread, b->thread) && same_text(a->target, b->target));
    must(same_text(a->object, b->object) && same_text(a->location, b->location));
    must(same_text(a->function, b->function));
}

static void must_be_same(const struct pl_schedule *a, const struct pl_schedule *b)
{
    must(same_text(a->program, b->program) && same_text(a->build_id, b->build_id));
    must(same_text(a->strategy, b->strategy) && same_text(a->message, b->message));
    must(same_text(a->location, b->location) && a->seed == b->seed);
    must(a->execution == b->execution && a->carrier == b->carrier);
    must(a->finding == b->finding && a->signature == b->signature);
    must(a->n_arguments == b->n_arguments && a->n_options == b->n_options);
    must(a->n_details == b->n_details && a->n_threads == b->n_threads);
    must(a->n_lines == b->n_lines && a->n_choices == b->n_choices);
    for (size_t i = 0; i < a->n_arguments; i++)
        must(same_text(a->arguments[i], b->arguments[i]));
    for (size_t i = 0; i < a->n_options; i++)
        must(same_text(pl_schedule_option(a, b->options[i].key),
                       pl_schedule_option(b, b->options[i].key)));
    for (size_t i = 0; i < a->n_details; i++)
        must(same_text(a->details[i], b->details[i]));
    for (size_t i = 0; i < a->n_threads; i++)
        must(same_text(a->threads[i].path, b->threads[i].path) &&
             same_text(a->threads[i].function, b->threads[i].function));
    for (size_t i = 0; i < a->n_lines; i++)
        must_be_same_line(&a->lines[i], &b->lines[i]);
    must(a->n_shapes == b->n_shapes && a->n_packed == b->n_packed && a->n_groups == b->n_groups);
    for (size_t i = 0; i < a->n_packed; i++)
        must(a->packed[i].shape == b->packed[i].shape &&
             a->packed[i].ordinal == b->packed[i].ordinal);
}

static void must_make_a_table(const struct pl_schedule *s)
{
    static FILE *nowhere;
    struct pl_table_style style = {.width = (unsigned)s->seed % 160, .color = s->execution & 1};

    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    must(nowhere != NULL);
    style.unicode = s->execution & 2;
    style.all = s->execution & 4;
    pl_table_print(nowhere, s, &style);
}

static void try(const char *data, size_t size)
{
    struct pl_schedule s, again;
    struct pl_err err = {.text = ""};
    struct pl_step steps[4];

    if (pl_schedule_parse(data, size, &s, &err) != 0) {
        must(err.class == PL_ERR_USER && err.text[0] != '\0' && !s.lines);
        for (const char *p = err.text; *p != '\0'; p++)
            must(*p >= ' ' && *p <= '~');
        return;
    }

    size_t n = 0, n_again = 0;
    char *text = print(&s, &n);

    must(pl_schedule_steps(&s, steps, 4) == s.n_packed + s.n_choices);
    must(pl_schedule_parse(text, n, &again, &err) == 0);
    must_be_same(&s, &again);

    char *text_again = print(&again, &n_again);

    must(n == n_again && memcmp(text, text_again, n) == 0);
    must_make_a_table(&s);
    free(text);
    free(text_again);
    pl_schedule_free(&s);
    pl_schedule_free(&again);
}

/* The bytes with a right last line: else no mutation would get past the checksum. */
static char *complete(const unsigned char *data, size_t size, size_t *n)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, n);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    bool body = false;
    size_t lines = 0;

    must(to != NULL);
    for (size_t at = 0; at < size;) {
        const unsigned char *line = data + at;
        const unsigned char *end = memchr(line, '\n', size - at);
        size_t length = end ? (size_t)(end - line) : size - at;
        size_t checked = length;

        if (length >= 4 && memcmp(line, "end ", 4) == 0)
            break;
        at += length + 1;
        fwrite(line, 1, length, to);
        fputc('\n', to);
        if (checked > 0 && line[checked - 1] == '\r')
            checked--;
        for (size_t i = 0; body && i < checked; i++) {
            if (line[i] == '#')
                checked = i;
        }
        while (checked > 0 && (line[checked - 1] == ' ' || line[checked - 1] == '\t'))
            checked--;
        if (checked == 0 || line[0] == '#')
            continue;
        for (size_t i = 0; i < checked; i++)
            hash = (hash ^ line[i]) * UINT64_C(0x100000001b3);
        hash = (hash ^ '\n') * UINT64_C(0x100000001b3);
        lines += body;
        body = body || (checked == 5 && memcmp(line, "begin", 5) == 0);
    }
    fprintf(to, "end %zu %016llx\n", lines, (unsigned long long)hash);
    must(fclose(to) == 0);
    return text;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    size_t n = 0;
    char *text = complete(data, size, &n);

    try((const char *)data, size);
    try(text, n);
    free(text);
    return 0;
}
