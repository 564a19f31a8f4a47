/* SPDX-License-Identifier: MIT */
/*
 * pthread_setname_np() and pthread_getname_np(): a thread of the program has its name here, not
 * in the kernel, which knows the carriers only.
 *
 * A new thread is called as its creator is; as long as nobody has named anybody, all are called
 * as the process is.  Naming a thread and asking for its name are operations where several threads
 * do so.
 */
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/access/access.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/stage.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <sys/prctl.h>

PL_INTERPOSE(int, pthread_setname_np, (pthread_t handle, const char *name))
{
    uint64_t size = pl_text_length(name) + 1;
    const uint64_t *entry = pl_entry();

    pl_access_argument(name, size, false, entry);
    if (!pl_on())
        return PL_FALLBACK(pthread_setname_np)(handle, name);
    struct pl_thread *t = pl_thread_of(handle);

    if (t == NULL || size > sizeof(t->title))
        return t == NULL ? ESRCH : ERANGE;
    pl_access_state(t->title, entry[6], entry);
    pl_memory_copy(t->title, name, size);
    if (pl_free) /* it is its own carrier, and /proc tells about that */
        PL_FALLBACK(pthread_setname_np)(handle, name);
    return 0;
}

PL_INTERPOSE(int, pthread_getname_np, (pthread_t handle, char *name, size_t size))
{
    const uint64_t *entry = pl_entry();
    char process[16] = "";

    if (!pl_on())
        return PL_FALLBACK(pthread_getname_np)(handle, name, size);
    struct pl_thread *t = pl_thread_of(handle);

    if (t == NULL || size < sizeof(t->title))
        return t == NULL ? ESRCH : ERANGE;
    pl_access_look(t->title, entry[6], entry);
    const char *from = t->title;

    if (from[0] == '\0') {
        pl_sys(SYS_prctl, PR_GET_NAME, process);
        from = process;
    }
    pl_access_after(name, pl_text_length(from) + 1, entry);
    pl_text_copy(name, size, from);
    return 0;
}
