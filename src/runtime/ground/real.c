/* SPDX-License-Identifier: MIT */
/* Looking up the real functions; dlsym() may allocate, which the heap allows at any time. */
#include "runtime/ground/real.h"

#include "base/text.h"

#include <dlfcn.h>

struct pl_real pl_real;
bool pl_ready;
bool pl_active;
bool pl_native;

/* Condition variables have an older version that dlsym() might return. */
void *pl_real_find(const char *name)
{
    void *f = NULL;

    if (pl_text_starts(name, "pthread_cond_"))
        f = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    return f != NULL ? f : dlsym(RTLD_NEXT, name);
}

void pl_real_init(void)
{
#define PL_REAL(ret, name, params) pl_real.name = (ret(*) params)dlsym(RTLD_NEXT, #name);
    PL_REAL_FUNCTIONS
#undef PL_REAL
    *(void **)&pl_real.start_main = dlsym(RTLD_NEXT, "__libc_start_main");
}
