/* SPDX-License-Identifier: MIT */
/* JSON values as everybody who writes them needs them. */
#ifndef PL_TRACE_VALUE_H
#define PL_TRACE_VALUE_H

#include "model/suite.h"

#include <jansson.h>
#include <stdint.h>

/* Texts from programs need not be UTF-8; bytes beyond ASCII are replaced in those that are not. */
json_t *pl_value_text(const char *s);

json_t *pl_value_number(uint64_t n);

/* The findings of a test of a suite, as results have them and what is kept between its rounds. */
json_t *pl_value_findings(const struct pl_suite_result *result);

/* A file that may be anybody's; NULL with the reason in `error`, which may be NULL. */
json_t *pl_value_load(const char *path, json_error_t *error);

/* Write it for people to read; `path` may be - for standard output.  Takes the reference; 0 or -1.
 */
int pl_value_write(const char *path, json_t *value);

#endif /* PL_TRACE_VALUE_H */
