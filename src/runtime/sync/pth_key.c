/* SPDX-License-Identifier: MIT */
/*
 * Thread-specific data: keys with destructors, and C++'s thread_local objects
 * that must be destroyed when their thread ends.
 *
 * Which keys there are is state that all threads have in common: making and deleting one changes
 * it, whoever sets or asks for a value, or ends with one, looks at it.  All keys together are one
 * object, since the number of a new key depends on all others, and may be that of one deleted.
 */
#include "base/assert.h"
#include "base/memory.h"
#include "runtime/access/access.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/stage.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <limits.h>

/* The calling thread goes on in a child on its own, with what it had; others there are libc's. */
static _Thread_local bool goes_on __attribute__((tls_model("initial-exec")));

void pl_key_forked(void)
{
    goes_on = true;
}

static bool has_keys(void)
{
    return pl_on() || goes_on;
}

static bool is_used(pthread_key_t key)
{
    return key < PL_KEYS_MAX && pl_stage->objects.keys[key].used;
}

static void look_at_keys(const uint64_t *entry)
{
    pl_access_look(&pl_stage->objects.key_numbers, entry[6], entry);
}

PL_INTERPOSE(int, pthread_key_create, (pthread_key_t * out, void (*destructor)(void *)))
{
    const uint64_t *entry = pl_entry();

    pl_access_argument(out, sizeof(*out), true, entry);
    if (!has_keys())
        return PL_FALLBACK(pthread_key_create)(out, destructor);
    pl_access_state(&pl_stage->objects.key_numbers, entry[6], entry);
    for (unsigned i = 0; i < PL_KEYS_MAX; i++) {
        if (pl_stage->objects.keys[i].used)
            continue;
        pl_stage->objects.keys[i] = (struct pl_key){true, destructor};
        for (pl_tid t = 0; t < pl_stage->n_threads; t++) {
            if (pl_thread_by_id(t)->values != NULL)
                pl_thread_by_id(t)->values[i] = NULL;
        }
        *out = i;
        return 0;
    }
    return EAGAIN;
}

PL_INTERPOSE(int, pthread_key_delete, (pthread_key_t key))
{
    const uint64_t *entry = pl_entry();

    if (!has_keys())
        return PL_FALLBACK(pthread_key_delete)(key);
    pl_access_state(&pl_stage->objects.key_numbers, entry[6], entry);
    if (!is_used(key))
        return EINVAL;
    pl_stage->objects.keys[key].used = false;
    return 0;
}

PL_INTERPOSE(void *, pthread_getspecific, (pthread_key_t key))
{
    if (!has_keys())
        return PL_FALLBACK(pthread_getspecific)(key);
    look_at_keys(pl_entry());
    struct pl_thread *t = pl_thread_self();

    if (!is_used(key) || t->values == NULL)
        return NULL;
    return (void *)t->values[key];
}

PL_INTERPOSE(int, pthread_setspecific, (pthread_key_t key, const void *value))
{
    if (!has_keys())
        return PL_FALLBACK(pthread_setspecific)(key, value);
    look_at_keys(pl_entry());
    struct pl_thread *t = pl_thread_self();

    if (!is_used(key))
        return EINVAL;
    if (t->values == NULL) {
        pl_enter();
        t->values = pl_heap_allocate(PL_KEYS_MAX * sizeof(void *), 16, 0);
        pl_leave();
        if (t->values == NULL)
            return ENOMEM;
        pl_memory_fill(t->values, 0, PL_KEYS_MAX * sizeof(void *));
    }
    t->values[key] = value;
    return 0;
}

/* As POSIX has it: all non-null values, again while destructors set new ones, a few times. */
void pl_key_run_destructors(struct pl_thread *t, uint64_t pc)
{
    bool again = t->values != NULL;

    for (int round = 0; again && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
        again = false;
        for (unsigned i = 0; i < PL_KEYS_MAX; i++) {
            void *value = (void *)t->values[i];

            if (value == NULL)
                continue;
            pl_access_look(&pl_stage->objects.key_numbers, pc, NULL);
            if (!is_used(i))
                continue;
            t->values[i] = NULL;
            if (pl_stage->objects.keys[i].destructor != NULL) {
                pl_stage->objects.keys[i].destructor(value);
                again = true;
            }
        }
    }
}

int __cxa_thread_atexit_impl(void (*call)(void *), void *object, void *dso);

PL_INTERPOSE(int, __cxa_thread_atexit_impl, (void (*call)(void *), void *object, void *dso))
{
    if (!pl_on())
        return PL_FALLBACK(__cxa_thread_atexit_impl)(call, object, dso);
    struct pl_thread *t = pl_thread_self();

    pl_enter();
    struct pl_tls_dtor *d = pl_heap_allocate(sizeof(*d), 16, 0);

    pl_leave();
    PL_ASSERT(d != NULL);
    *d = (struct pl_tls_dtor){call, object, t->dtors};
    t->dtors = d;
    return 0;
}

/* Last constructed, first destroyed; a destructor may construct more. */
void pl_thread_run_destructors(struct pl_thread *t)
{
    PL_ASSERT(t == pl_thread_self());
    while (t->dtors != NULL) {
        struct pl_tls_dtor *d = t->dtors;

        t->dtors = d->next;
        d->call(d->object);
    }
}
