/* SPDX-License-Identifier: MIT */
/*
 * Executes a description (program.h) with real threads, atomics and pthread calls.
 *
 *     interpret FILE
 *
 * With BEGIN main makes no steps.  It creates all threads, says plait_begin(), and joins them, so
 * that every thread exists when an execution begins.
 *
 * With SITES every step is called from a place of its own, so that two steps are two statements for
 * a strategy that looks at callers.  Who compiles it makes sites.def: SITE(0) to SITE(255), each on
 * the line of its number plus 1, so that the name of a place tells which step it is.
 *
 * Compiled once, by plait-cc, for all descriptions.  Interpreting must not show: only
 * the functions that access a variable are instrumented, one access each; what a
 * thread needs besides lies on its stack, and the description is not written once
 * there are threads.  So the points are those of the program that is described.
 */
#include "program.h"

#include <plait.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Visible to the linker, so that no compiler moves the access into the caller. */
#define ACCESS __attribute__((noinline))
#define HIDDEN __attribute__((noinline, no_sanitize("thread")))

/* Apart, so that a neighbour's sharing does not make a private variable count. */
struct cell {
    _Alignas(64) union {
        int plain;
        atomic_int atomic;
    } u;
};

static struct program program;
static struct cell variables[OBJECTS_MAX];
static pthread_mutex_t mutexes[OBJECTS_MAX];
static pthread_cond_t conditions[OBJECTS_MAX];
static pthread_rwlock_t rwlocks[OBJECTS_MAX];
static sem_t semaphores[OBJECTS_MAX];
static pthread_barrier_t barriers[OBJECTS_MAX];

/* Far away: under plait the time runs out whenever that is possible. */
static const struct timespec later = {.tv_sec = 4000000000};

int load_plain(const struct cell *x);
void store_plain(struct cell *x, int value);
int load_atomic(struct cell *x);
void store_atomic(struct cell *x, int value);
void add(struct cell *x, int n);
int fetch_add(struct cell *x, int n);
int exchange(struct cell *x, int old, int new);

ACCESS int load_plain(const struct cell *x)
{
    return x->u.plain;
}

ACCESS void store_plain(struct cell *x, int value)
{
    x->u.plain = value;
}

ACCESS int load_atomic(struct cell *x)
{
    return atomic_load(&x->u.atomic);
}

ACCESS void store_atomic(struct cell *x, int value)
{
    atomic_store(&x->u.atomic, value);
}

ACCESS void add(struct cell *x, int n)
{
    atomic_fetch_add(&x->u.atomic, n);
}

ACCESS int fetch_add(struct cell *x, int n)
{
    return atomic_fetch_add(&x->u.atomic, n);
}

ACCESS int exchange(struct cell *x, int old, int new)
{
    return atomic_compare_exchange_strong(&x->u.atomic, &old, new);
}

HIDDEN static void access_variable(const struct step *s, uint8_t *reg)
{
    struct cell *x = &variables[s->object];
    bool is_atomic = program.atomic[s->object];

    switch (s->kind) {
    case STEP_LOAD:
        *reg = (uint8_t)(is_atomic ? load_atomic(x) : load_plain(x));
        break;
    case STEP_STORE:
    case STEP_COPY: {
        int value = s->kind == STEP_STORE ? s->number : (*reg + s->number) & 255;

        if (is_atomic)
            store_atomic(x, value);
        else
            store_plain(x, value);
        break;
    }
    case STEP_ADD:
        add(x, s->number);
        break;
    case STEP_FETCH:
        *reg = (uint8_t)fetch_add(x, s->number);
        break;
    default:
        *reg = (uint8_t)exchange(x, s->number, s->new);
    }
}

HIDDEN static void use_mutex(const struct step *s, uint8_t *reg)
{
    pthread_mutex_t *m = &mutexes[s->object];

    if (s->kind == STEP_LOCK)
        pthread_mutex_lock(m);
    else if (s->kind == STEP_TRYLOCK)
        *reg = pthread_mutex_trylock(m) == 0;
    else if (s->kind == STEP_TIMEDLOCK)
        *reg = pthread_mutex_timedlock(m, &later) == 0;
    else
        pthread_mutex_unlock(m);
}

HIDDEN static void use_condition(const struct step *s, uint8_t *reg)
{
    pthread_cond_t *c = &conditions[s->object];

    if (s->kind == STEP_WAIT)
        pthread_cond_wait(c, &mutexes[s->mutex]);
    else if (s->kind == STEP_TIMEDWAIT)
        *reg = pthread_cond_timedwait(c, &mutexes[s->mutex], &later) == 0;
    else if (s->kind == STEP_SIGNAL)
        pthread_cond_signal(c);
    else
        pthread_cond_broadcast(c);
}

HIDDEN static void use_rwlock(const struct step *s, uint8_t *reg)
{
    pthread_rwlock_t *l = &rwlocks[s->object];

    switch (s->kind) {
    case STEP_READ:
        pthread_rwlock_rdlock(l);
        break;
    case STEP_TRYREAD:
        *reg = pthread_rwlock_tryrdlock(l) == 0;
        break;
    case STEP_TIMEDREAD:
        *reg = pthread_rwlock_timedrdlock(l, &later) == 0;
        break;
    case STEP_WRITE:
        pthread_rwlock_wrlock(l);
        break;
    case STEP_TRYWRITE:
        *reg = pthread_rwlock_trywrlock(l) == 0;
        break;
    case STEP_TIMEDWRITE:
        *reg = pthread_rwlock_timedwrlock(l, &later) == 0;
        break;
    default:
        pthread_rwlock_unlock(l);
    }
}

HIDDEN static void use_semaphore(const struct step *s, uint8_t *reg)
{
    sem_t *sem = &semaphores[s->object];
    int value;

    switch (s->kind) {
    case STEP_DOWN:
        sem_wait(sem);
        break;
    case STEP_TRYDOWN:
        *reg = sem_trywait(sem) == 0;
        break;
    case STEP_TIMEDDOWN:
        *reg = sem_timedwait(sem, &later) == 0;
        break;
    case STEP_UP:
        sem_post(sem);
        break;
    default:
        sem_getvalue(sem, &value);
        *reg = (uint8_t)value;
    }
}

HIDDEN static void make_step(const struct step *s, uint8_t *reg)
{
    if (s->kind <= STEP_CAS)
        access_variable(s, reg);
    else if (s->kind <= STEP_UNLOCK)
        use_mutex(s, reg);
    else if (s->kind <= STEP_BROADCAST)
        use_condition(s, reg);
    else if (s->kind <= STEP_RELEASE)
        use_rwlock(s, reg);
    else if (s->kind <= STEP_VALUE)
        use_semaphore(s, reg);
    else
        pthread_barrier_wait(&barriers[s->object]);
}

#ifdef SITES
void make_step_here(const struct step *s, uint8_t *reg);

ACCESS void make_step_here(const struct step *s, uint8_t *reg)
{
    make_step(s, reg);
    (void)*(volatile uint8_t *)reg; /* an access, or the compiler leaves its hooks out */
}

/* The assembler text keeps compilers from making one call of all. */
#define SITE(n)                                   \
    case n:                                       \
        make_step_here(s, reg);                   \
        __asm__ volatile("" ::"i"(n) : "memory"); \
        break;

/* Step `at` of a thread; sites repeat only after 64 steps. */
ACCESS static void make_step_of(unsigned thread, unsigned at, const struct step *s, uint8_t *reg)
{
    switch (thread % 4 * 64 + at % 64) {
#include "sites.def"
    }
    (void)*(volatile uint8_t *)reg;
}
#else
HIDDEN static void make_step_of(unsigned thread, unsigned at, const struct step *s, uint8_t *reg)
{
    (void)thread;
    (void)at;
    make_step(s, reg);
}
#endif

/* The result is the registers, one byte each. */
HIDDEN static void *run(void *arg)
{
    const struct thread_steps *t = arg;
    struct locals l = {0};
    uintptr_t packed = 0;

    while (l.at < t->n) {
        bool failed = false;

        if (program_local(t, &l, &failed)) {
            if (failed) {
                char text[64];

                snprintf(text, sizeof(text), "thread %d step %d", (int)(t - program.threads), l.at);
                plait_fail(__FILE__, __LINE__, __func__, text);
            }
            continue;
        }
        make_step_of((unsigned)(t - program.threads), (unsigned)l.at, &t->steps[l.at],
                     &l.registers[t->steps[l.at].reg]);
        l.at++;
    }
    for (unsigned i = 0; i < REGISTERS; i++)
        packed |= (uintptr_t)l.registers[i] << (8 * i);
    return (void *)packed;
}

HIDDEN static void make_objects(void)
{
    for (unsigned i = 0; i < OBJECTS_MAX; i++) {
        pthread_mutex_init(&mutexes[i], NULL);
        pthread_cond_init(&conditions[i], NULL);
        pthread_rwlock_init(&rwlocks[i], NULL);
        sem_init(&semaphores[i], 0, program.value[i]);
        if (program.parties[i] > 0)
            pthread_barrier_init(&barriers[i], NULL, program.parties[i]);
    }
}

HIDDEN static void print_outcome(void *const *results)
{
    uint8_t registers[THREADS_MAX][REGISTERS];
    int values[OBJECTS_MAX];
    char text[OUTCOME_MAX];

    for (unsigned i = 0; i < program.n_variables; i++)
        values[i] = variables[i].u.plain;
    for (unsigned t = 0; t < program.n_threads; t++) {
        for (unsigned i = 0; i < REGISTERS; i++)
            registers[t][i] = (uint8_t)((uintptr_t)results[t] >> (8 * i));
    }
    int n = program_outcome(&program, values, registers, text);

    if (write(1, text, (size_t)n) != n)
        abort();
}

#ifdef BEGIN
enum { FIRST = 0 }; /* thread that is not main */

HIDDEN static void run_main(void **result)
{
    (void)result;
    plait_begin();
}
#else
enum { FIRST = 1 };

HIDDEN static void run_main(void **result)
{
    *result = run(&program.threads[0]);
}
#endif

HIDDEN int main(int argc, char **argv)
{
    pthread_t threads[THREADS_MAX];
    void *results[THREADS_MAX];

    if (argc != 2) {
        fprintf(stderr, "usage: interpret FILE\n");
        return 2;
    }
    program_read(&program, argv[1]);
    make_objects();
    for (unsigned i = FIRST; i < program.n_threads; i++)
        pthread_create(&threads[i], NULL, run, &program.threads[i]);
    run_main(&results[0]);
    for (unsigned i = FIRST; i < program.n_threads; i++)
        pthread_join(threads[i], &results[i]);
    print_outcome(results);
    return 0;
}
