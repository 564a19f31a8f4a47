/* SPDX-License-Identifier: MIT */
/*
 * What the files of the gate archive share: the one pointer every hook looks at.
 *
 * Hooks must be cheap and must leave no trace.  They are compiled with -O2 and
 * without any instrumentation whatever the project's own settings are; they
 * keep no state of their own, so that a rollback has nothing to put back.
 */
#ifndef PL_GATE_GATE_H
#define PL_GATE_GATE_H

#include "model/gate.h"

/*
 * Hidden, so that each module has its own copy.  libtsan.so.2, our stand-in for
 * the library that programs linked with plain -fsanitize=thread load, shows
 * them instead.
 */
#ifdef PL_GATE_LIBRARY
#define PL_GATE_HIDDEN __attribute__((visibility("default")))
#define PL_GATE_HIDE(symbol) ""
#else
#define PL_GATE_HIDDEN __attribute__((visibility("hidden")))
#define PL_GATE_HIDE(symbol) ".hidden " symbol "\n"
#endif

/* Where a hook was called from: the access itself, since hooks come just before it. */
#define PL_GATE_PC __builtin_return_address(0)

/* NULL while the program runs natively. */
extern PL_GATE_HIDDEN const struct pl_gate *pl_gate_now;

/*
 * A hook's test for the runtime.  Natively the test falls through to the
 * return: a branch taken for each access of the program is what can be saved.
 */
#define PL_GATE_OPEN(gate) __builtin_expect((gate) != NULL, 0)

/* One entry of each part, for gate.c to hold the parts together. */
PL_GATE_HIDDEN void __tsan_init(void);
PL_GATE_HIDDEN void __tsan_read1(void *addr);
PL_GATE_HIDDEN uint8_t __tsan_atomic8_load(const volatile uint8_t *addr, int order);

#endif /* PL_GATE_GATE_H */
