/* SPDX-License-Identifier: MIT */
/*
 * Descriptors that tool and worker agree on by number.
 *
 * The tool opens them before it starts the program; numbers from PL_FD_LOW on are none
 * of the program's.
 */
#ifndef PL_RUNTIME_GROUND_CONFIG_H
#define PL_RUNTIME_GROUND_CONFIG_H

enum {
    PL_FD_BOARD = 1000,
    PL_FD_STDOUT = 1001, /* the memory file behind the program's standard output */
    PL_FD_STDERR = 1002,
    PL_FD_COMMON = 1003, /* the memory file of the common */
    PL_FD_BELL = 1004,   /* an eventfd: the tool is to look */
    PL_FD_CLIENT = 1005, /* the program that runs beside this one, if there is one */
    PL_FD_LOW = 1000,    /* descriptors from here on are plait's own */
};

#endif /* PL_RUNTIME_GROUND_CONFIG_H */
