/* SPDX-License-Identifier: MIT */
/* See value.h. */
#include "trace/value.h"

#include "base/file.h"

#include <errno.h>
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

json_t *pl_value_load(const char *path, json_error_t *error)
{
    FILE *from = pl_file_open(path, PL_FILE_MOST);

    if (from == NULL) {
        if (error != NULL)
            snprintf(error->text, sizeof(error->text), "%s", strerror(errno));
        return NULL;
    }
    json_t *value = json_loadf(from, 0, error);

    fclose(from);
    return value;
}

int pl_value_write(const char *path, json_t *value)
{
    FILE *to = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
    int bad = -1;

    if (to != NULL) {
        /* A terminal may be behind standard output. */
        bad = json_dumpf(value, to,
                         JSON_INDENT(2) | JSON_REAL_PRECISION(9) |
                             (to == stdout ? JSON_ENSURE_ASCII : 0));
        fputc('\n', to);
        bad |= fflush(to);
        if (to != stdout)
            bad |= fclose(to);
    }
    json_decref(value);
    return bad ? -1 : 0;
}

json_t *pl_value_findings(const struct pl_suite_result *result)
{
    json_t *list = json_array();

    for (size_t i = 0; i < result->n_findings; i++) {
        const struct pl_suite_finding *f = &result->findings[i];
        json_t *o = json_object();

        json_object_set_new(o, "kind", pl_value_text(f->kind));
        json_object_set_new(o, "message", pl_value_text(f->message));
        json_object_set_new(o, "location", pl_value_text(f->location));
        json_object_set_new(o, "schedule", pl_value_text(f->schedule));
        json_object_set_new(o, "signature", pl_value_text(f->signature));
        json_object_set_new(o, "identity", pl_value_text(f->identity ? f->identity : ""));
        json_array_append_new(list, o);
    }
    return list;
}
