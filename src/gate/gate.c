/* SPDX-License-Identifier: MIT */
/*
 * How a module built by `plait cc` finds the runtime, if there is one.
 *
 * This archive is linked into every such executable and shared library; each
 * has its own copy, because all its symbols are hidden.  The constructor looks
 * for the gate of a preloaded libplait.so.  Without one, pl_gate_now stays NULL
 * and the program runs natively: nothing here needs libplait.so to be there.
 *
 * Libc is reached through weak references, so that a program linked with
 * -nostdlib needs nothing new.
 */
#include "gate/gate.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <unistd.h>

#pragma weak dlsym
#pragma weak dlerror
#pragma weak write

const struct pl_gate *pl_gate_now;

static bool looked;

/*
 * The wrapper asks the linker for __tsan_init.  These references bring in the
 * other hooks with it: with -flto, calls to them appear only after the linker
 * has chosen the members of its archives.
 */
__attribute__((used)) static void (*const plait_gate_parts[])(void) = {
    (void (*)(void))__tsan_read1,
    (void (*)(void))__tsan_atomic8_load,
};

static void refuse(void)
{
    static const char text[] =
        "plait: a module was built by a plait cc of another version than the "
        "runtime and is not controlled. Build it again.\n";

    if (write && write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        return; /* there is nowhere left to say it */
}

/* Runs under the loader's lock, so twice is the worst that can happen, and not at once. */
void __tsan_init(void)
{
    if (looked || !dlsym)
        return;
    looked = true;

    const struct pl_gate *gate = dlsym(RTLD_DEFAULT, "plait_runtime_gate");

    if (!gate) {
        if (dlerror)
            dlerror(); /* the failed search is not the program's business */
        return;
    }
    if (gate->version != PL_GATE_VERSION || gate->size < sizeof(*gate)) {
        refuse();
        return;
    }
    pl_gate_now = gate;
    gate->attach((const void *)&__tsan_init);
}

/* 101 is the first priority that belongs to programs: before their own constructors. */
__attribute__((constructor(101))) static void find_runtime(void)
{
    __tsan_init();
}
