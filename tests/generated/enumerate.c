/* SPDX-License-Identifier: MIT */
/*
 * Every execution of a description (program.h), by brute force: the oracle for
 * exhaustive strategies.  It knows nothing of plait.
 *
 *     enumerate [--naive] [--limit STATES] FILE
 *
 * prints the number of executions and of equivalence classes, whether a deadlock is
 * possible, and all failing assertions and outcomes; or "large" and nothing else when there
 * are more states than the limit.
 *
 * The class of an execution is what each thread has done, with the order of the operations that
 * depend on each other (machine.h).
 *
 * Two beginnings of executions with the same class have led to the same state, and what can
 * follow is the same, so each class of beginnings is followed once.  --naive does not use that: it
 * makes every single execution, and must come to the same answer.
 *
 * A variable counts as an object when two threads touch it in an execution, one of them with
 * more than a load.  Other variables are a thread's own business, done along with the operation
 * before.  First all of them count; what that shows to be shared counts in the searches that
 * follow.
 *
 * Except for one thing: whoever ends the execution, by a failing assertion or by closing a circle
 * of waiting threads, cuts off what others might have done before.  What it has accessed since its
 * last operation is therefore an operation, too, that touches nothing.
 */
#include "byte_set.h"
#include "machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_MAX = 8192 };

static struct machine machine;
static bool naive;
static bool shared[OBJECTS_MAX]; /* variables that ought to be objects */
static struct byte_set known, classes, outcomes, failures;
static bool deadlock;
static size_t limit = 1000000;

static int compare_touches(const void *a, const void *b)
{
    const struct touch *x = a, *y = b;

    return x->thread != y->thread ? (int)x->thread - y->thread : (int)x->ordinal - y->ordinal;
}

/* Per object: its operations, those that are next to each other and commute as a sorted set. */
static size_t write_class(const struct history *h, unsigned char *to)
{
    struct touch list[TOUCHES_MAX];
    size_t size = 0;

    for (unsigned o = 0; o < OBJECTS; o++) {
        unsigned n = 0, i, end;

        for (i = 0; i < h->n; i++) {
            if (h->touches[i].object == o)
                list[n++] = h->touches[i];
        }
        for (i = 0; i < n; i = end) {
            end = i + 1;
            while (end < n && list[i].label != LABEL_WRITE && list[end].label == list[i].label)
                end++;
            qsort(&list[i], end - i, sizeof(list[0]), compare_touches);
        }
        for (i = 0; i < n; i++) {
            if (size + 5 > KEY_MAX / 2)
                abort();
            to[size++] = list[i].object;
            to[size++] = list[i].label;
            to[size++] = list[i].thread;
            to[size++] = list[i].ordinal;
            to[size++] = list[i].victim;
        }
    }
    return size;
}

/* Which variables two threads have touched in this execution, one with more than a load. */
static void note_sharing(const struct history *h)
{
    unsigned threads[OBJECTS_MAX] = {0};
    bool written[OBJECTS_MAX] = {0};

    for (unsigned i = 0; i < h->n; i++) {
        const struct touch *t = &h->touches[i];

        if (t->object >= OBJECTS_MAX)
            continue;
        threads[t->object] |= 1u << t->thread;
        written[t->object] |= !t->is_load;
    }
    for (unsigned i = 0; i < OBJECTS_MAX; i++)
        shared[i] |= written[i] && (threads[i] & (threads[i] - 1)) != 0;
}

static void note_end(const struct state *s, const struct history *h)
{
    uint8_t registers[THREADS_MAX][REGISTERS];
    unsigned char key[KEY_MAX];
    char text[OUTCOME_MAX];
    bool is_new;
    int n;

    note_sharing(h);
    size_t size = write_class(h, key);

    key[size] =
        s->ended == FAILED ? (unsigned char)(s->failed_thread + 1) : 0; /* whose doing it was */
    byte_set_add(&classes, key, size + 1, &is_new);
    deadlock |= s->ended == STUCK;
    if (s->ended == FAILED) {
        n = snprintf(text, sizeof(text), "thread %d step %d\n", s->failed_thread, s->failed_step);
        byte_set_add(&failures, text, (size_t)n, &is_new);
    }
    if (s->ended != DONE)
        return;
    for (unsigned t = 0; t < machine.program.n_threads; t++)
        memcpy(registers[t], s->l[t].registers, REGISTERS);
    n = program_outcome(&machine.program, s->value, registers, text);
    byte_set_add(&outcomes, text, (size_t)n, &is_new);
}

/* The number of executions from here on. */
static uint64_t explore(const struct state *s, struct history *h)
{
    struct move moves[MOVES_MAX];
    unsigned char key[KEY_MAX];
    struct entry *entry = NULL;
    bool is_new = true;
    uint64_t executions = 0;

    if (!naive) {
        size_t size = write_class(h, key);

        memcpy(key + size, s, sizeof(*s));
        entry = byte_set_add(&known, key, size + sizeof(*s), &is_new);
        if (!is_new)
            return entry->number;
    }
    unsigned n = machine_moves(&machine, s, moves);

    if (s->ended != GOES_ON) {
        note_end(s, h);
        executions = 1;
    }
    for (unsigned i = 0; i < n && s->ended == GOES_ON && known.n <= limit; i++) {
        struct state next;
        struct history saved = {.n = h->n};

        memcpy(&next, s, sizeof(next));
        memcpy(saved.operations, h->operations, sizeof(saved.operations));
        machine_perform(&machine, &next, h, &moves[i]);
        executions += explore(&next, h);
        h->n = saved.n;
        memcpy(h->operations, saved.operations, sizeof(saved.operations));
    }
    if (entry != NULL)
        entry->number = executions;
    return executions;
}

static uint64_t search(void)
{
    struct state s;
    struct history h = {0};

    byte_set_clear(&known);
    byte_set_clear(&classes);
    byte_set_clear(&outcomes);
    byte_set_clear(&failures);
    deadlock = false;
    machine_start(&machine, &s);
    return explore(&s, &h);
}

static void print_set(const struct byte_set *s, const char *word)
{
    for (size_t i = 0; i < s->capacity; i++) {
        if (s->slots[i] != NULL)
            printf("%s %.*s", word, (int)s->slots[i]->size, s->slots[i]->bytes);
    }
}

int main(int argc, char **argv)
{
    const char *path = NULL;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--naive") == 0)
            naive = true;
        else if (strcmp(argv[i], "--limit") == 0 && i + 1 < argc)
            limit = strtoul(argv[++i], NULL, 10);
        else
            path = argv[i];
    }
    if (path == NULL) {
        fprintf(stderr, "usage: enumerate [--naive] [--limit STATES] FILE\n");
        return 2;
    }
    program_read(&machine.program, path);
    bool again = true;
    uint64_t executions = 0;

    for (unsigned i = 0; i < OBJECTS_MAX; i++)
        machine.role[i] = OBJECT;
    search();
    for (unsigned i = 0; i < OBJECTS_MAX; i++)
        machine.role[i] = shared[i] ? OBJECT : PRIVATE;
    while (again && known.n <= limit) {
        executions = search();
        again = false;
        for (unsigned i = 0; i < OBJECTS_MAX; i++) {
            again |= machine.suspect[i] && machine.role[i] == PRIVATE;
            again |= machine.crowded[i] && !machine.ordered[i];
            machine.ordered[i] |= machine.crowded[i];
            machine.role[i] =
                machine.suspect[i] && machine.role[i] == PRIVATE ? POINT : machine.role[i];
        }
    }
    if (known.n > limit) {
        puts("large");
        return 0;
    }
    printf("executions %" PRIu64 "\nclasses %zu\ndeadlock %d\n", executions, classes.n, deadlock);
    print_set(&failures, "failure");
    print_set(&outcomes, "outcome");
    return 0;
}
