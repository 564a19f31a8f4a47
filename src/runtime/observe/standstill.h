/* SPDX-License-Identifier: MIT */
/*
 * Several processes of which none can go on (model/company.h).
 *
 * A process in which every thread waits for what only processes under control can do says so on the
 * board: where its threads stand, and how much had been performed by then.  When all of them have
 * said so since the last operation of any, that is a deadlock.  Inside the monitor, or with the
 * turn.
 */
#ifndef PL_RUNTIME_OBSERVE_STANDSTILL_H
#define PL_RUNTIME_OBSERVE_STANDSTILL_H

#include "model/finding.h"
#include "runtime/ground/stage.h"

/* Nobody of this process can go on, as far as the process itself can tell: say so.  Does not return
 * when that holds for all of them. */
void pl_standstill_look(void);

/* Add what the other processes have said last to the finding. */
void pl_standstill_add(struct pl_finding *f);

#endif /* PL_RUNTIME_OBSERVE_STANDSTILL_H */
