/* SPDX-License-Identifier: MIT */
/*
 * An execution on its way to a file: described, as a schedule, with what it read; then followed,
 * made simpler and replayed (settle.h), or driven to what it predicts (confirm.h).  How much of
 * that there is time for is said by the campaign's findings (findings.h).
 */
#ifndef PL_ENGINE_FINDINGS_DRAFT_H
#define PL_ENGINE_FINDINGS_DRAFT_H

#include "engine/findings/confirm.h"
#include "engine/findings/findings.h"
#include "engine/findings/record.h"

struct pl_draft {
    struct pl_confirm confirm;
    struct pl_scene scene;
    struct pl_schedule raw;
    unsigned char *inputs;     /* what it read; its own */
    struct pl_choice *choices; /* its own, and memory known to be shared, once it was followed */
    uint64_t *shared;
};

/* Where the campaign has left an execution, and whatever it can be described by. */
struct pl_origin pl_draft_origin(const struct pl_findings *f, const struct pl_found *found);
struct pl_scene pl_draft_scene(struct pl_findings *f, const struct pl_origin *origin);

/*
 * Describe it in `out`, which gets this number; to be closed.  With `driven`, the draft of a
 * prediction that it confirms: it has read what that had read.
 */
void pl_draft_open(struct pl_draft *d, struct pl_findings *f, const struct pl_origin *origin,
                   struct pl_result_finding *out, unsigned number, const struct pl_draft *driven);
void pl_draft_close(struct pl_draft *d);

/* Write it: simpler if that is wanted and works, else as it was found.  A race is driven. */
void pl_draft_finish(struct pl_findings *f, struct pl_draft *d, struct pl_result_finding *out,
                     unsigned number);

/* Whether a finding of this kind is one to be tried. */
bool pl_draft_is_driven(const struct pl_findings *f, const struct pl_draft *d, unsigned kind);
/* Try it, if there is time; out->driven says what came of it. */
void pl_draft_drive_race(struct pl_findings *f, struct pl_draft *d, struct pl_result_finding *out,
                         unsigned number);
/* The same; true: the deadlock has been reached, in a session that is to be closed. */
bool pl_draft_drive_deadlock(struct pl_findings *f, struct pl_draft *d, struct pl_session *session,
                             struct pl_origin *reached, struct pl_result_driven *out);

#endif /* PL_ENGINE_FINDINGS_DRAFT_H */
