/* SPDX-License-Identifier: MIT */
/* What standard output can show. */
#ifndef PL_CLI_TERMINAL_H
#define PL_CLI_TERMINAL_H

#include <stdbool.h>

/* Columns of the terminal behind standard output; 0 when there is none. */
unsigned pl_terminal_width(void);

/* Whether the user's locale has more than ASCII. */
bool pl_terminal_unicode(void);

/* Whether the terminal says of itself that it can do nothing but print one line after the other. */
bool pl_terminal_dumb(void);

#endif /* PL_CLI_TERMINAL_H */
