/* SPDX-License-Identifier: MIT */
/*
 * Memory that has several addresses: a file, or other shared memory, that is mapped more than once.
 *
 * Whoever compares addresses of different threads compares those of the earliest mapping that is
 * still there: pl_alias().  It costs a look at one number until there is such memory.  What the
 * program is given back, and what is read and written for it, keeps the address it used.
 *
 * An access that goes beyond the end of a mapping into a neighbour counts as one to the former.
 */
#ifndef PL_RUNTIME_GROUND_ALIAS_H
#define PL_RUNTIME_GROUND_ALIAS_H

#include "runtime/ground/stage.h"

uint64_t pl_alias_find(uint64_t addr);

/* The address by which this memory is known. */
static inline uint64_t pl_alias(uint64_t addr)
{
    return pl_stage->aliases.n == 0 ? addr : pl_alias_find(addr);
}

/* The same for a pointer to a synchronisation object: then it is the one by which all know it. */
#define PL_KNOWN(object) ((object) = (__typeof__(object))pl_alias((uint64_t)(object)))

/* pl_begin() of entry.h for t and pc, in a function about an object, or about two. */
#define PL_BEGIN_ON(object) (pl_begin(&t, &pc) && (PL_KNOWN(object), true))
#define PL_BEGIN_ON_TWO(object, other) (PL_BEGIN_ON(object) && (PL_KNOWN(other), true))

/* Memory that others can map, too, is mapped: from `offset` on of a file of a device. */
void pl_alias_map(struct pl_mapping mapping);
/* What was mapped here is no longer. */
void pl_alias_unmap(uint64_t start, uint64_t size);
/*
 * Accesses by two mappings of a file are known as accesses to one memory as long as the earlier
 * mapping is there.  A thread ends one while there are others: whether another mapping shows the
 * same, which has other addresses from now on.
 */
bool pl_alias_ends(uint64_t start, uint64_t size);
/* Whether some of it was mapped before, until a thread other than this one has ended that. */
bool pl_alias_had(const struct pl_mapping *mapping);
/* The mapping at this address, its size 0 when it is not known. */
struct pl_mapping pl_alias_mapping(uint64_t addr);

#endif /* PL_RUNTIME_GROUND_ALIAS_H */
