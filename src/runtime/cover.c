/* SPDX-License-Identifier: MIT */
#include "runtime/rt.h"

void pl_cover_event(struct pl_thread *t, const struct pl_operation *op)
{
}
