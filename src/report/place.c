/* SPDX-License-Identifier: MIT */
/* See place.h. */
#include "report/place.h"

#include "trace/value.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pl_place_read(struct pl_place_words *place, const char *location)
{
    const char *open = strstr(location, " ("), *in = strstr(location, " in ");
    size_t n = open != NULL ? (size_t)(open - location) : strlen(location), colon = n;

    *place = (struct pl_place_words){0};
    while (colon > 0 && isdigit((unsigned char)location[colon - 1]))
        colon--;
    if (colon > 1 && colon < n && location[colon - 1] == ':') {
        snprintf(place->file, sizeof(place->file), "%.*s", (int)(colon - 1), location);
        place->line = strtoull(location + colon, NULL, 10);
        if (open != NULL)
            snprintf(place->function, sizeof(place->function), "%.*s", (int)strcspn(open + 2, ")"),
                     open + 2);
        /* A function may have parameters. */
        if (open != NULL && location[strlen(location) - 1] == ')')
            snprintf(place->function, sizeof(place->function), "%.*s", (int)strlen(open + 2) - 1,
                     open + 2);
    } else {
        snprintf(place->function, sizeof(place->function), "%.*s",
                 in != NULL ? (int)(in - location) : (int)strlen(location), location);
    }
}

json_t *pl_place_json(const char *location)
{
    struct pl_place_words place;

    if (location[0] == '\0')
        return json_null();
    pl_place_read(&place, location);
    json_t *o = json_object();

    if (place.file[0] != '\0') {
        json_object_set_new(o, "file", pl_value_text(place.file));
        json_object_set_new(o, "line", pl_value_number(place.line));
    }
    if (place.function[0] != '\0')
        json_object_set_new(o, "function", pl_value_text(place.function));
    return o;
}
