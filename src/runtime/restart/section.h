/* SPDX-License-Identifier: MIT */
/* See section.c. */
#ifndef PL_RUNTIME_RESTART_SECTION_H
#define PL_RUNTIME_RESTART_SECTION_H

#include "runtime/ground/stage.h"

void pl_section_marked(void);
void pl_section_begin(void);
void pl_section_end(void);
const char *pl_section_test(void (*function)(void *), void *arg);
void pl_section_leave(void); /* the program ends, and not in an execution */

#endif /* PL_RUNTIME_RESTART_SECTION_H */
