/* SPDX-License-Identifier: MIT */
/*
 * Building a schedule in memory.
 *
 * Thread paths, object names and source lines repeat a million times, so every
 * string is looked up before it is copied.  Strings of a hostile file may all
 * have the same hash: after a few probes a string is simply kept twice, so that
 * adding one always takes constant time.  Hence compare strings, not pointers.
 */
#include "trace/schedule.h"

#include "base/assert.h"
#include "base/claimed.h"
#include "model/name.h"
#include "trace/schedule_format.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 << 10, PROBES = 16, FIRST_SLOTS = 256 };

struct pl_schedule_chunk {
    struct pl_schedule_chunk *next;
    size_t used, size;
    char text[];
};

static const struct {
    const char *key;
    bool is_flag;
} known_options[] = {
    {"detect", false},        {"spurious", true},        {"weak-cas", true},
    {"restart", false},       {"points", false},         {"expect-exit", false},
    {"check", false},         {"max-steps", false},      {"hang-time", false},
    {"expect-output", false}, {"section", false},        {"cover", false},
    {"time-outs", false},     {"hooks-only", true},      {"check-pairs", true},
    {"client", false},        {"process-digits", false},
};

void pl_schedule_init(struct pl_schedule *s)
{
    *s = (struct pl_schedule){0};
}

void pl_schedule_free(struct pl_schedule *s)
{
    while (s->chunks) {
        struct pl_schedule_chunk *next = s->chunks->next;

        free(s->chunks);
        s->chunks = next;
    }
    free(s->slots);
    free(s->arguments);
    free(s->options);
    free(s->details);
    free(s->threads);
    free(s->lines);
    free(s->own_inputs);
    free(s->shapes);
    free(s->packed);
    free(s->groups);
    free(s->shape_slots);
    pl_schedule_init(s);
}

/* Copy n bytes and terminate them. */
static const char *copy(struct pl_schedule *s, const char *text, size_t n)
{
    struct pl_schedule_chunk *c = s->chunks;

    if (!c || c->size - c->used < n + 1) {
        size_t size = n + 1 > CHUNK ? n + 1 : CHUNK;

        c = malloc(sizeof(*c) + size);
        if (!c) {
            s->failed = true;
            return NULL;
        }
        *c = (struct pl_schedule_chunk){.next = s->chunks, .size = size};
        s->chunks = c;
    }

    PL_ASSERT(c->used + n + 1 <= c->size);
    char *to = c->text + c->used;

    memcpy(to, text, n);
    to[n] = '\0';
    c->used += n + 1;
    return to;
}

static uint64_t hash_of(const char *text, size_t n)
{
    return pl_schedule_format_hash(PL_SCHEDULE_HASH_START, text, n);
}

static struct pl_claimed table_of(const struct pl_schedule *s)
{
    return (struct pl_claimed){.entries = s->slots,
                               .size = sizeof(*s->slots),
                               .mask = (uint32_t)(s->n_slots - 1),
                               .probes = PROBES};
}

/* Put a string that is known not to be there into the table, if there is room nearby. */
static void remember(struct pl_schedule *s, const char *text)
{
    struct pl_claimed table = table_of(s);
    uint64_t home = hash_of(text, strlen(text));

    for (uint32_t i = 0; i < table.probes; i++) {
        const char **slot = pl_claimed_entry(table, home, i);

        if (!*slot) {
            *slot = text;
            s->n_strings++;
            return;
        }
    }
}

static void grow_slots(struct pl_schedule *s)
{
    const char **old = s->slots;
    size_t n_old = s->n_slots;
    size_t n = n_old ? 2 * n_old : FIRST_SLOTS;
    const char **slots = calloc(n, sizeof(*slots));

    if (!slots) { /* the old table will do, it only finds less */
        s->failed = s->failed || !old;
        return;
    }
    s->slots = slots;
    s->n_slots = n;
    s->n_strings = 0;
    for (size_t i = 0; i < n_old; i++) {
        if (old[i])
            remember(s, old[i]);
    }
    free(old);
}

static const char *keep(struct pl_schedule *s, const char *text, size_t n)
{
    if (s->n_strings >= s->n_slots / 2)
        grow_slots(s);
    PL_ASSERT(s->n_strings <= s->n_slots);
    if (s->n_slots == 0)
        return NULL;

    struct pl_claimed table = table_of(s);
    uint64_t home = hash_of(text, n);

    for (uint32_t i = 0; i < table.probes; i++) {
        const char *const *slot = pl_claimed_entry(table, home, i);

        if (!*slot)
            break;
        if (strncmp(*slot, text, n) == 0 && (*slot)[n] == '\0')
            return *slot;
    }

    const char *kept = copy(s, text, n);

    if (kept)
        remember(s, kept);
    return kept;
}

const char *pl_schedule_keep(struct pl_schedule *s, const char *text)
{
    return text ? keep(s, text, strlen(text)) : NULL;
}

/* Keep an annotation: at most PL_SCHEDULE_NOTE_MAX bytes of it, and no half character. */
static const char *keep_note(struct pl_schedule *s, const char *text)
{
    if (!text)
        return NULL;

    size_t n = strnlen(text, PL_SCHEDULE_NOTE_MAX + 1);

    if (n > PL_SCHEDULE_NOTE_MAX) {
        n = PL_SCHEDULE_NOTE_MAX;
        for (unsigned i = 0; i < 3 && ((unsigned char)text[n] & 0xc0) == 0x80; i++)
            n--;
    }
    return keep(s, text, n);
}

/* Room for one more element; false when there can be none. */
static bool make_room(struct pl_schedule *s, void *array, size_t n, size_t *room, size_t size,
                      size_t most)
{
    void *old;

    PL_ASSERT(n <= *room);
    if (n < *room)
        return true;
    memcpy(&old, array, sizeof(old));

    size_t more = *room ? 2 * *room : 16;
    void *bigger = n < most ? realloc(old, more * size) : NULL;

    if (!bigger) {
        s->failed = true;
        return false;
    }
    memcpy(array, &bigger, sizeof(bigger));
    *room = more;
    return true;
}

void pl_schedule_add_argument(struct pl_schedule *s, const char *argument)
{
    if (make_room(s, &s->arguments, s->n_arguments, &s->room_arguments, sizeof(*s->arguments),
                  PL_SCHEDULE_ITEMS_MAX))
        s->arguments[s->n_arguments++] = pl_schedule_keep(s, argument);
}

void pl_schedule_add_option(struct pl_schedule *s, const char *key, const char *value)
{
    bool is_flag = false;
    bool known = pl_schedule_knows_option(key, &is_flag);

    PL_ASSERT(known && is_flag == !value);
    (void)known;
    if (make_room(s, &s->options, s->n_options, &s->room_options, sizeof(*s->options),
                  PL_SCHEDULE_ITEMS_MAX)) {
        s->options[s->n_options].key = pl_schedule_keep(s, key);
        s->options[s->n_options++].value = pl_schedule_keep(s, value);
    }
}

void pl_schedule_add_detail(struct pl_schedule *s, const char *text)
{
    if (make_room(s, &s->details, s->n_details, &s->room_details, sizeof(*s->details),
                  PL_SCHEDULE_ITEMS_MAX))
        s->details[s->n_details++] = pl_schedule_keep(s, text);
}

void pl_schedule_add_thread(struct pl_schedule *s, const char *path, const char *function,
                            uint32_t process, const char *program)
{
    PL_ASSERT(pl_name_parse(path) != 0);
    if (make_room(s, &s->threads, s->n_threads, &s->room_threads, sizeof(*s->threads),
                  PL_SCHEDULE_ITEMS_MAX)) {
        s->threads[s->n_threads].path = pl_schedule_keep(s, path);
        s->threads[s->n_threads].process = process;
        s->threads[s->n_threads].program = keep_note(s, program);
        s->threads[s->n_threads++].function = keep_note(s, function);
    }
}

static void add_line(struct pl_schedule *s, const struct pl_schedule_line *line)
{
    PL_ASSERT(pl_name_parse(line->thread) != 0 && line->op < PL_OP_KINDS);
    PL_ASSERT(!line->target || pl_name_parse(line->target) != 0);
    if (!make_room(s, &s->lines, s->n_lines, &s->room_lines, sizeof(*s->lines),
                   (size_t)PL_SCHEDULE_CHOICES_MAX + PL_SCHEDULE_OPERATIONS_MAX))
        return;

    struct pl_schedule_line *to = &s->lines[s->n_lines++];

    *to = *line;
    to->thread = pl_schedule_keep(s, line->thread);
    to->target = pl_schedule_keep(s, line->target);
    to->object = keep_note(s, line->object);
    to->location = keep_note(s, line->location);
    to->function = keep_note(s, line->function);
    to->callers = keep_note(s, line->callers);
}

void pl_schedule_add_operation(struct pl_schedule *s, const struct pl_schedule_line *operation)
{
    struct pl_schedule_line line = *operation;

    line.is_choice = false;
    line.kind = 0;
    line.taken = line.options = 0;
    line.digest = 0;
    if (line.way == PL_WAY_BLOCKED)
        line.way = PL_WAY_NORMAL;
    line.early = false;
    PL_ASSERT(line.way < PL_SCHEDULE_FORMAT_WAYS);
    if (s->n_lines - s->n_choices >= PL_SCHEDULE_OPERATIONS_MAX)
        s->failed = true;
    else
        add_line(s, &line);
}

void pl_schedule_add_choice(struct pl_schedule *s, const struct pl_schedule_line *choice)
{
    struct pl_schedule_line line = *choice;
    size_t before = s->n_lines;

    line.is_choice = true;
    line.way = PL_WAY_NORMAL;
    PL_ASSERT(line.kind < PL_CHOICE_KINDS && line.taken < line.options);
    PL_ASSERT(line.kind != PL_CHOICE_THREAD || line.target);
    if (s->n_packed + s->n_choices >= PL_SCHEDULE_CHOICES_MAX) {
        s->failed = true;
        return;
    }
    add_line(s, &line);
    PL_ASSERT(s->n_lines - before <= 1);
    s->n_choices += s->n_lines - before;
}

bool pl_schedule_knows_option(const char *key, bool *is_flag)
{
    for (size_t i = 0; i < sizeof(known_options) / sizeof(known_options[0]); i++) {
        if (strcmp(known_options[i].key, key) == 0) {
            *is_flag = known_options[i].is_flag;
            return true;
        }
    }
    return false;
}

const char *pl_schedule_option(const struct pl_schedule *s, const char *key)
{
    for (size_t i = 0; i < s->n_options; i++) {
        if (strcmp(s->options[i].key, key) == 0)
            return s->options[i].value ? s->options[i].value : "";
    }
    return NULL;
}

uint32_t pl_schedule_process(const struct pl_schedule *s, const char *path)
{
    for (size_t i = 0; i < s->n_threads; i++) {
        if (strcmp(s->threads[i].path, path) == 0)
            return s->threads[i].process;
    }
    return 0;
}

const char *pl_schedule_program(const struct pl_schedule *s, const char *path)
{
    for (size_t i = 0; i < s->n_threads; i++) {
        if (strcmp(s->threads[i].path, path) == 0)
            return s->threads[i].program;
    }
    return NULL;
}

bool pl_schedule_has_processes(const struct pl_schedule *s)
{
    for (size_t i = 0; i < s->n_threads; i++) {
        if (s->threads[i].process != 0)
            return true;
    }
    return false;
}

const char *pl_schedule_start_function(const struct pl_schedule *s, const char *path)
{
    for (size_t i = 0; i < s->n_threads; i++) {
        if (strcmp(s->threads[i].path, path) == 0)
            return s->threads[i].function;
    }
    return NULL;
}

size_t pl_schedule_steps(const struct pl_schedule *s, struct pl_step *out, size_t max)
{
    PL_ASSERT(out != NULL || max == 0);
    size_t n = 0, group = 0;

    for (; n < s->n_packed && n < max; n++)
        out[n] = pl_schedule_packed_step(s, n, &group);
    n = s->n_packed;

    for (size_t i = 0; i < s->n_lines; i++) {
        const struct pl_schedule_line *line = &s->lines[i];

        if (!line->is_choice)
            continue;
        if (n < max) {
            out[n] = (struct pl_step){
                .at = pl_name_parse(line->thread),
                .target = line->target ? pl_name_parse(line->target) : 0,
                .digest = line->digest,
                .ordinal = line->ordinal,
                .taken = line->taken,
                .kind = line->kind,
                .op = line->op,
            };
        }
        n++;
    }
    return n;
}
