/* SPDX-License-Identifier: MIT */
/* `plait replay` and `plait minimize`: run a schedule file again and say what came of it. */
#ifndef PL_ENGINE_CAMPAIGN_REPLAY_H
#define PL_ENGINE_CAMPAIGN_REPLAY_H

#include "base/err.h"
#include "engine/findings/rerun.h"
#include "result/request.h"
#include "result/result.h"
#include "trace/schedule.h"

struct pl_replay {
    enum pl_rerun_verdict verdict;
    char text[PL_RESULT_TEXT * 2];  /* why it is not the same, without a full stop */
    bool rebuilt;                   /* the program is not the one that was recorded */
    bool passes;                    /* it left the schedule, and no try from there failed */
    bool again;                     /* it left the schedule, and the same bug is still there */
    struct pl_result_said out, err; /* what the program printed, all of it; free the texts */
    struct pl_result result;        /* with what was found this time; pl_result_free() it */
};

/*
 * Run the schedule that was read from `path`.  -1 and err when the program could
 * not be run.
 */
int pl_replay_run(struct pl_replay *replay, const struct pl_request *request,
                  const struct pl_schedule *schedule, const char *path, struct pl_err *err);

/*
 * Run it, and if it shows what was recorded, make it simpler: result.findings[0]
 * is about the schedule written to `output`, or says why there is none.
 */
int pl_replay_minimize(struct pl_replay *replay, const struct pl_request *request,
                       const struct pl_schedule *schedule, const char *path, const char *output,
                       struct pl_err *err);

#endif /* PL_ENGINE_CAMPAIGN_REPLAY_H */
