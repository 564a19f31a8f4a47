/* SPDX-License-Identifier: MIT */
/* What a test of a suite came to (model/suite.h), which whoever has filled it gives back. */
#ifndef PL_RESULT_SUITE_RESULT_H
#define PL_RESULT_SUITE_RESULT_H

#include "model/suite.h"

/* All that it owns is freed; it is empty then. */
void pl_suite_result_clear(struct pl_suite_result *result);

#endif /* PL_RESULT_SUITE_RESULT_H */
