/* SPDX-License-Identifier: MIT */
/*
 * Suppressions: findings that the user knows and does not want to hear of.
 *
 * A file has one a line.  `KIND:PATTERN` suppresses findings of that kind, or of
 * any with `*`, if the pattern is the function, source file or module of some
 * place of the finding, or the name of an object that it is about.
 * `KIND function=PATTERN file=PATTERN object=PATTERN` asks for all that is given at
 * one and the same place.  Patterns are those of the shell, and `*` also
 * stands for slashes; files may have a line number behind a colon, and match with or
 * without their folders.
 */
#ifndef PL_ENGINE_FINDINGS_SUPPRESS_H
#define PL_ENGINE_FINDINGS_SUPPRESS_H

#include "base/err.h"
#include "engine/findings/describe.h"
#include "result/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place of a finding.  Strings are never NULL but may be empty. */
struct pl_suppress_place {
    const char *function, *file;
    unsigned line;
    const char *object; /* module, or what lies there */
};

/* Add those of a file, or say what is wrong in which line.  The path must outlive them. */
int pl_suppress_read(struct pl_suppressions *to, const char *path, struct pl_err *err);
void pl_suppress_free(struct pl_suppressions *suppressions);

/* Whether it is about a finding of that kind with these places; exposed for its test. */
bool pl_suppress_matches(const struct pl_suppression *s, unsigned kind,
                         const struct pl_suppress_place *places, size_t n);

/* Whether the finding is suppressed; those that say so count it. */
bool pl_suppress_finding(struct pl_suppressions *suppressions, const struct pl_scene *scene,
                         const struct pl_finding *finding);

#endif /* PL_ENGINE_FINDINGS_SUPPRESS_H */
