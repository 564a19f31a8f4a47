/* SPDX-License-Identifier: MIT */
/* Use of freed memory. */
#ifndef PL_RUNTIME_OBSERVE_FREED_H
#define PL_RUNTIME_OBSERVE_FREED_H

#include "runtime/ground/stage.h"

/* Memory of the heap is about to be read or written. */
void pl_freed_check(uint64_t addr, uint64_t size, bool write, uint64_t pc);

/* For findings_port, see ground/ports.h. */
void pl_freed_badly(uint64_t addr, bool twice, uint64_t freed_at, uint64_t site);
void pl_freed_block(uint64_t addr, uint64_t size, uint64_t site);

#endif /* PL_RUNTIME_OBSERVE_FREED_H */
