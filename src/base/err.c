/* SPDX-License-Identifier: MIT */
/* Filling and prefixing of error texts; see err.h for the convention. */
#include "base/err.h"

#include "base/assert.h"
#include "base/exit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pl_err_set(struct pl_err *err, enum pl_err_class class, const char *format, ...)
{
    va_list args;

    PL_ASSERT(err != NULL && class > PL_ERR_NONE && class < PL_ERR_CLASSES);
    err->class = class;
    va_start(args, format);
    vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    return -1;
}

int pl_err_prefix(struct pl_err *err, const char *format, ...)
{
    char old[sizeof(err->text)];
    va_list args;

    PL_ASSERT(err->class != PL_ERR_NONE);
    memcpy(old, err->text, sizeof(old));
    va_start(args, format);
    vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    size_t n = strlen(err->text);

    /* What does not fit is cut at the end. */
    if (n + 3 < sizeof(err->text)) {
        memcpy(err->text + n, ": ", 2);
        memcpy(err->text + n + 2, old, sizeof(err->text) - n - 2);
        err->text[sizeof(err->text) - 1] = '\0';
    }
    return -1;
}

int pl_err_exit(const struct pl_err *err)
{
    static const int codes[PL_ERR_CLASSES] = {
        [PL_ERR_NONE] = PL_EXIT_CLEAN,        [PL_ERR_USER] = PL_EXIT_USAGE,
        [PL_ERR_TARGET] = PL_EXIT_TARGET,     [PL_ERR_SYSTEM] = PL_EXIT_TARGET,
        [PL_ERR_INTERNAL] = PL_EXIT_INTERNAL,
    };

    PL_ASSERT(err->class < PL_ERR_CLASSES);
    return codes[err->class];
}

void *pl_err_must(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}
