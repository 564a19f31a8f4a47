/* SPDX-License-Identifier: MIT */
/*
 * Where a program says itself what is to be explored: plait_begin(), plait_end(), plait_test().
 *
 * The gate calls the first four on behalf of the program, in any process of the worker; without
 * plait, or inside an execution, plait_test() is a plain call of its function.
 */
#ifndef PL_RUNTIME_RESTART_SECTION_H
#define PL_RUNTIME_RESTART_SECTION_H

#include "runtime/ground/stage.h"

void pl_section_marked(void); /* the program has such calls: the root is nowhere else */
void pl_section_begin(void);  /* plait_begin(): the root is here */
void pl_section_end(void);    /* plait_end(): the execution ends here */
/* plait_test(): explore the function; what was found, or NULL. */
const char *pl_section_test(void (*function)(void *), void *arg);
/* The program ends, and not in an execution: so does the campaign of a program with sections. */
void pl_section_leave(void);

#endif /* PL_RUNTIME_RESTART_SECTION_H */
