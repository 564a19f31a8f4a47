/* SPDX-License-Identifier: MIT */
/* See demangle.h. */
#include "engine/symbols/demangle.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangle_function(const char *, char *, size_t *, int *);

static demangle_function *load(void)
{
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    demangle_function *f = NULL;
    void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;

    memcpy(&f, &symbol, sizeof(f));
    return f;
}

char *pl_demangle_name(const char *name)
{
    static demangle_function *demangle;
    static bool loaded;
    char *answer = NULL;

    if (strncmp(name, "_Z", 2) == 0) {
        if (!loaded)
            demangle = load();
        loaded = true;
        answer = demangle ? demangle(name, NULL, NULL, NULL) : NULL;
    }
    if (answer == NULL && (answer = strdup(name)) == NULL)
        abort();
    return answer;
}
