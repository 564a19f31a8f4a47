/* SPDX-License-Identifier: MIT */
/* See assert.h.  Freestanding: it may run inside the program under test. */
#include "base/assert.h"

#include "base/exit.h"
#include "base/sys.h"
#include "base/text.h"

enum { STDERR = 2 };

static pl_assert_handler *handler_of_process;

void pl_assert_handle(pl_assert_handler *handler)
{
    handler_of_process = handler;
}

void pl_assert_failed(const char *file, int line, const char *function, const char *text)
{
    struct pl_assert_place place = {file, line, function, text};
    pl_assert_handler *handler = handler_of_process;
    char message[512];
    size_t n;

    handler_of_process = 0; /* one that fails itself must not come round */
    if (handler != 0)
        handler(&place);
    n = pl_text_format(message, sizeof(message), "plait: internal error at %s:%d (%s): %s\n", file,
                       line, function, text);
    pl_sys(SYS_write, STDERR, message, n);
    pl_sys(SYS_exit_group, PL_EXIT_INTERNAL);
    __builtin_trap();
}
