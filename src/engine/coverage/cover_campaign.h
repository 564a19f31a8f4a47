/* SPDX-License-Identifier: MIT */
/*
 * Coverage of a campaign: tells workers which functions there are and what earlier
 * campaigns have covered, gives names to what they cover, and keeps it in the
 * results folder, where the next campaign goes on with it.
 */
#ifndef PL_ENGINE_COVERAGE_COVER_CAMPAIGN_H
#define PL_ENGINE_COVERAGE_COVER_CAMPAIGN_H

#include "base/err.h"
#include "engine/coverage/cover_code.h"
#include "engine/symbols/symbols.h"
#include "engine/worker/session.h"
#include "result/request.h"
#include "trace/covered.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

struct pl_cover_campaign {
    bool on;
    const struct pl_session *session;
    char home[PATH_MAX], path[PATH_MAX]; /* of the folder, and of the file in it */
    char *program;    /* where it is, if the folder may have coverage of others; or NULL */
    struct stat left; /* of the file, as it was read or written last */
    struct pl_covered set;
    uint32_t campaign; /* its index there */
    struct pl_cover_code code;
    uint32_t *functions;  /* by number: index in the set */
    uint32_t *statements; /* by number: index in the set, plus 1; 0: not known yet */
    struct pl_symbols *symbols;
    const struct pl_board *board; /* whose modules they are */
    uint32_t read;                /* entries of the log */
    uint32_t hole;                /* an entry that was not written when last looked at, plus 1 */
    bool holes;                   /* one never was */
    uint64_t looked_ms, saved_ms;
    uint64_t pause_ms; /* until the next look */
    uint64_t saved_executions;
    struct pl_covered given; /* predecessor sets of earlier campaigns */
    size_t n_given;          /* statements that were there when it was read */
    uint32_t *given_as;      /* statement by number: index there, plus 1; 0: not looked up */
};

/* Read what is known.  -1 when the folder has a file that is not ours, which is left alone. */
int pl_cover_campaign_open(struct pl_cover_campaign *c, const struct pl_request *request,
                           const char *program, const struct pl_session *session,
                           struct pl_err *err);

/* Answer the worker of this slot if it asks which functions there are. */
void pl_cover_campaign_answer(struct pl_cover_campaign *c, struct pl_slot *slot);

/*
 * Look at what is new, and save it every few seconds.  True when the campaign has what
 * `until` asks for; `why` then says it.
 */
bool pl_cover_campaign_look(struct pl_cover_campaign *c, const struct pl_until *until, char *why,
                            size_t size);

/* The statement with this number in the set, which is named now if need be. */
uint32_t pl_cover_campaign_statement(struct pl_cover_campaign *c, uint32_t number);

/* Whether it, or another one of its name, has been named before. */
bool pl_cover_campaign_knows(struct pl_cover_campaign *c, uint32_t number);

/* The campaign is over: save it and say what it came to. */
int pl_cover_campaign_finish(struct pl_cover_campaign *c, struct pl_result *result,
                             struct pl_err *err);
void pl_cover_campaign_close(struct pl_cover_campaign *c);

#endif /* PL_ENGINE_COVERAGE_COVER_CAMPAIGN_H */
