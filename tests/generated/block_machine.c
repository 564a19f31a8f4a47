/* SPDX-License-Identifier: MIT */
/* See block_machine.h. */
#include "block_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void learn(struct knowledge *k, const struct knowledge *from)
{
    for (unsigned t = 0; t < THREADS_MAX; t++) {
        if (k->of[t] < from->of[t])
            k->of[t] = from->of[t];
    }
}

static unsigned number_of(unsigned kind, unsigned object)
{
    return kind * OBJECTS_MAX + object;
}

/* Mutexes come first, then rwlocks. */
static unsigned lock_index(unsigned number)
{
    return number % OBJECTS_MAX + (number / OBJECTS_MAX == RWLOCK ? OBJECTS_MAX : 0);
}

static unsigned kind_of_lock(const struct step *s)
{
    if (s->kind <= STEP_UNLOCK)
        return MUTEX;
    return s->kind <= STEP_RELEASE ? RWLOCK : SEMAPHORE;
}

/* A thread gets a lock.  Its time goes on. */
static void note_entered(struct blocks_state *s, unsigned t, struct block *k, unsigned kind,
                         unsigned object, bool tried)
{
    objects bit = object_bit(kind, object);
    struct taken *taken = &s->taken[t][lock_index(number_of(kind, object))];

    *taken = (struct taken){.held = s->held[t], .tried = tried, .knew = s->knows[t]};
    taken->since = ++s->knows[t].of[t];
    s->held[t] |= bit;
    k->entered |= bit;
}

static void note_released(struct blocks_state *s, unsigned t, struct block *k, unsigned kind,
                          unsigned object, bool shared)
{
    unsigned number = number_of(kind, object);
    objects bit = object_bit(kind, object);

    s->last[t] = (struct released){(uint8_t)number, shared, s->taken[t][lock_index(number)]};
    s->held[t] &= ~bit;
    k->released |= bit;
    /* Should the thread take it again, that has nothing to do with what it took under it before. */
    for (unsigned o = 0; o < OBJECT_KINDS * OBJECTS_MAX; o++) {
        if ((s->held[t] >> o & 1) == 0 || (s->taken[t][lock_index(o)].held & bit) == 0)
            continue;
        s->taken[t][lock_index(o)].held &= ~bit;
        k->crossed |= bit;
    }
}

static unsigned readers(const struct blocks_state *s, unsigned lock)
{
    unsigned n = 0;

    for (unsigned t = 0; t < THREADS_MAX; t++)
        n += s->reads[lock][t];
    return n;
}

static bool is_shared(const struct step *step)
{
    return step->kind == STEP_READ || step->kind == STEP_TRYREAD || step->kind == STEP_TIMEDREAD;
}

/* Steps that ask for a lock or a unit of a semaphore, and how. */
static bool is_try(const struct step *step)
{
    switch (step->kind) {
    case STEP_TRYLOCK:
    case STEP_TIMEDLOCK:
    case STEP_TRYREAD:
    case STEP_TIMEDREAD:
    case STEP_TRYWRITE:
    case STEP_TIMEDWRITE:
    case STEP_TRYDOWN:
    case STEP_TIMEDDOWN:
        return true;
    default:
        return false;
    }
}

static bool available(const struct blocks_state *s, const struct step *step)
{
    unsigned kind = kind_of_lock(step), o = step->object;

    if (kind == MUTEX)
        return s->owner[o] == 0;
    if (kind == SEMAPHORE)
        return s->semaphore[o] > 0;
    return s->writer[o] == 0 && (is_shared(step) || readers(s, o) == 0);
}

static void take(struct blocks_state *s, unsigned t, struct block *k, const struct step *step)
{
    unsigned kind = kind_of_lock(step), o = step->object;

    if (kind == SEMAPHORE) {
        s->semaphore[o]--;
        k->used |= object_bit(SEMAPHORE, o);
        return;
    }
    if (kind == MUTEX)
        s->owner[o] = (uint8_t)(t + 1);
    else if (is_shared(step))
        s->reads[o][t]++;
    else
        s->writer[o] = (uint8_t)(t + 1);
    note_entered(s, t, k, kind, o, is_try(step));
}

/* What came of a step: the thread goes on in the block, or its end. */
enum outcome { GOES_ON, STAYS_REFUSED, CUT_AFTER, CUT_BEFORE };

static enum outcome acquire(const struct blocks *b, struct blocks_state *s, unsigned t,
                            struct block *k, const struct step *step)
{
    objects bit = object_bit(kind_of_lock(step), step->object);
    bool there = available(s, step);

    if (is_try(step))
        s->l[t].registers[step->reg] = there;
    if (!there && is_try(step)) {
        k->looked_at |= bit;
        return CUT_AFTER;
    }
    if (!there) {
        k->refused = bit;
        k->refused_shared = is_shared(step);
        return STAYS_REFUSED;
    }
    take(s, t, k, step);
    return ((b->tried | b->crossed) & bit) != 0 ? CUT_AFTER : GOES_ON;
}

static enum outcome release(struct blocks_state *s, unsigned t, struct block *k,
                            const struct step *step)
{
    unsigned o = step->object;

    if (step->kind == STEP_UP) {
        s->semaphore[o]++;
        k->used |= object_bit(SEMAPHORE, o);
        k->released |= object_bit(SEMAPHORE, o);
    } else if (step->kind == STEP_UNLOCK) {
        s->owner[o] = 0;
        note_released(s, t, k, MUTEX, o, false);
    } else {
        bool shared = s->reads[o][t] > 0;

        if (shared)
            s->reads[o][t]--;
        else
            s->writer[o] = 0;
        note_released(s, t, k, RWLOCK, o, shared);
    }
    return CUT_AFTER;
}

/* The two halves of a wait: let go of the mutex, and, once woken, get it again. */
static enum outcome wait_on(const struct blocks *b, struct blocks_state *s, unsigned t,
                            struct block *k, const struct step *step)
{
    if (s->phase[t] == READY) {
        struct released before = s->last[t];

        k->used |= object_bit(CONDITION, step->object);
        s->owner[step->mutex] = 0;
        s->phase[t] = PARKED;
        note_released(s, t, k, MUTEX, step->mutex, false);
        if (b->wait_keeps)
            s->last[t] = before;
        return CUT_BEFORE;
    }
    if (s->owner[step->mutex] != 0) {
        k->refused = object_bit(MUTEX, step->mutex);
        return STAYS_REFUSED;
    }
    s->owner[step->mutex] = (uint8_t)(t + 1);
    s->phase[t] = READY;
    note_entered(s, t, k, MUTEX, step->mutex, false);
    return ((b->tried | b->crossed) & object_bit(MUTEX, step->mutex)) != 0 ? CUT_AFTER : GOES_ON;
}

static const struct step *step_of(const struct blocks *b, const struct blocks_state *s, unsigned t)
{
    const struct thread_steps *steps = &b->program.threads[t];

    return s->l[t].at < steps->n ? &steps->steps[s->l[t].at] : NULL;
}

static void wake(struct blocks_state *s, struct block *k, unsigned by, unsigned t)
{
    s->phase[t] = WOKEN;
    learn(&s->knows[t], &s->knows[by]);
    k->woken[k->n_woken++] = (uint8_t)t;
}

/* Those parked at steps of this kind on this object. */
static unsigned parked(const struct blocks *b, const struct blocks_state *s, unsigned kind,
                       unsigned object, uint8_t list[THREADS_MAX])
{
    unsigned n = 0;

    for (unsigned t = 0; t < s->born; t++) {
        const struct step *step = step_of(b, s, t);

        if (s->phase[t] == PARKED && step != NULL && step->kind == kind && step->object == object)
            list[n++] = (uint8_t)t;
    }
    return n;
}

/* Whom a signal wakes: a position in the list of those who wait. */
static unsigned chosen(struct block *k, unsigned n)
{
    if (n == 1)
        return 0;
    if (k->n_choices == CHOICES_MAX)
        abort();
    unsigned i = k->n_choices++;

    if (i >= k->n_given)
        k->choice[i] = 0;
    k->choices[i] = (uint8_t)n;
    return k->choice[i];
}

/* The same as the thesis has it: the first who is not spared, and the others another time. */
static unsigned chosen_as_printed(struct block *k, unsigned n, const uint8_t *list)
{
    unsigned at = 0, left = 0, all = 0;

    while (at + 1 < n && (k->spared >> list[at] & 1) != 0)
        at++;
    for (unsigned i = 0; i < n; i++) {
        all |= 1u << list[i];
        left += i != at && (k->spared >> list[i] & 1) == 0;
    }
    if (left > 0 && k->n_again < CHOICES_MAX)
        k->spared_again[k->n_again++] = k->spared | 1u << list[at];
    k->spared &= ~all;
    return at;
}

static enum outcome notify(const struct blocks *b, struct blocks_state *s, unsigned t,
                           struct block *k, const struct step *step)
{
    uint8_t list[THREADS_MAX];
    unsigned n = parked(b, s, STEP_WAIT, step->object, list);

    k->used |= object_bit(CONDITION, step->object);
    if (step->kind == STEP_BROADCAST) {
        for (unsigned i = 0; i < n; i++)
            wake(s, k, t, list[i]);
    } else if (n > 0) {
        wake(s, k, t, list[k->as_printed ? chosen_as_printed(k, n, list) : chosen(k, n)]);
    }
    bool locked = (s->held[t] & object_bit(MUTEX, b->mutex_of[step->object])) != 0;

    return locked ? GOES_ON : CUT_AFTER;
}

static enum outcome arrive(const struct blocks *b, struct blocks_state *s, unsigned t,
                           struct block *k, const struct step *step)
{
    uint8_t list[THREADS_MAX];

    if (s->phase[t] == WOKEN) {
        s->phase[t] = READY;
        return GOES_ON;
    }
    k->used |= object_bit(BARRIER, step->object);
    if (++s->arrived[step->object] < b->program.parties[step->object]) {
        s->phase[t] = PARKED;
        return CUT_BEFORE;
    }
    unsigned n = parked(b, s, STEP_ARRIVE, step->object, list);

    s->arrived[step->object] = 0;
    for (unsigned i = 0; i < n; i++)
        wake(s, k, t, list[i]);
    return CUT_AFTER;
}

static void access_variable(struct blocks_state *s, unsigned t, struct block *k,
                            const struct step *step)
{
    int32_t *x = &s->value[step->object], old = *x;
    uint8_t *reg = &s->l[t].registers[step->reg];
    objects bit = object_bit(VARIABLE, step->object);

    if (step->kind == STEP_LOAD) {
        *reg = (uint8_t)old;
        k->data_read |= bit;
        learn(&s->knows[t], &s->tells[step->object]);
        return;
    }
    k->data_written |= bit;
    s->tells[step->object] = s->knows[t];
    if (step->kind == STEP_STORE)
        *x = step->number;
    else if (step->kind == STEP_COPY)
        *x = (*reg + step->number) & 255;
    else
        *x = old + step->number; /* a shorter way to write a load and a store under a lock */
}

static enum outcome make_step(const struct blocks *b, struct blocks_state *s, unsigned t,
                              struct block *k, const struct step *step)
{
    if (step->kind <= STEP_ADD) {
        access_variable(s, t, k, step);
        return GOES_ON;
    }
    switch (step->kind) {
    case STEP_WAIT:
        return wait_on(b, s, t, k, step);
    case STEP_SIGNAL:
    case STEP_BROADCAST:
        return notify(b, s, t, k, step);
    case STEP_UNLOCK:
    case STEP_RELEASE:
    case STEP_UP:
        return release(s, t, k, step);
    case STEP_ARRIVE:
        return arrive(b, s, t, k, step);
    case STEP_FETCH:
    case STEP_CAS:
    case STEP_TIMEDWAIT:
    case STEP_VALUE:
        fprintf(stderr, "a step that has no place in a program of blocks\n");
        exit(2);
    default:
        return acquire(b, s, t, k, step);
    }
}

/* A thread that has made all its steps: true if that is a lock exit. */
static bool end_thread(const struct blocks *b, struct blocks_state *s, unsigned t)
{
    /* The exit at death comes once: a position after the last step notes that it was there. */
    if (b->death_exit && !(b->has_main && t == 0) && s->l[t].at == b->program.threads[t].n) {
        s->l[t].at++;
        return true;
    }
    s->phase[t] = DEAD;
    return false;
}

static enum block_end run(const struct blocks *b, struct blocks_state *s, unsigned t,
                          struct block *k)
{
    if (b->has_main && t == 0 && s->born < b->program.n_threads) {
        s->born++;
        k->n_born++;
        return BLOCK_EXIT;
    }
    for (;;) {
        const struct step *step = step_of(b, s, t);
        bool failed = false;

        if (step == NULL)
            return end_thread(b, s, t) ? BLOCK_EXIT : BLOCK_DEATH;
        if (program_local(&b->program.threads[t], &s->l[t], &failed)) {
            if (failed)
                return BLOCK_FAILED;
            continue;
        }
        enum outcome outcome = make_step(b, s, t, k, step);

        if (outcome == STAYS_REFUSED)
            return BLOCK_REFUSED;
        if (outcome != CUT_BEFORE)
            s->l[t].at++;
        if (outcome != GOES_ON)
            return BLOCK_EXIT;
    }
}

void blocks_run(const struct blocks *b, struct blocks_state *s, unsigned t, struct block *k)
{
    k->ends = s->held[t];
    k->end = run(b, s, t, k);
    k->ends |= s->held[t];
}

objects blocks_needed(const struct blocks *b, const struct blocks_state *s, unsigned t)
{
    const struct step *step = step_of(b, s, t);

    return step != NULL && step->kind == STEP_WAIT ? object_bit(MUTEX, step->mutex) : 0;
}

bool blocks_is_free(const struct blocks_state *s, objects mutex)
{
    for (unsigned o = 0; o < OBJECTS_MAX; o++) {
        if ((mutex & object_bit(MUTEX, o)) != 0 && s->owner[o] != 0)
            return false;
    }
    return true;
}

bool blocks_excludes(const struct blocks_state *s, unsigned t, unsigned lock, bool shared)
{
    unsigned o = lock % OBJECTS_MAX;

    if (lock / OBJECTS_MAX == MUTEX)
        return s->owner[o] == t + 1;
    if (lock / OBJECTS_MAX != RWLOCK)
        return false;
    return s->writer[o] == t + 1 || (!shared && s->reads[o][t] > 0);
}

void blocks_start(struct blocks *b, struct blocks_state *s)
{
    *s = (struct blocks_state){.born = (uint8_t)b->program.n_threads};
    if (b->has_main)
        s->born = b->program.n_threads < 2 ? 1 : 2;
    memcpy(s->semaphore, b->program.value, sizeof(s->semaphore));
    for (unsigned t = 0; t < THREADS_MAX; t++)
        s->last[t].lock = NO_OBJECT;
    for (unsigned t = 0; t < b->program.n_threads; t++) {
        const struct thread_steps *steps = &b->program.threads[t];

        for (unsigned i = 0; i < steps->n; i++) {
            const struct step *step = &steps->steps[i];

            if (is_try(step))
                b->tried |= object_bit(kind_of_lock(step), step->object);
            if (step->kind == STEP_WAIT)
                b->mutex_of[step->object] = step->mutex;
        }
    }
}
