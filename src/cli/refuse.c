/* SPDX-License-Identifier: MIT */
/* See refuse.h. */
#include "cli/refuse.h"

#include "base/exit.h"

#include <stdarg.h>
#include <stdio.h>

int pl_refuse(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("plait: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return PL_EXIT_USAGE;
}
