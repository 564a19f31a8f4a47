/* SPDX-License-Identifier: MIT */
/*
 * From what a board holds to a schedule: header, choices, and for a traced
 * execution every operation with its object and source line.
 */
#ifndef PL_ENGINE_FINDINGS_RECORD_H
#define PL_ENGINE_FINDINGS_RECORD_H

#include "engine/findings/describe.h"
#include "engine/worker/target.h"
#include "result/request.h"
#include "trace/schedule.h"

/* One execution with what it found. */
struct pl_record {
    const struct pl_request *request;
    const struct pl_target *target;
    const struct pl_result_finding *finding;
    unsigned kind;    /* enum pl_finding_kind */
    unsigned section; /* call of plait_test(); 0: none */
    unsigned digits;  /* of what getpid() has said; 0: nobody has asked */
    const struct pl_scene *scene;
    const struct pl_choice *choices;
    uint64_t n_choices;
    const struct pl_event *events; /* NULL: not traced */
    uint64_t n_events;
    const unsigned char *inputs; /* what it read, as the schedule has it; or NULL */
    size_t n_inputs;
    bool inputs_lost;                 /* there was no room to keep it */
    const struct pl_schedule *origin; /* NULL, or where strategy, seed and options are from */
};

/* Fill an empty schedule. */
void pl_record_fill(struct pl_schedule *s, const struct pl_record *record);

/*
 * Whether the second execution made all choices of the first, those by default
 * left aside.  It may have gone on: a replay that is at its end looks a little
 * longer before it calls a loop endless.  Returns how many choices of the second
 * it took, or UINT64_MAX when they differ.
 */
uint64_t pl_record_match(const struct pl_choice *a, uint64_t n_a, const struct pl_choice *b,
                         uint64_t n_b);

#endif /* PL_ENGINE_FINDINGS_RECORD_H */
