/* SPDX-License-Identifier: MIT */
/*
 * Detectors for threads that run freely.  They want to see one operation after the
 * other, and would disturb threads that are not to be slowed down.  So they look at the
 * recording: it is replayed with the detectors on, and what they say is put where
 * the execution would have noted it itself.
 */
#ifndef PL_ENGINE_FINDINGS_EXAMINE_H
#define PL_ENGINE_FINDINGS_EXAMINE_H

#include "engine/findings/findings.h"

/* Answer a worker that waits for its execution to be looked at. */
void pl_examine_answer(struct pl_findings *findings, struct pl_slot *slot);

#endif /* PL_ENGINE_FINDINGS_EXAMINE_H */
