/* SPDX-License-Identifier: MIT */
/*
 * Which bug a finding is, for whoever compares programs before and after an edit: its kind, the
 * functions and the text of the statements that take part, and the objects they are about.  No
 * line number, no address and no name of a thread is in it, so that a comment, a new function or
 * another thread in the same part makes no other bug of it.
 */
#ifndef PL_ENGINE_FINDINGS_IDENTITY_H
#define PL_ENGINE_FINDINGS_IDENTITY_H

#include "result/result.h"

/* Of a finding in words.  Sources are looked up from the current folder; never 0. */
uint64_t pl_identity_of(const struct pl_result_finding *finding);

/* What counts of a text with places in it. */
uint64_t pl_identity_text(const char *text);

/* A statement as it counts, without comments and with single blanks; exposed for its test. */
void pl_identity_statement(char *to, size_t size, const char *line);

#endif /* PL_ENGINE_FINDINGS_IDENTITY_H */
