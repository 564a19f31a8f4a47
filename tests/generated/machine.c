/* SPDX-License-Identifier: MIT */
/* See machine.h. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

enum phase { AT_STEP, WAITING, WOKEN, LATE }; /* of condition waits and barriers */
enum way { BLOCKED, NORMAL, TIMEOUT };

static void touch(struct history *h, unsigned thread, unsigned kind, unsigned object,
                  enum label label, unsigned victim)
{
    if (h->n == TOUCHES_MAX)
        abort();
    h->touches[h->n++] = (struct touch){
        .object = (uint8_t)(kind * OBJECTS_MAX + object),
        .label = (uint8_t)label,
        .thread = (uint8_t)thread,
        .ordinal = h->operations[thread],
        .victim = (uint8_t)victim,
    };
}

/* The step that a thread is at; none when it has made all, or main creates threads. */
static const struct step *step_of(const struct machine *mc, const struct state *s, unsigned t)
{
    const struct thread_steps *steps = &mc->program.threads[t];

    return (t > 0 || s->created == mc->program.n_threads) && s->l[t].at < steps->n
               ? &steps->steps[s->l[t].at]
               : NULL;
}

static bool is_access(const struct step *step)
{
    return step->kind <= STEP_CAS;
}

/* An access to a variable; the label it has. */
static enum label access_variable(struct state *s, unsigned t, const struct step *step)
{
    int32_t *x = &s->value[step->object], old = *x;
    uint8_t *reg = &s->l[t].registers[step->reg];

    switch (step->kind) {
    case STEP_LOAD:
        *reg = (uint8_t)old;
        return LABEL_READ;
    case STEP_STORE:
        *x = step->number;
        return LABEL_WRITE;
    case STEP_COPY:
        *x = (*reg + step->number) & 255;
        return LABEL_WRITE;
    case STEP_ADD:
        *x = old + step->number;
        return LABEL_ADD;
    case STEP_FETCH:
        *x = old + step->number;
        *reg = (uint8_t)old;
        return LABEL_WRITE;
    default:
        *reg = old == step->number;
        if (*reg)
            *x = step->new;
        return *reg ? LABEL_WRITE : LABEL_READ;
    }
}

/* A thread goes on to its next operation: what nobody else can see is done at once. */
static void settle(struct machine *mc, struct state *s, unsigned t)
{
    const struct step *step;

    while ((step = step_of(mc, s, t)) != NULL) {
        bool failed = false;

        if (program_local(&mc->program.threads[t], &s->l[t], &failed)) {
            if (!failed)
                continue;
            s->ended = FAILED;
            s->failed_thread = (uint8_t)t;
            s->failed_step = s->l[t].at;
            return;
        }
        if (!is_access(step) || mc->role[step->object] != PRIVATE)
            return;
        mc->unseen[step->object] = true;
        access_variable(s, t, step);
        s->l[t].at++;
    }
}

static unsigned readers(const struct state *s, unsigned lock)
{
    unsigned n = 0;

    for (unsigned t = 0; t < THREADS_MAX; t++)
        n += s->reads[lock][t];
    return n;
}

/* Whether what the step asks for is there. */
static bool available(const struct state *s, unsigned t, const struct step *step)
{
    switch (step->kind) {
    case STEP_LOCK:
    case STEP_TRYLOCK:
    case STEP_TIMEDLOCK:
        return s->owner[step->object] == 0;
    case STEP_WAIT:
    case STEP_TIMEDWAIT:
        return s->phase[t] == AT_STEP || (s->phase[t] != WAITING && s->owner[step->mutex] == 0);
    case STEP_READ:
    case STEP_TRYREAD:
    case STEP_TIMEDREAD:
        return s->writer[step->object] == 0;
    case STEP_WRITE:
    case STEP_TRYWRITE:
    case STEP_TIMEDWRITE:
        return s->writer[step->object] == 0 && readers(s, step->object) == 0;
    case STEP_DOWN:
    case STEP_TRYDOWN:
    case STEP_TIMEDDOWN:
        return s->semaphore[step->object] > 0;
    case STEP_ARRIVE:
        return s->phase[t] != WAITING;
    default:
        return true;
    }
}

/* Where a step that cannot succeed now may fail instead. */
static bool can_fail(const struct state *s, unsigned t, const struct step *step)
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
    case STEP_TIMEDWAIT: /* the mutex is taken after that, as an operation of its own */
        return s->phase[t] == WAITING;
    default:
        return false;
    }
}

static enum way way_of(const struct machine *mc, const struct state *s, unsigned t)
{
    const struct step *step = step_of(mc, s, t);

    if (t == 0 && s->created < mc->program.n_threads)
        return NORMAL;
    if (t >= s->created || (step == NULL && t > 0))
        return BLOCKED;
    if (step == NULL) /* main: joins */
        return s->joined < mc->program.n_threads && step_of(mc, s, s->joined) == NULL ? NORMAL
                                                                                      : BLOCKED;
    if (available(s, t, step))
        return NORMAL;
    return can_fail(s, t, step) ? TIMEOUT : BLOCKED;
}

static bool has_ended(const struct machine *mc, const struct state *s, unsigned t)
{
    return t < s->created && step_of(mc, s, t) == NULL &&
           (t > 0 || s->joined == mc->program.n_threads);
}

/* Whether thread t, which is blocked, can only go on after `other` has done something. */
static bool waits_for(const struct machine *mc, const struct state *s, unsigned t, unsigned other)
{
    const struct step *step = step_of(mc, s, t);

    if (step == NULL)
        return false;
    switch (step->kind) {
    case STEP_LOCK:
        return s->owner[step->object] == other + 1;
    case STEP_WAIT:
        return s->phase[t] == WOKEN && s->owner[step->mutex] == other + 1;
    case STEP_TIMEDWAIT:
        return s->phase[t] == LATE && s->owner[step->mutex] == other + 1;
    case STEP_READ:
        return s->writer[step->object] == other + 1;
    case STEP_WRITE:
        return s->writer[step->object] == other + 1 || s->reads[step->object][other] > 0;
    default:
        return false;
    }
}

/* Whether from t, along waiting threads, one comes to `start`. */
static bool leads_to(const struct machine *mc, const struct state *s, unsigned t, unsigned start,
                     unsigned seen)
{
    if (way_of(mc, s, t) != BLOCKED)
        return false;
    for (unsigned other = 0; other < s->created; other++) {
        if (!waits_for(mc, s, t, other))
            continue;
        if (other == start)
            return true;
        if ((seen >> other & 1) == 0 && leads_to(mc, s, other, start, seen | 1u << other))
            return true;
    }
    return false;
}

static bool is_circle(const struct machine *mc, const struct state *s)
{
    for (unsigned t = 0; t < s->created; t++) {
        if (leads_to(mc, s, t, t, 1u << t))
            return true;
    }
    return false;
}

static bool waits_on(const struct machine *mc, const struct state *s, unsigned t,
                     unsigned condition)
{
    const struct step *step = t < s->created ? step_of(mc, s, t) : NULL;

    return step != NULL && (step->kind == STEP_WAIT || step->kind == STEP_TIMEDWAIT) &&
           step->object == condition && s->phase[t] == WAITING;
}

unsigned machine_moves(const struct machine *mc, const struct state *s,
                       struct move moves[MOVES_MAX])
{
    unsigned n = 0;

    for (unsigned t = 0; t < mc->program.n_threads; t++) {
        enum way way = way_of(mc, s, t);
        const struct step *step = way != BLOCKED ? step_of(mc, s, t) : NULL;
        unsigned first = n;

        if (way == BLOCKED)
            continue;
        for (unsigned w = 0; w < s->created; w++) {
            if (step != NULL && step->kind == STEP_SIGNAL && waits_on(mc, s, w, step->object))
                moves[n++] = (struct move){(uint8_t)t, NORMAL, (uint8_t)(w + 1)};
        }
        if (n == first)
            moves[n++] = (struct move){(uint8_t)t, (uint8_t)way, 0};
    }
    return n;
}

static void use_mutex(struct state *s, struct history *h, const struct move *m,
                      const struct step *step)
{
    uint8_t t = m->thread;

    touch(h, t, MUTEX, step->object, m->way == TIMEOUT ? LABEL_READ : LABEL_WRITE, 0);
    if (step->kind == STEP_UNLOCK)
        s->owner[step->object] = 0;
    else if (m->way == NORMAL)
        s->owner[step->object] = (uint8_t)(t + 1);
    if (step->kind == STEP_TRYLOCK || step->kind == STEP_TIMEDLOCK)
        s->l[t].registers[step->reg] = m->way == NORMAL;
}

/* The operations of a wait: two, or three if its time runs out; true after the last. */
static bool wait_on(struct state *s, struct history *h, const struct move *m,
                    const struct step *step)
{
    uint8_t t = m->thread;

    if (m->way == TIMEOUT) {
        touch(h, t, CONDITION, step->object, LABEL_ADD, 0);
        s->phase[t] = LATE;
        return false;
    }
    touch(h, t, MUTEX, step->mutex, LABEL_WRITE, 0);
    if (s->phase[t] == AT_STEP) {
        touch(h, t, CONDITION, step->object, LABEL_ADD, 0);
        s->owner[step->mutex] = 0;
        s->phase[t] = WAITING;
        return false;
    }
    if (step->kind == STEP_TIMEDWAIT)
        s->l[t].registers[step->reg] = s->phase[t] == WOKEN;
    s->owner[step->mutex] = (uint8_t)(t + 1);
    s->phase[t] = AT_STEP;
    return true;
}

static void wake(const struct machine *mc, struct state *s, struct history *h, const struct move *m,
                 const struct step *step)
{
    unsigned woken = 0;

    for (unsigned w = 0; w < s->created; w++) {
        if (!waits_on(mc, s, w, step->object) || (step->kind == STEP_SIGNAL && m->victim != w + 1))
            continue;
        s->phase[w] = WOKEN;
        woken++;
    }
    touch(h, m->thread, CONDITION, step->object, woken > 0 ? LABEL_WRITE : LABEL_READ, m->victim);
}

static void use_rwlock(struct state *s, struct history *h, const struct move *m,
                       const struct step *step)
{
    uint8_t t = m->thread, *reads = &s->reads[step->object][t];
    bool write =
        step->kind == STEP_WRITE || step->kind == STEP_TRYWRITE || step->kind == STEP_TIMEDWRITE;
    bool release = step->kind == STEP_RELEASE;
    enum label label = release             ? (*reads > 0 ? LABEL_ADD : LABEL_WRITE)
                       : m->way == TIMEOUT ? LABEL_READ
                       : write             ? LABEL_WRITE
                                           : LABEL_ADD;

    touch(h, t, RWLOCK, step->object, label, 0);
    if (release && *reads > 0)
        --*reads;
    else if (release)
        s->writer[step->object] = 0;
    else if (m->way == NORMAL && write)
        s->writer[step->object] = (uint8_t)(t + 1);
    else if (m->way == NORMAL)
        ++*reads;
    if (!release && step->kind != STEP_READ && step->kind != STEP_WRITE)
        s->l[t].registers[step->reg] = m->way == NORMAL;
}

static void use_semaphore(struct state *s, struct history *h, const struct move *m,
                          const struct step *step)
{
    uint8_t *reg = &s->l[m->thread].registers[step->reg], *value = &s->semaphore[step->object];
    enum label label = step->kind == STEP_UP                           ? LABEL_ADD
                       : step->kind == STEP_VALUE || m->way == TIMEOUT ? LABEL_READ
                                                                       : LABEL_WRITE;

    touch(h, m->thread, SEMAPHORE, step->object, label, 0);
    if (step->kind == STEP_UP)
        ++*value;
    else if (step->kind == STEP_VALUE)
        *reg = *value;
    else if (m->way == NORMAL)
        --*value;
    if (step->kind == STEP_TRYDOWN || step->kind == STEP_TIMEDDOWN)
        *reg = m->way == NORMAL;
}

/* False when the thread has to wait for others now. */
static bool arrive(struct machine *mc, struct state *s, struct history *h, unsigned t,
                   const struct step *step)
{
    if (s->phase[t] == WOKEN) { /* leaving is an operation that concerns nobody else */
        touch(h, t, OWN, t, LABEL_WRITE, 0);
        s->phase[t] = AT_STEP;
        return true;
    }
    bool last = s->arrived[step->object] + 1 == mc->program.parties[step->object];

    uint8_t before = s->round_before[step->object];

    touch(h, t, BARRIER, step->object, mc->ordered[step->object] ? LABEL_WRITE : LABEL_ADD, 0);
    mc->crowded[step->object] |= before != 0 && !(before >> t & 1);
    s->round[step->object] |= (uint8_t)(1u << t);
    s->phase[t] = WAITING;
    s->arrived[step->object]++;
    if (!last)
        return false;
    s->arrived[step->object] = 0;
    s->round_before[step->object] = s->round[step->object];
    s->round[step->object] = 0;
    for (unsigned w = 0; w < s->created; w++) {
        const struct step *other = step_of(mc, s, w);

        if (other != NULL && other->kind == STEP_ARRIVE && other->object == step->object &&
            s->phase[w] == WAITING)
            s->phase[w] = WOKEN;
    }
    return false;
}

/* Perform an operation of a description; false when the thread stays at its step. */
static bool make_step(struct machine *mc, struct state *s, struct history *h, const struct move *m,
                      const struct step *step)
{
    if (is_access(step)) {
        enum label label = access_variable(s, m->thread, step);

        if (mc->role[step->object] == POINT)
            return true;
        touch(h, m->thread, VARIABLE, step->object, label, 0);
        h->touches[h->n - 1].is_load = step->kind == STEP_LOAD;
    } else if (step->kind <= STEP_UNLOCK)
        use_mutex(s, h, m, step);
    else if (step->kind <= STEP_TIMEDWAIT)
        return wait_on(s, h, m, step);
    else if (step->kind <= STEP_BROADCAST)
        wake(mc, s, h, m, step);
    else if (step->kind <= STEP_RELEASE)
        use_rwlock(s, h, m, step);
    else if (step->kind <= STEP_VALUE)
        use_semaphore(s, h, m, step);
    else
        return arrive(mc, s, h, m->thread, step);
    return true;
}

/* main creates the next thread, which runs up to its first operation. */
static void create(struct machine *mc, struct state *s)
{
    settle(mc, s, s->created++);
    if (s->created == mc->program.n_threads && s->ended == GOES_ON)
        settle(mc, s, 0);
}

/* Whether thread t has ended an execution that others could have gone on with. */
static void note_cut(struct machine *mc, const struct state *s, unsigned t)
{
    bool others = false;

    for (unsigned o = 0; o < mc->program.n_threads; o++)
        others |= o != t && way_of(mc, s, o) != BLOCKED;
    for (unsigned i = 0; i < OBJECTS_MAX && others; i++)
        mc->suspect[i] |= mc->unseen[i];
}

/* After an operation: is that the end? */
static void judge(struct machine *mc, struct state *s, const struct move *m)
{
    bool all = true, blocked = true;

    for (unsigned t = 0; t < mc->program.n_threads; t++) {
        all &= has_ended(mc, s, t);
        blocked &= way_of(mc, s, t) == BLOCKED;
    }
    if (s->ended == GOES_ON && (blocked || is_circle(mc, s)))
        s->ended = all ? DONE : STUCK;
    if (s->ended == FAILED || s->ended == STUCK)
        note_cut(mc, s, s->ended == FAILED ? s->failed_thread : m->thread);
}

static void perform(struct machine *mc, struct state *s, struct history *h, const struct move *m)
{
    unsigned t = m->thread, before = h->n;
    const struct step *step = step_of(mc, s, t);

    memset(mc->unseen, false, sizeof(mc->unseen));
    if (t == 0 && s->created < mc->program.n_threads) {
        create(mc, s);
        return;
    }
    if (step == NULL) {
        s->joined++;
        return;
    }
    if (make_step(mc, s, h, m, step)) {
        s->l[t].at++;
        settle(mc, s, t);
    }
    h->operations[t] += h->n > before;
}

void machine_perform(struct machine *mc, struct state *s, struct history *h, const struct move *m)
{
    perform(mc, s, h, m);
    judge(mc, s, m);
}

void machine_start(struct machine *mc, struct state *s)
{
    memset(s, 0, sizeof(*s));
    s->created = s->joined = 1;
    memcpy(s->semaphore, mc->program.value, sizeof(s->semaphore));
    if (mc->program.n_threads > 1)
        return;
    settle(mc, s, 0);
    judge(mc, s, &(struct move){0});
}
