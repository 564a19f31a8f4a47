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
 * The relation.  Each operation has on each object that it touches a label, READ, ADD or
 * WRITE (touch() below is called with it).  Two operations of different threads depend on each
 * other when they touch the same object, unless both labels are READ or both ADD.  The class of
 * an execution is what each thread has done, with the order of the dependent ones.
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
#include "program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOUCHES_MAX = 512, KEY_MAX = 8192 };
enum { VARIABLE, MUTEX, CONDITION, RWLOCK, SEMAPHORE, BARRIER, OBJECT_KINDS };
enum { OBJECTS = OBJECT_KINDS * OBJECTS_MAX };
enum label { LABEL_READ, LABEL_ADD, LABEL_WRITE };
enum phase { AT_STEP, WAITING, WOKEN }; /* of condition waits and barriers */
enum ended { GOES_ON, FAILED, STUCK, DONE };
enum way { BLOCKED, NORMAL, TIMEOUT };

/* All that the future depends on. */
struct state {
    int32_t value[OBJECTS_MAX];
    struct locals l[THREADS_MAX];
    uint8_t phase[THREADS_MAX];
    uint8_t created, joined;                         /* threads, main included */
    uint8_t owner[OBJECTS_MAX], writer[OBJECTS_MAX]; /* thread plus 1 */
    uint8_t reads[OBJECTS_MAX][THREADS_MAX];
    uint8_t semaphore[OBJECTS_MAX], arrived[OBJECTS_MAX];
    uint8_t ended, failed_thread, failed_step;
};

/* One operation's doing on one object. */
struct touch {
    uint8_t object, label, thread;
    uint8_t ordinal; /* of the operation in its thread */
    uint8_t victim;  /* of a signal: thread plus 1 */
    bool is_load;
};

struct history {
    unsigned n;
    uint8_t operations[THREADS_MAX];
    struct touch touches[TOUCHES_MAX];
};

/* A set of byte strings, each with a number. */
struct entry {
    uint64_t number;
    size_t size;
    unsigned char bytes[];
};

struct set {
    size_t n, capacity;
    struct entry **slots;
};

/* A decision: who goes on, and whom a signal wakes (thread plus 1, 0 for nobody). */
struct move {
    uint8_t thread, way, victim;
};

static struct program program;
static bool naive;
static enum { PRIVATE, POINT, OBJECT } role[OBJECTS_MAX]; /* of variables */
static bool shared[OBJECTS_MAX];                          /* should be an object */
static bool suspect[OBJECTS_MAX];                         /* should be a point at least */
static bool unseen[OBJECTS_MAX]; /* accessed since the last operation, and private */
static struct set known, classes, outcomes, failures;
static bool deadlock;
static size_t limit = 1000000;

static void *must(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

static uint64_t hash(const unsigned char *bytes, size_t size)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < size; i++)
        h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    return h ^ h >> 29;
}

static struct entry **slot_of(const struct set *s, const unsigned char *bytes, size_t size)
{
    for (size_t i = hash(bytes, size);; i++) {
        struct entry **e = &s->slots[i & (s->capacity - 1)];

        if (*e == NULL || ((*e)->size == size && memcmp((*e)->bytes, bytes, size) == 0))
            return e;
    }
}

static void make_room(struct set *s)
{
    struct set old = *s;

    if (s->n * 2 < s->capacity)
        return;
    s->capacity = old.capacity > 0 ? old.capacity * 2 : 1024;
    s->slots = must(calloc(s->capacity, sizeof(struct entry *)));
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.slots[i] != NULL)
            *slot_of(s, old.slots[i]->bytes, old.slots[i]->size) = old.slots[i];
    }
    free(old.slots);
}

/* The entry of these bytes; *is_new when it was not there. */
static struct entry *set_add(struct set *s, const void *bytes, size_t size, bool *is_new)
{
    make_room(s);
    struct entry **e = slot_of(s, bytes, size);

    *is_new = *e == NULL;
    if (*is_new) {
        *e = must(malloc(sizeof(struct entry) + size));
        (*e)->number = 0;
        (*e)->size = size;
        memcpy((*e)->bytes, bytes, size);
        s->n++;
    }
    return *e;
}

static void set_clear(struct set *s)
{
    for (size_t i = 0; i < s->capacity; i++)
        free(s->slots[i]);
    free(s->slots);
    *s = (struct set){0};
}

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
static const struct step *step_of(const struct state *s, unsigned t)
{
    const struct thread_steps *steps = &program.threads[t];

    return (t > 0 || s->created == program.n_threads) && s->l[t].at < steps->n
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
static void settle(struct state *s, unsigned t)
{
    const struct step *step;

    while ((step = step_of(s, t)) != NULL) {
        bool failed = false;

        if (program_local(&program.threads[t], &s->l[t], &failed)) {
            if (!failed)
                continue;
            s->ended = FAILED;
            s->failed_thread = (uint8_t)t;
            s->failed_step = s->l[t].at;
            return;
        }
        if (!is_access(step) || role[step->object] != PRIVATE)
            return;
        unseen[step->object] = true;
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
        return s->phase[t] == AT_STEP || (s->phase[t] == WOKEN && s->owner[step->mutex] == 0);
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
    case STEP_TIMEDWAIT: /* the mutex is to be had again for that; a signal comes first */
        return s->phase[t] == WAITING && s->owner[step->mutex] == 0;
    default:
        return false;
    }
}

static enum way way_of(const struct state *s, unsigned t)
{
    const struct step *step = step_of(s, t);

    if (t == 0 && s->created < program.n_threads)
        return NORMAL;
    if (t >= s->created || (step == NULL && t > 0))
        return BLOCKED;
    if (step == NULL) /* main: joins */
        return s->joined < program.n_threads && step_of(s, s->joined) == NULL ? NORMAL : BLOCKED;
    if (available(s, t, step))
        return NORMAL;
    return can_fail(s, t, step) ? TIMEOUT : BLOCKED;
}

static bool has_ended(const struct state *s, unsigned t)
{
    return t < s->created && step_of(s, t) == NULL && (t > 0 || s->joined == program.n_threads);
}

/* Whether thread t, which is blocked, can only go on after `other` has done something. */
static bool waits_for(const struct state *s, unsigned t, unsigned other)
{
    const struct step *step = step_of(s, t);

    if (step == NULL)
        return false;
    switch (step->kind) {
    case STEP_LOCK:
        return s->owner[step->object] == other + 1;
    case STEP_WAIT:
        return s->phase[t] == WOKEN && s->owner[step->mutex] == other + 1;
    case STEP_READ:
        return s->writer[step->object] == other + 1;
    case STEP_WRITE:
        return s->writer[step->object] == other + 1 || s->reads[step->object][other] > 0;
    default:
        return false;
    }
}

/* Whether from t, along waiting threads, one comes to `start`. */
static bool leads_to(const struct state *s, unsigned t, unsigned start, unsigned seen)
{
    if (way_of(s, t) != BLOCKED)
        return false;
    for (unsigned other = 0; other < s->created; other++) {
        if (!waits_for(s, t, other))
            continue;
        if (other == start)
            return true;
        if ((seen >> other & 1) == 0 && leads_to(s, other, start, seen | 1u << other))
            return true;
    }
    return false;
}

static bool is_circle(const struct state *s)
{
    for (unsigned t = 0; t < s->created; t++) {
        if (leads_to(s, t, t, 1u << t))
            return true;
    }
    return false;
}

static bool waits_on(const struct state *s, unsigned t, unsigned condition)
{
    const struct step *step = t < s->created ? step_of(s, t) : NULL;

    return step != NULL && (step->kind == STEP_WAIT || step->kind == STEP_TIMEDWAIT) &&
           step->object == condition && s->phase[t] == WAITING;
}

static unsigned list_moves(const struct state *s, struct move moves[THREADS_MAX * THREADS_MAX])
{
    unsigned n = 0;

    for (unsigned t = 0; t < program.n_threads; t++) {
        enum way way = way_of(s, t);
        const struct step *step = way != BLOCKED ? step_of(s, t) : NULL;
        unsigned first = n;

        if (way == BLOCKED)
            continue;
        for (unsigned w = 0; w < s->created; w++) {
            if (step != NULL && step->kind == STEP_SIGNAL && waits_on(s, w, step->object))
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

/* The two operations of a wait; false after the first. */
static bool wait_on(struct state *s, struct history *h, const struct move *m,
                    const struct step *step)
{
    uint8_t t = m->thread;

    touch(h, t, MUTEX, step->mutex, LABEL_WRITE, 0);
    if (s->phase[t] == AT_STEP) {
        touch(h, t, CONDITION, step->object, LABEL_ADD, 0);
        s->owner[step->mutex] = 0;
        s->phase[t] = WAITING;
        return false;
    }
    if (m->way == TIMEOUT)
        touch(h, t, CONDITION, step->object, LABEL_ADD, 0);
    s->owner[step->mutex] = (uint8_t)(t + 1);
    s->phase[t] = AT_STEP;
    if (step->kind == STEP_TIMEDWAIT)
        s->l[t].registers[step->reg] = m->way == NORMAL;
    return true;
}

static void wake(struct state *s, struct history *h, const struct move *m, const struct step *step)
{
    unsigned woken = 0;

    for (unsigned w = 0; w < s->created; w++) {
        if (!waits_on(s, w, step->object) || (step->kind == STEP_SIGNAL && m->victim != w + 1))
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
static bool arrive(struct state *s, struct history *h, unsigned t, const struct step *step)
{
    if (s->phase[t] == WOKEN) { /* leaving touches nothing */
        s->phase[t] = AT_STEP;
        return true;
    }
    bool last = s->arrived[step->object] + 1 == program.parties[step->object];

    touch(h, t, BARRIER, step->object, last ? LABEL_WRITE : LABEL_ADD, 0);
    if (!last) {
        s->arrived[step->object]++;
        s->phase[t] = WAITING;
        return false;
    }
    s->arrived[step->object] = 0;
    for (unsigned w = 0; w < s->created; w++) {
        const struct step *other = step_of(s, w);

        if (other != NULL && other->kind == STEP_ARRIVE && other->object == step->object &&
            s->phase[w] == WAITING)
            s->phase[w] = WOKEN;
    }
    return true;
}

/* Perform an operation of a description; false when the thread stays at its step. */
static bool make_step(struct state *s, struct history *h, const struct move *m,
                      const struct step *step)
{
    if (is_access(step)) {
        enum label label = access_variable(s, m->thread, step);

        if (role[step->object] == POINT)
            return true;
        touch(h, m->thread, VARIABLE, step->object, label, 0);
        h->touches[h->n - 1].is_load = step->kind == STEP_LOAD;
    } else if (step->kind <= STEP_UNLOCK)
        use_mutex(s, h, m, step);
    else if (step->kind <= STEP_TIMEDWAIT)
        return wait_on(s, h, m, step);
    else if (step->kind <= STEP_BROADCAST)
        wake(s, h, m, step);
    else if (step->kind <= STEP_RELEASE)
        use_rwlock(s, h, m, step);
    else if (step->kind <= STEP_VALUE)
        use_semaphore(s, h, m, step);
    else
        return arrive(s, h, m->thread, step);
    return true;
}

/* main creates the next thread, which runs up to its first operation. */
static void create(struct state *s)
{
    settle(s, s->created++);
    if (s->created == program.n_threads && s->ended == GOES_ON)
        settle(s, 0);
}

static void perform(struct state *s, struct history *h, const struct move *m)
{
    unsigned t = m->thread, before = h->n;
    const struct step *step = step_of(s, t);

    memset(unseen, false, sizeof(unseen));
    if (t == 0 && s->created < program.n_threads) {
        create(s);
        return;
    }
    if (step == NULL) {
        s->joined++;
        return;
    }
    if (make_step(s, h, m, step)) {
        s->l[t].at++;
        settle(s, t);
    }
    h->operations[t] += h->n > before;
}

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
    set_add(&classes, key, write_class(h, key), &is_new);
    deadlock |= s->ended == STUCK;
    if (s->ended == FAILED) {
        n = snprintf(text, sizeof(text), "thread %d step %d\n", s->failed_thread, s->failed_step);
        set_add(&failures, text, (size_t)n, &is_new);
    }
    if (s->ended != DONE)
        return;
    for (unsigned t = 0; t < program.n_threads; t++)
        memcpy(registers[t], s->l[t].registers, REGISTERS);
    n = program_outcome(&program, s->value, registers, text);
    set_add(&outcomes, text, (size_t)n, &is_new);
}

/* Whether thread t has ended an execution that others could have gone on with. */
static void note_cut(const struct state *s, unsigned t)
{
    bool others = false;

    for (unsigned o = 0; o < program.n_threads; o++)
        others |= o != t && way_of(s, o) != BLOCKED;
    for (unsigned i = 0; i < OBJECTS_MAX && others; i++)
        suspect[i] |= unseen[i];
}

/* After an operation: is that the end? */
static void judge(struct state *s, const struct move *m)
{
    bool all = true, blocked = true;

    for (unsigned t = 0; t < program.n_threads; t++) {
        all &= has_ended(s, t);
        blocked &= way_of(s, t) == BLOCKED;
    }
    if (s->ended == GOES_ON && (blocked || is_circle(s)))
        s->ended = all ? DONE : STUCK;
    if (s->ended == FAILED || s->ended == STUCK)
        note_cut(s, s->ended == FAILED ? s->failed_thread : m->thread);
}

/* The number of executions from here on. */
static uint64_t explore(const struct state *s, struct history *h)
{
    struct move moves[THREADS_MAX * THREADS_MAX];
    unsigned char key[KEY_MAX];
    struct entry *entry = NULL;
    bool is_new = true;
    uint64_t executions = 0;

    if (!naive) {
        size_t size = write_class(h, key);

        memcpy(key + size, s, sizeof(*s));
        entry = set_add(&known, key, size + sizeof(*s), &is_new);
        if (!is_new)
            return entry->number;
    }
    unsigned n = list_moves(s, moves);

    if (s->ended != GOES_ON) {
        note_end(s, h);
        executions = 1;
    }
    for (unsigned i = 0; i < n && s->ended == GOES_ON && known.n <= limit; i++) {
        struct state next;
        struct history saved = {.n = h->n};

        memcpy(&next, s, sizeof(next));
        memcpy(saved.operations, h->operations, sizeof(saved.operations));
        perform(&next, h, &moves[i]);
        judge(&next, &moves[i]);
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

    set_clear(&known);
    set_clear(&classes);
    set_clear(&outcomes);
    set_clear(&failures);
    deadlock = false;
    memset(&s, 0, sizeof(s));
    s.created = s.joined = 1;
    memcpy(s.semaphore, program.value, sizeof(s.semaphore));
    if (program.n_threads == 1) {
        settle(&s, 0);
        judge(&s, &(struct move){0});
    }
    return explore(&s, &h);
}

static void print_set(const struct set *s, const char *word)
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
    program_read(&program, path);
    bool again = true;
    uint64_t executions = 0;

    for (unsigned i = 0; i < OBJECTS_MAX; i++)
        role[i] = OBJECT;
    search();
    for (unsigned i = 0; i < OBJECTS_MAX; i++)
        role[i] = shared[i] ? OBJECT : PRIVATE;
    while (again && known.n <= limit) {
        executions = search();
        again = false;
        for (unsigned i = 0; i < OBJECTS_MAX; i++) {
            again |= suspect[i] && role[i] == PRIVATE;
            role[i] = suspect[i] && role[i] == PRIVATE ? POINT : role[i];
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
