/* SPDX-License-Identifier: MIT */
/* See suite_result.h. */
#include "result/suite_result.h"

#include <stdlib.h>

void pl_suite_result_clear(struct pl_suite_result *result)
{
    for (size_t i = 0; i < result->n_findings; i++) {
        struct pl_suite_finding *f = &result->findings[i];

        free(f->kind);
        free(f->message);
        free(f->location);
        free(f->signature);
        free(f->identity);
        free(f->schedule);
    }
    free(result->findings);
    free(result->why);
    *result = (struct pl_suite_result){0};
}
