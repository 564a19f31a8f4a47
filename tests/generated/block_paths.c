/* SPDX-License-Identifier: MIT */
/* See block_paths.h. */
#include "block_paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct model model = {.option.limit = UINT64_MAX};

void paths_append(unsigned t, const struct block *k)
{
    if (model.schedule.n + 1 + k->n_choices > SCHEDULE_MAX)
        abort();
    model.schedule.bytes[model.schedule.n++] = (unsigned char)('A' + t);
    for (unsigned i = 0; i < k->n_choices; i++)
        model.schedule.bytes[model.schedule.n++] = (unsigned char)('0' + k->choice[i]);
}

static void note_schedule(void)
{
    uint64_t hash = 14695981039346656037u;
    bool is_new;

    for (size_t i = 0; i < model.schedule.n; i++)
        hash = (hash ^ model.schedule.bytes[i]) * 1099511628211u;
    byte_set_add(&model.result.schedules, model.schedule.bytes, model.schedule.n, &is_new);
    model.result.hash += is_new ? hash : 0;
}

void paths_note_outcome(const struct blocks_state *s)
{
    uint8_t registers[THREADS_MAX][REGISTERS];
    char text[2 * OUTCOME_MAX];
    bool is_new;

    for (unsigned t = 0; t < model.blocks.program.n_threads; t++)
        memcpy(registers[t], s->l[t].registers, REGISTERS);
    int n = program_outcome(&model.blocks.program, s->value, registers, text);

    byte_set_add(&model.result.outcomes, text, (size_t)n, &is_new);
}

void paths_note_failure(const struct blocks_state *s, unsigned t)
{
    char text[64];
    bool is_new;
    int n = snprintf(text, sizeof(text), "thread %u step %d\n", t, s->l[t].at);

    byte_set_add(&model.result.failures, text, (size_t)n, &is_new);
}

bool paths_all_dead(const struct blocks_state *s)
{
    for (unsigned t = 0; t < model.blocks.program.n_threads; t++) {
        if (t >= s->born || s->phase[t] != DEAD)
            return false;
    }
    return true;
}

void paths_count(uint64_t *kind)
{
    if (++model.result.paths > model.option.limit) {
        puts("large");
        exit(0);
    }
    ++*kind;
    if (model.option.list)
        printf("path %.*s\n", (int)model.schedule.n, model.schedule.bytes);
    if (model.option.sets && kind != &model.result.cut)
        note_schedule();
}

bool paths_choose_next(struct block *k)
{
    struct block next = {.as_printed = k->as_printed};

    for (unsigned i = k->n_choices; i-- > 0;) {
        if (k->choice[i] + 1 < k->choices[i]) {
            memcpy(next.choice, k->choice, sizeof(next.choice));
            next.choice[i]++;
            next.n_given = i + 1;
            *k = next;
            return true;
        }
    }
    return false;
}

void paths_learn(const struct block *k)
{
    if (!model.option.without['H'])
        model.learned |= k->crossed;
}

/* One block of a thread, in every way that it can choose; false if it cannot be made. */
static bool enumerate_block(const struct blocks_state *s, unsigned t)
{
    struct block k = {0};

    do {
        struct blocks_state next = *s;
        size_t length = model.schedule.n;

        blocks_run(&model.blocks, &next, t, &k);
        paths_learn(&k);
        if (k.end == BLOCK_REFUSED)
            return false;
        paths_append(t, &k);
        if (k.end == BLOCK_FAILED) {
            paths_note_failure(&next, t);
            paths_count(&model.result.finished);
        } else {
            paths_enumerate(next);
        }
        model.schedule.n = length;
    } while (paths_choose_next(&k));
    return true;
}

static bool may_run(const struct blocks_state *s, unsigned t)
{
    return t < s->born && (s->phase[t] == READY || s->phase[t] == WOKEN);
}

/* What a thread does after its last lock exit concerns nobody else: it is done at once. */
static void finish_threads(struct blocks_state *s)
{
    for (unsigned t = 0; t < s->born; t++) {
        struct blocks_state next = *s;
        struct block k = {0};

        if (!may_run(s, t))
            continue;
        blocks_run(&model.blocks, &next, t, &k);
        if (k.end == BLOCK_DEATH)
            *s = next;
    }
}

void paths_enumerate(struct blocks_state s)
{
    bool any = false;

    finish_threads(&s);
    for (unsigned t = 0; t < s.born; t++)
        any |= may_run(&s, t) && enumerate_block(&s, t);
    if (any)
        return;
    bool finished = paths_all_dead(&s);

    paths_count(finished ? &model.result.finished : &model.result.stuck);
    model.result.deadlock |= !finished;
    if (model.option.sets && finished)
        paths_note_outcome(&s);
}
