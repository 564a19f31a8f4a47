/* SPDX-License-Identifier: MIT */
/*
 * pthread_setname_np() and pthread_getname_np(): a thread of the program has its name here, not
 * in the kernel, which knows the carriers only.
 *
 * A new thread is called as its creator is; as long as nobody has named anybody, all are called
 * as the process is.  Naming a thread and asking for its name are operations where several threads
 * do so.  libc does both through a file of the kernel's, but for the caller itself: it has one more
 * descriptor for that moment, whose number others do not get.
 */
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/access/access.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/sync/thread.h"
#include "runtime/system/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>

enum { NO_FILE = -1 }; /* nobody can tell */

/* Where libc opens the file: its number, NO_FILE, or the error as the kernel returns it. */
static long open_file(const struct pl_thread *t, int flags, const uint64_t *entry)
{
    if (t == pl_thread_self() || pl_free || pl_inside() || !pl_stage->rooted)
        return NO_FILE;
    long fd = pl_calls_called(
        PL_SYSCALL(SYS_openat, (uint64_t)AT_FDCWD, (uint64_t) "/dev/null", (uint64_t)flags), entry);

    PL_ASSERT(fd != NO_FILE); /* which is no error of opening */
    return fd;
}

static void close_file(long fd, const uint64_t *entry)
{
    if (fd != NO_FILE)
        pl_calls_called(PL_SYSCALL(SYS_close, (uint64_t)fd), entry);
}

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
    long fd = open_file(t, O_RDWR, entry);

    if (fd < NO_FILE)
        return (int)-fd;
    pl_thread_passes_on(t, t->title);
    pl_access_state(t->title, entry[6], entry);
    pl_memory_copy(t->title, name, size);
    close_file(fd, entry);
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
    long fd = open_file(t, O_RDONLY, entry);

    if (fd < NO_FILE)
        return (int)-fd;
    pl_access_look(t->title, entry[6], entry);
    close_file(fd, entry);
    const char *from = t->title;

    if (from[0] == '\0') {
        pl_sys(SYS_prctl, PR_GET_NAME, process);
        from = process;
    }
    pl_access_after(name, pl_text_length(from) + 1, entry);
    pl_text_copy(name, size, from);
    return 0;
}
