/* SPDX-License-Identifier: MIT */
/* A place as findings have it, "bank.c:12 (transfer)", taken apart for programs that read it. */
#ifndef PL_REPORT_PLACE_H
#define PL_REPORT_PLACE_H

#include "result/result.h"

struct json_t;

struct pl_place_words {
    char file[PL_RESULT_LINE]; /* empty when no line is known */
    uint64_t line;
    char function[PL_RESULT_LINE]; /* may be empty */
};

void pl_place_read(struct pl_place_words *place, const char *location);

/* {"file": ..., "line": ..., "function": ...} without what is not known; null when nothing is. */
struct json_t *pl_place_json(const char *location);

#endif /* PL_REPORT_PLACE_H */
