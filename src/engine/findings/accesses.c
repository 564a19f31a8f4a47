/* SPDX-License-Identifier: MIT */
/* See accesses.h.  Texts that do not fit are cut. */
#include "engine/findings/accesses.h"

#include "base/assert.h"
#include "model/gate.h"

#include <stdio.h>
#include <string.h>

/* What an access does, as an operation and as a verb. */
struct way {
    const char *operation, *verb;
};

static struct way way_of(unsigned flags)
{
    bool reads = (flags & PL_ACCESS_READ) != 0, writes = (flags & PL_ACCESS_WRITE) != 0;

    if (flags & PL_ACCESS_FREE)
        return (struct way){pl_operation_text(PL_OP_FREE), "frees"};
    if (flags & PL_ACCESS_ATOMIC)
        return reads && writes
                   ? (struct way){pl_operation_text(PL_OP_ATOMIC_RMW), "atomically updates"}
               : writes ? (struct way){pl_operation_text(PL_OP_ATOMIC_STORE), "atomically writes"}
                        : (struct way){pl_operation_text(PL_OP_ATOMIC_LOAD), "atomically reads"};
    return reads && writes ? (struct way){pl_operation_text(PL_OP_READ_WRITE), "reads and writes"}
           : writes        ? (struct way){pl_operation_text(PL_OP_WRITE), "writes"}
                           : (struct way){pl_operation_text(PL_OP_READ), "reads"};
}

static void write_about(char *to, size_t size, const char *object, uint64_t bytes)
{
    snprintf(to, size, "%s (%llu byte%s)", object[0] ? object : "memory", (unsigned long long)bytes,
             bytes == 1 ? "" : "s");
}

/* The bytes that both touch. */
struct overlap {
    uint64_t addr, size;
};

static struct overlap overlap_of(const struct pl_finding_access *a,
                                 const struct pl_finding_access *b)
{
    uint64_t low = a->addr > b->addr ? a->addr : b->addr;
    uint64_t end_a = a->addr + a->size, end_b = b->addr + b->size;
    uint64_t high = end_a < end_b ? end_a : end_b;

    return low < high ? (struct overlap){low, high - low} : (struct overlap){b->addr, b->size};
}

static void describe_lock(const struct pl_scene *scene, const struct pl_finding_lock *lock,
                          struct pl_result_lock *out)
{
    snprintf(out->kind, sizeof(out->kind), "%s", pl_object_text(lock->object));
    pl_describe_place(scene, &lock->place, out->object, sizeof(out->object));
    if (lock->pc != 0)
        pl_describe_line(scene, lock->pc, out->since, sizeof(out->since));
    out->shared = lock->shared;
}

static void append(char *to, size_t size, const char *text)
{
    size_t used = strlen(to);

    snprintf(to + used, size - used, "%s", text);
}

/* "holding mutex m since count.c:7 and rwlock l for reading since count.c:8" */
static void append_locks(char *to, size_t size, const struct pl_result_access *a)
{
    PL_ASSERT(a->n_locks <= PL_RESULT_LOCKS);
    append(to, size, a->n_locks == 0 ? ", holding nothing" : ", holding ");
    for (size_t i = 0; i < a->n_locks; i++) {
        const struct pl_result_lock *l = &a->locks[i];

        if (i > 0)
            append(to, size, i + 1 == a->n_locks ? " and " : ", ");
        append(to, size, l->kind);
        append(to, size, l->object[0] ? " " : "");
        append(to, size, l->object);
        append(to, size, l->shared ? " for reading" : "");
        append(to, size, l->since[0] ? " since " : "");
        append(to, size, l->since);
    }
}

/* "thread 0.1 writes it at count.c:9 (worker), holding nothing" */
static void write_sentence(struct pl_result_access *a, const char *verb, bool exactly)
{
    char about[PL_RESULT_LINE + 40] = "it";
    size_t size = sizeof(a->sentence);

    if (!exactly)
        write_about(about, sizeof(about), a->object, a->size);
    snprintf(a->sentence, size, "thread %s %s %s%s%s", a->thread, verb, about,
             a->location[0] ? " at " : "", a->location);
    append_locks(a->sentence, size, a);
}

static void describe(const struct pl_scene *scene, const struct pl_finding_access *access,
                     const struct overlap *common, struct pl_result_access *out)
{
    struct pl_trail trail = {access->pc, access->frames,
                             access->n_frames < PL_FINDING_FRAMES ? access->n_frames
                                                                  : PL_FINDING_FRAMES};
    uint64_t own = pl_describe_own_pc(scene, &trail);
    struct way way = way_of(access->flags);

    pl_describe_thread(scene, access->tid, out->thread, sizeof(out->thread));
    snprintf(out->operation, sizeof(out->operation), "%s", way.operation);
    pl_describe_place(scene, &access->place, out->object, sizeof(out->object));
    pl_describe_location(scene, own, out->location, sizeof(out->location));
    out->size = access->size;
    out->n_stack = pl_describe_callers(scene, &trail, own, out->stack, PL_RESULT_STACK);
    for (unsigned i = 0; i < access->n_locks && i < PL_FINDING_LOCKS && i < PL_RESULT_LOCKS; i++)
        describe_lock(scene, &access->locks[i], &out->locks[out->n_locks++]);
    PL_ASSERT(out->n_stack <= PL_RESULT_STACK);
    write_sentence(out, way.verb, access->addr == common->addr && access->size == common->size);
}

void pl_accesses_describe(const struct pl_scene *scene, const struct pl_finding *f,
                          struct pl_result_finding *out)
{
    if (f->n_accesses < 2)
        return;
    PL_ASSERT(out->accesses != NULL && out->n_accesses == 0);
    struct overlap common = overlap_of(&f->accesses[0], &f->accesses[1]);

    for (unsigned i = 0; i < 2; i++) {
        struct pl_finding_access access = f->accesses[i];

        if (access.place.kind == PL_PLACE_NONE)
            access.place = f->object;
        describe(scene, &access, &common, &out->accesses[i]);
    }
    out->n_accesses = 2;
    out->pairs = 1;
    if (out->object[0] == '\0')
        memcpy(out->object, out->accesses[1].object, sizeof(out->object));
    write_about(out->about, sizeof(out->about), out->object, common.size);
}
