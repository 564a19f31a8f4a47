/* SPDX-License-Identifier: MIT */
/*
 * Findings: a struct on the board that is filled in by the thread that is concerned.
 *
 * Whoever finds something calls pl_report_start(), adds rows and frames, and ends the execution
 * with pl_report_end(); detectors note findings with pl_report_note(), after which the execution
 * goes on. A finding holds numbers and the program's own texts; the tool adds names.
 */
#ifndef PL_RUNTIME_OBSERVE_REPORT_H
#define PL_RUNTIME_OBSERVE_REPORT_H

#include "runtime/ground/stage.h"

/* The finding of this execution, at pc, with a sentence.  There is one at most. */
struct pl_finding *pl_report_start(enum pl_finding_kind kind, uint64_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Add what the thread is doing, or waits for. */
void pl_report_row(struct pl_finding *f, const struct pl_thread *t);
void pl_report_end(struct pl_finding *f) __attribute__((noreturn));
/* The execution ends without one: a thread has come to where nothing is of interest any more. */
void pl_report_assumed(void) __attribute__((noreturn));
/* The call at pc misuses the object; returns if the detector is switched off. */
void pl_report_misuse(uint64_t pc, const void *object, enum pl_object_kind kind, uint64_t other,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));
/* See detect/host.h. */
struct pl_finding *pl_report_note(enum pl_finding_kind kind, uint64_t signature);
void pl_report_predicted(const struct pl_cycle *cycle); /* a deadlock that has not happened */
/* Whether the thread goes round a loop that nobody can end, as far as is known. */
static inline bool pl_report_goes_round(const struct pl_thread *t)
{
    return t->spin.parked || t->fair.recurs;
}
/* Who holds what the blocked thread t waits for, and since where. */
pl_tid pl_report_holder(const struct pl_thread *t, uint64_t *since);

#endif /* PL_RUNTIME_OBSERVE_REPORT_H */
