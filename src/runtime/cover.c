/* SPDX-License-Identifier: MIT */
/* What a disturbance would show: as long as nothing is known, everything may be new. */
#include "runtime/rt.h"

void pl_cover_event(struct pl_thread *t, const struct pl_operation *op)
{
}

unsigned pl_cover_interest(const struct pl_thread *t, const struct pl_operation *op)
{
    return 1;
}

bool pl_cover_shares(uint64_t pc)
{
    return true;
}
