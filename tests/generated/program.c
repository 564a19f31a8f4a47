/* SPDX-License-Identifier: MIT */
/* See program.h. */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 16 };

static const struct {
    const char *word, *operands;
} kinds[] = {
#define STEP(NAME, word, operands) {word, operands},
#include "steps.def"
#undef STEP
};

/* While reading. */
struct reader {
    struct program *p;
    unsigned line;
    unsigned n_open, n_loops;
    uint8_t open[STEPS_MAX]; /* the steps whose `end` is to come */
};

_Noreturn static void refuse(const struct reader *r, const char *what, const char *word)
{
    fprintf(stderr, "line %u: %s: %s\n", r->line, what, word ? word : "");
    exit(2);
}

static unsigned number(const struct reader *r, const char *word, unsigned limit)
{
    char *end = NULL;
    unsigned long n = word ? strtoul(word, &end, 10) : limit;

    if (word == NULL || *word < '0' || *word > '9' || *end != '\0' || n >= limit)
        refuse(r, "not a number that is allowed here", word);
    return (unsigned)n;
}

static unsigned *count_of(struct program *p, char kind)
{
    switch (kind) {
    case 'x':
        return &p->n_variables;
    case 'm':
        return &p->n_mutexes;
    case 'c':
        return &p->n_conditions;
    case 'l':
        return &p->n_rwlocks;
    case 's':
        return &p->n_semaphores;
    case 'b':
        return &p->n_barriers;
    default:
        return NULL;
    }
}

static void declare(struct reader *r, char kind)
{
    struct program *p = r->p;
    unsigned *n = count_of(p, kind);
    const char *word;

    if (n == NULL)
        refuse(r, "no such kind of objects", NULL);
    while ((word = strtok(NULL, " ")) != NULL) {
        if (*n >= OBJECTS_MAX)
            refuse(r, "too many objects", word);
        if (kind == 'x')
            p->atomic[(*n)++] = strcmp(word, "atomic") == 0;
        else if (kind == 's')
            p->value[(*n)++] = (uint8_t)number(r, word, 100);
        else if (kind == 'b')
            p->parties[(*n)++] = (uint8_t)number(r, word, THREADS_MAX + 1);
        else
            *n = number(r, word, OBJECTS_MAX + 1);
    }
}

static void operand(const struct reader *r, struct step *s, char kind, bool second)
{
    const char *word = strtok(NULL, " ");

    if (kind == 'n') {
        *(second ? &s->new : &s->number) = (uint8_t)number(r, word, 256);
        return;
    }
    if (word == NULL || word[0] != kind)
        refuse(r, "another operand is expected", word);
    unsigned limit = kind == 'r' ? REGISTERS : *count_of(r->p, kind);
    uint8_t n = (uint8_t)number(r, word + 1, limit);

    if (kind == 'r')
        s->reg = n;
    else if (second)
        s->mutex = n;
    else
        s->object = n;
}

/* An `end`: what it closes learns where it is. */
static void close_block(struct reader *r, struct thread_steps *t, struct step *end)
{
    if (r->n_open == 0)
        refuse(r, "nothing to end", NULL);
    unsigned at = r->open[--r->n_open];
    struct step *s = &t->steps[at];

    s->to = (uint8_t)t->n;
    if (s->kind == STEP_IF)
        return;
    r->n_loops--;
    end->depth = s->depth;
    end->to = (uint8_t)(at + 1);
    for (unsigned i = at + 1; i + 1 < t->n; i++) {
        if (t->steps[i].kind == STEP_LEAVE && t->steps[i].to == 0)
            t->steps[i].to = (uint8_t)t->n;
    }
}

static void open_block(struct reader *r, struct thread_steps *t, struct step *s)
{
    if (s->kind == STEP_LOOP) {
        if (r->n_loops == LOOPS_MAX || s->number == 0)
            refuse(r, "too many loops, or a loop of no rounds", NULL);
        s->depth = (uint8_t)r->n_loops++;
    }
    r->open[r->n_open++] = (uint8_t)(t->n - 1);
}

static void read_step(struct reader *r, const char *word)
{
    struct program *p = r->p;
    unsigned kind = 0;

    while (kind < STEP_KINDS && strcmp(kinds[kind].word, word) != 0)
        kind++;
    if (kind == STEP_KINDS || p->n_threads == 0)
        refuse(r, "no such step", word);
    struct thread_steps *t = &p->threads[p->n_threads - 1];

    if (t->n == STEPS_MAX)
        refuse(r, "too many steps", word);
    struct step *s = &t->steps[t->n++];

    s->kind = (uint8_t)kind;
    for (const char *o = kinds[kind].operands; *o != '\0'; o++)
        operand(r, s, *o, o > kinds[kind].operands && (*o == 'm' || o[-1] == 'n'));
    if (kind == STEP_END)
        close_block(r, t, s);
    else if (kind == STEP_IF || kind == STEP_LOOP)
        open_block(r, t, s);
    else if (kind == STEP_LEAVE && r->n_loops == 0)
        refuse(r, "no loop to leave", NULL);
}

static void read_line(struct reader *r, char *line)
{
    line[strcspn(line, "#")] = '\0';
    const char *word = strtok(line, " ");

    if (word == NULL)
        return;
    if (strcmp(word, "thread") != 0) {
        if (word[1] == '\0')
            declare(r, word[0]);
        else
            read_step(r, word);
        return;
    }
    if (r->p->n_threads == THREADS_MAX || r->n_open > 0)
        refuse(r, "too many threads, or an `end` is missing", NULL);
    r->p->n_threads++;
}

void program_parse(struct program *p, const char *text)
{
    struct reader r = {.p = p};
    char line[256];

    *p = (struct program){0};
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");

        r.line++;
        if (n >= sizeof(line))
            refuse(&r, "the line is too long", NULL);
        memcpy(line, text, n);
        line[n] = '\0';
        read_line(&r, line);
        text += n + (text[n] == '\n');
    }
    if (p->n_threads == 0 || r.n_open > 0)
        refuse(&r, "no threads, or an `end` is missing", NULL);
}

void program_read(struct program *p, const char *path)
{
    static char text[TEXT_MAX];
    FILE *from = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");

    if (from == NULL) {
        perror(path);
        exit(2);
    }
    text[fread(text, 1, sizeof(text) - 1, from)] = '\0';
    if (from != stdin)
        fclose(from);
    program_parse(p, text);
}

static bool jump(struct locals *l, bool taken, unsigned to)
{
    l->at = (uint8_t)(taken ? to : l->at + 1u);
    return true;
}

bool program_local(const struct thread_steps *t, struct locals *l, bool *failed)
{
    const struct step *s = &t->steps[l->at];
    bool equal = l->registers[s->reg] == s->number;

    switch (s->kind) {
    case STEP_IF:
        return jump(l, !equal, s->to);
    case STEP_LEAVE:
        return jump(l, equal, s->to);
    case STEP_LOOP:
        l->loops[s->depth] = s->number;
        return jump(l, false, 0);
    case STEP_END:
        return jump(l, s->to != 0 && --l->loops[s->depth] > 0, s->to);
    case STEP_FAIL:
        *failed = equal;
        return jump(l, equal, l->at);
    default:
        return false;
    }
}

int program_outcome(const struct program *p, const int *variables, uint8_t (*registers)[REGISTERS],
                    char text[OUTCOME_MAX])
{
    int n = 0;

    for (unsigned i = 0; i < p->n_variables; i++)
        n += snprintf(text + n, OUTCOME_MAX - (size_t)n, "%d ", variables[i]);
    for (unsigned t = 0; t < p->n_threads; t++) {
        n += snprintf(text + n, OUTCOME_MAX - (size_t)n, "|");
        for (unsigned r = 0; r < REGISTERS; r++)
            n += snprintf(text + n, OUTCOME_MAX - (size_t)n, " %d", registers[t][r]);
    }
    n += snprintf(text + n, OUTCOME_MAX - (size_t)n, "\n");
    return n;
}
