/* SPDX-License-Identifier: MIT */
/* See value.h. */
#include "trace/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *pl_value_text(const char *s)
{
    json_t *value = json_string(s);
    char *copy = value == NULL ? strdup(s) : NULL;

    if (copy == NULL)
        return value;
    for (char *p = copy; *p != '\0'; p++)
        *p = (unsigned char)*p < 128 ? *p : '?';
    value = json_string(copy);
    free(copy);
    return value;
}

json_t *pl_value_number(uint64_t n)
{
    return json_integer((json_int_t)n);
}

int pl_value_write(const char *path, json_t *value)
{
    FILE *to = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
    int bad = -1;

    if (to != NULL) {
        bad = json_dumpf(value, to, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        fputc('\n', to);
        bad |= fflush(to);
        if (to != stdout)
            bad |= fclose(to);
    }
    json_decref(value);
    return bad ? -1 : 0;
}
