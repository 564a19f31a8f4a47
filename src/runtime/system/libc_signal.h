/* SPDX-License-Identifier: MIT */
/* See libc_signal.c. */
#ifndef PL_RUNTIME_SYSTEM_LIBC_SIGNAL_H
#define PL_RUNTIME_SYSTEM_LIBC_SIGNAL_H

#include "runtime/ground/stage.h"

#define PL_SIGNALS_SENT                                                       \
    ((uint64_t)&pl_stage->process.signals_sent) /* to the process; see feed.c \
                                                 */
int pl_signal_raise(int signo);
void pl_signal_deliver(struct pl_thread *t);

#endif /* PL_RUNTIME_SYSTEM_LIBC_SIGNAL_H */
