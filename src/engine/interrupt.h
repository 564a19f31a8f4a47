/* SPDX-License-Identifier: MIT */
/* Ctrl-C and SIGTERM, counted: the first asks to stop, the next to stop at once. */
#ifndef PL_ENGINE_INTERRUPT_H
#define PL_ENGINE_INTERRUPT_H

void pl_interrupt_install(void);
unsigned pl_interrupt_count(void);

#endif /* PL_ENGINE_INTERRUPT_H */
