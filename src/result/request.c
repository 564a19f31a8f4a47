/* SPDX-License-Identifier: MIT */
/* See request.h. */
#include "result/request.h"

#include <stdio.h>

void pl_request_strategy(const struct pl_settings *settings, char *to, size_t size)
{
    snprintf(to, size, "%s%s%s", settings->strategy, settings->parameters[0] ? ":" : "",
             settings->parameters);
}
