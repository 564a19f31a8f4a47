/* SPDX-License-Identifier: MIT */
/* What a command says that cannot do what it was asked for. */
#ifndef PL_CLI_REFUSE_H
#define PL_CLI_REFUSE_H

/* One sentence what is wrong, one what to do; the exit code. */
__attribute__((format(printf, 1, 2))) int pl_refuse(const char *format, ...);

#endif /* PL_CLI_REFUSE_H */
