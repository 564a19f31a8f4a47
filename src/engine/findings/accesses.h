/* SPDX-License-Identifier: MIT */
/* The two accesses that a finding of a detector is about, in words. */
#ifndef PL_ENGINE_FINDINGS_ACCESSES_H
#define PL_ENGINE_FINDINGS_ACCESSES_H

#include "engine/findings/describe.h"

/* Fills object, about and accesses, for which there must be room for two. */
void pl_accesses_describe(const struct pl_scene *scene, const struct pl_finding *finding,
                          struct pl_result_finding *out);

#endif /* PL_ENGINE_FINDINGS_ACCESSES_H */
