/* SPDX-License-Identifier: MIT */
/*
 * Views of a result (result/result.h): for a person at a terminal, and as JSON.
 * What they need is in the result; they know nothing of how it came about.
 */
#ifndef PL_REPORT_REPORT_H
#define PL_REPORT_REPORT_H

#include "result/result.h"

#include <stdio.h>

struct pl_report_style {
    bool color, verbose;
    int fd; /* where colours go: what is printed passes a filter that would show them as text */
};

/* Switch to a colour, after what was printed so far. */
void pl_report_paint(FILE *to, const struct pl_report_style *style, const char *color);

/*
 * Why a finding of that kind shows, and the schedule that passes; nothing when that is not known.
 * `folder` goes before the name of that schedule.
 */
void pl_finding_text_why(FILE *to, unsigned kind, const char *why, const char *folder,
                         const char *passing);

/* How simple the schedule is: "1 preemption (the fewest possible), 4 switches". */
void pl_finding_text_minimal(char *to, size_t size, const char *minimal, uint64_t preemptions,
                             uint64_t switches);

/* One finding as a paragraph that ends with the commands to replay and show it. */
void pl_finding_text_print(FILE *to, const struct pl_result_finding *finding, size_t number,
                           const struct pl_report_style *style);

/* What was explored, whether that was all, and what was under control. */
void pl_summary_print(FILE *to, const struct pl_result *result,
                      const struct pl_report_style *style);

/* How much is still to come, as part of a sentence; empty when nothing can be said. */
void pl_outlook_text(char *to, size_t size, const struct pl_outlook *outlook);

/* Of the objects that --json writes; a member that is taken away or means something else raises it.
 */
enum { PL_JSON_VERSION = 1 };

/* The object of --json.  "-" is standard output.  0, or -1 with errno. */
int pl_json_write(const char *path, const struct pl_result *result);

/* A finding as it stands in that object; the caller owns it.  For json.c. */
struct json_t *pl_json_finding(const struct pl_result_finding *finding);

#endif /* PL_REPORT_REPORT_H */
