/* SPDX-License-Identifier: MIT */
/* See report.c. */
#ifndef PL_RUNTIME_OBSERVE_REPORT_H
#define PL_RUNTIME_OBSERVE_REPORT_H

#include "runtime/ground/stage.h"

struct pl_finding *pl_report_start(enum pl_finding_kind kind, uint64_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pl_report_row(struct pl_finding *f, const struct pl_thread *t);
void pl_report_end(struct pl_finding *f) __attribute__((noreturn));
void pl_report_misuse(uint64_t pc, const void *object, enum pl_object_kind kind, uint64_t other,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));
void pl_report_frames(struct pl_finding *f, const struct pl_thread *t);
/* See detect/host.h. */
struct pl_finding *pl_report_note(enum pl_finding_kind kind, uint64_t signature);
void pl_report_predicted(const struct pl_cycle *cycle); /* a deadlock that has not happened */
pl_tid pl_report_holder(const struct pl_thread *t, uint64_t *since);

#endif /* PL_RUNTIME_OBSERVE_REPORT_H */
