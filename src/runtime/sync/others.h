/* SPDX-License-Identifier: MIT */
/*
 * Objects that processes share.
 *
 * In a program that never makes a child they are modelled like all others.  A child, which runs for
 * itself, uses them as libc does, and so must the threads here: what they wait for is a futex then,
 * at the gate (system/libc_futex.c), and its word may change from outside.  They must do so before
 * it is made: it finds who has a lock in memory, and threads that wait must be where it wakes them.
 */
#ifndef PL_RUNTIME_SYNC_OTHERS_H
#define PL_RUNTIME_SYNC_OTHERS_H

#include "detect/detector.h"
#include "runtime/ground/entry.h"
#include "runtime/observe/feed.h"

/* Whether another process may use the object, which is `shared` if it says so. */
static inline bool pl_others_use(bool shared)
{
    bool followed = pl_board->settings.starts_chosen || pl_board->settings.company;
    bool forks = pl_stage->process.forked || (pl_stage->modules.forks && !followed);

    if (!shared || !forks || pl_stage->process.company || !pl_on() || pl_inside())
        return false;
    pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_OTHERS);
    return true;
}

/* What it orders is not known exactly: each use comes after all before. */
static inline int pl_others_used(const void *object, int rc)
{
    if (!pl_native)
        pl_feed_object(PL_SYNC_RECEIVE, pl_thread_self()->id, (uint64_t)object, PL_OBJECT_NONE);
    return rc;
}

/* The word that libc is about to change: others may come before it, or after. */
void pl_others_point(const void *object, uint64_t pc);

static inline void pl_others_before(const void *object)
{
    struct pl_thread *t;
    uint64_t pc;

    if (pl_native)
        return;
    if (!pl_free && pl_begin(&t, &pc))
        pl_others_point(object, pc);
    pl_feed_object(PL_SYNC_SEND, pl_thread_self()->id, (uint64_t)object, PL_OBJECT_NONE);
}

/* The thread ends: what the kernel would do to robust locks that it has, as libc lists them. */
void pl_others_abandon(struct pl_thread *t);
void pl_others_init(void); /* in the program's first thread */

/*
 * Processes under control use models, which lie in the memory that they share; but who waits is
 * known to his own process only.  So whoever lets others go on counts that beside the object.  The
 * thread is about to wait, perhaps before there is another process; and whether it was called
 * since.
 */
static inline void pl_others_expect(struct pl_thread *t, bool shared, const uint32_t *calls)
{
    t->afar = shared && pl_board->settings.company;
    t->calls_before = *calls;
}

static inline bool pl_others_called(const struct pl_thread *t, const uint32_t *calls)
{
    return t->afar && pl_stage->process.company && *calls != t->calls_before;
}

/* At the beginning of an interposed function: libc's own does it, if others use the object. */
#define PL_WITH_OTHERS(shared, object, name, ...)                          \
    do {                                                                   \
        if (pl_others_use(shared)) {                                       \
            pl_others_before(object);                                      \
            return pl_others_used(object, PL_FALLBACK(name)(__VA_ARGS__)); \
        }                                                                  \
    } while (0)

#endif /* PL_RUNTIME_SYNC_OTHERS_H */
