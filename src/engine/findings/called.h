/* SPDX-License-Identifier: MIT */
/* What system calls are called. */
#ifndef PL_ENGINE_FINDINGS_CALLED_H
#define PL_ENGINE_FINDINGS_CALLED_H

#include <stdint.h>

/* NULL: no row of calls.def has this number. */
const char *pl_called_name(uint64_t number);

#endif /* PL_ENGINE_FINDINGS_CALLED_H */
