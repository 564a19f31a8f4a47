/* SPDX-License-Identifier: MIT */
/* See glob.h. */
#include "engine/shared/glob.h"

#include "base/assert.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 1024 };

bool pl_glob_fits(const char *pattern, const char *text)
{
    /* Names such as a[0] are patterns of something else, but meant as they are.  What is longer
     * than any name is nobody's pattern, and would take for ever. */
    return text[0] != '\0' && ((strnlen(pattern, NAME) < NAME && fnmatch(pattern, text, 0) == 0) ||
                               strcmp(pattern, text) == 0);
}

/* With all folders, or with only the last ones. */
static bool fits_end(const char *pattern, const char *path)
{
    if (pl_glob_fits(pattern, path))
        return true;
    for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        if (pl_glob_fits(pattern, slash + 1))
            return true;
    }
    return false;
}

bool pl_glob_fits_file(const char *pattern, const char *file, unsigned line)
{
    char with_line[NAME];
    PL_ASSERT(pattern != NULL && file != NULL);

    if (fits_end(pattern, file))
        return true;
    if (line == 0 || file[0] == '\0')
        return false;
    snprintf(with_line, sizeof(with_line), "%s:%u", file, line);
    return fits_end(pattern, with_line);
}

/* Where the parameters of a C++ function begin, or its end. */
static size_t without_parameters(const char *function)
{
    const char *call = strstr(function, "operator()");
    const char *from = call != NULL ? call + strlen("operator()") : function;

    return (size_t)(from - function) + strcspn(from, "(");
}

bool pl_glob_fits_function(const char *pattern, const char *function)
{
    PL_ASSERT(pattern != NULL && function != NULL);
    char name[NAME];
    size_t n = without_parameters(function), dot = strcspn(function, ".");

    if (pl_glob_fits(pattern, function))
        return true;
    snprintf(name, sizeof(name), "%.*s", (int)n, function);
    if (pl_glob_fits(pattern, name))
        return true;
    snprintf(name, sizeof(name), "%.*s", (int)dot, function); /* work.part.0 */
    return dot < n && pl_glob_fits(pattern, name);
}
