/* SPDX-License-Identifier: MIT */
/*
 * Mappings: who takes memory away from under the others, or changes it as a whole, and memory that
 * has several addresses.
 *
 * munmap() and its kin end what was in their range, or change what may be done with it, or fail
 * where nothing is mapped: an operation on all of its bytes, which accesses of other threads come
 * before or after.  Shared mappings are noted also before the first thread.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "base/sys.h"
#include "base/text.h"
#include "runtime/access/access.h"
#include "runtime/core/fair.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/look.h"
#include "runtime/ground/place.h"
#include "runtime/ground/real.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/observe/feed.h"
#include "runtime/sync/thread.h"
#include "runtime/system/calls.h"
#include "runtime/system/functions.h"
#include "runtime/system/room.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statfs.h>

enum { PAGE = 4096, COPIED_MOST = 256 << 20, MADV_DONTNEED_LOCKED_ = 24 };

/* What else than a file can be mapped twice. */
#define ANONYMOUS UINT64_MAX
#define SYSTEM_V (UINT64_MAX - 1)

static uint64_t pages(uint64_t size)
{
    return (size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

/* The range, and where others see the same memory from then on, is about to change. */
static void changes(const void *addr, uint64_t size, bool gone, struct pl_call who)
{
    if (pl_works())
        pl_fair_guarded((uint64_t)addr);
    if (size == 0 || !pl_call_wanted(who))
        return;
    pl_access_mapping(addr, size, gone, who.pc, who.entry);
    if (who.entry != NULL && !pl_free)
        pl_entry_now = who.entry;
}

/* Whoever used these addresses before gave them back before the kernel gave them away again. */
static void begin_fresh(uint64_t start, uint64_t size)
{
    if (!pl_free)
        pl_feed_fresh(start, size);
}

/*
 * What a thread has accessed in a mapping of its own, and another one accesses in one that was not
 * there at the same time, is not known to be the same memory.
 */
static void say_lost(uint64_t pc)
{
    pl_unmodelled("that maps what another thread unmaps", PL_UNMODELLED_FUNCTION, pc);
}

static void note_shared(struct pl_mapping m, uint64_t pc)
{
    pl_alias_map(m);
    if (pl_alias(m.start) != m.start)
        return;
    begin_fresh(m.start, m.size);
    if (!pl_free && pl_on() && pl_stage->n_unjoined > 1 && pl_alias_had(&m))
        say_lost(pc);
}

static void note_unmapped(const void *at, uint64_t size, uint64_t pc)
{
    if (!pl_works() || size == 0)
        return;
    if (!pl_free && pl_on() && pl_stage->n_unjoined > 1 && pl_alias_ends((uint64_t)at, size))
        say_lost(pc);
    pl_alias_unmap((uint64_t)at, size);
}

static void note_mapped(const void *at, uint64_t size, int flags, int fd, uint64_t offset,
                        uint64_t pc)
{
    struct pl_mapping m = {.start = (uint64_t)at, .size = pages(size), .offset = offset};
    struct stat s = {0}; /* so that the kernel may write there */
    int error = errno;

    if (at == MAP_FAILED || size == 0 || !pl_works())
        return;
    if ((flags & MAP_TYPE) == MAP_PRIVATE) {
        pl_alias_unmap(m.start, m.size);
        begin_fresh(m.start, m.size);
        return;
    }
    if (flags & MAP_ANONYMOUS) {
        m.device = ANONYMOUS;
        m.file = ++pl_stage->aliases.anonymous;
        m.offset = 0;
    } else if (pl_sys(SYS_fstat, fd, &s) == 0) {
        m.device = s.st_dev;
        m.file = s.st_ino;
    }
    note_shared(m, pc);
    errno = error;
}

/*
 * Closing any descriptor of a file would give its record locks back.  Whoever has one has, as a
 * rule, opened the file for writing, so that the overlay has its copy.
 */
static bool has_records(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    return pl_sys(SYS_fcntl, fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/*
 * Below an overlay a mapping of a file of the disk does not show what is written later, unless it
 * is of the overlay's own copy, which is made when somebody opens the file for writing.  A
 * descriptor to map instead, or -1.
 */
static int own_copy(int access, int flags, int fd)
{
    struct statfs system = {0}; /* so that the kernel may write there */
    struct stat s = {0};
    char path[40];

    if (!pl_works() || !pl_board->own_files || (flags & MAP_ANONYMOUS) ||
        (flags & MAP_TYPE) == MAP_PRIVATE || (access & PROT_WRITE) ||
        (pl_sys(SYS_fcntl, fd, F_GETFL) & O_ACCMODE) != O_RDONLY ||
        pl_sys(SYS_fstatfs, fd, &system) != 0 || system.f_type != OVERLAYFS_SUPER_MAGIC ||
        pl_sys(SYS_fstat, fd, &s) != 0 || !S_ISREG(s.st_mode) || s.st_size > COPIED_MOST ||
        has_records(fd))
        return -1;
    pl_text_format(path, sizeof(path), "/proc/self/fd/%d", fd);
    long writer = pl_sys(SYS_open, path, O_WRONLY | O_CLOEXEC, 0);

    if (writer < 0) /* so nobody of this program can write there */
        return -1;
    pl_sys(SYS_close, writer);
    return (int)pl_sys(SYS_open, path, O_RDONLY | O_CLOEXEC, 0);
}

/*
 * Where the kernel would put a mapping depends on what other threads have mapped by then.  So each
 * thread has a range of its own, in which no address is given out twice; NULL: the kernel decides.
 */
static void *place(uint64_t size)
{
    enum { LARGE = 2 << 20 };
    const uint64_t n_slots = (PL_SHADOW_ADDRESS - PL_MAPPED_ADDRESS) / PL_MAPPED_SLOT;

    if (!pl_on() || pl_free || pl_inside() || pl_stage->n_threads <= 1)
        return NULL;
    struct pl_thread *t = pl_thread_self();
    uint64_t step = size >= LARGE ? LARGE : PAGE;
    uint64_t at = (t->mapped + step - 1) & ~(step - 1);

    if (size >= PL_MAPPED_SLOT || at + size >= PL_MAPPED_SLOT)
        return NULL;
    t->mapped = at + size + PAGE; /* nobody runs over its end into the next */
    return (void *)(PL_MAPPED_ADDRESS + t->name % n_slots * PL_MAPPED_SLOT + at);
}

PL_INTERPOSE(void *, mmap, (void *addr, size_t n, int access, int flags, int fd, off_t offset))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (flags & MAP_FIXED)
        changes(addr, pages(n), true, who);
    else if ((flags & MAP_FIXED_NOREPLACE) == MAP_FIXED_NOREPLACE)
        changes(addr, pages(n), false, who); /* whether anything is there */
    else if (addr == NULL && (flags & (MAP_32BIT | MAP_HUGETLB)) == 0)
        addr = place(pages(n));
    if ((flags & MAP_ANONYMOUS) == 0 && pl_call_wanted(who)) /* it looks the number up, and seals */
        pl_calls_stand_in(PL_SYSCALL(SYS_fstat, (uint64_t)fd), who.pc);
    bool data = (access & PROT_WRITE) != 0 && (flags & MAP_TYPE) == MAP_PRIVATE;

    if ((flags & MAP_FIXED) == 0 && !pl_room_for(pages(n), data)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    int own = own_copy(access, flags, fd);
    void *at = PL_FALLBACK(mmap)(addr, n, access, flags, own >= 0 ? own : fd, offset);

    if (own >= 0)
        pl_sys(SYS_close, own);
    note_mapped(at, n, flags, fd, (uint64_t)offset, who.pc);
    return at;
}

PL_INTERPOSE(void *, mmap64, (void *addr, size_t n, int access, int flags, int fd, off64_t offset))
{
    return pl_in_mmap(addr, n, access, flags, fd, offset);
}

/* Whether a file is mapped says whether it can be sealed. */
static void look_at_file(const void *addr, struct pl_call who)
{
    struct pl_mapping m =
        pl_call_wanted(who) ? pl_alias_mapping((uint64_t)addr) : (struct pl_mapping){0};

    if (m.size > 0 && m.device != ANONYMOUS && m.device != SYSTEM_V)
        pl_calls_look_at(pl_files_content_known(m.device, m.file), who.pc);
}

PL_INTERPOSE(int, munmap, (void *addr, size_t n))
{
    struct pl_call who = PL_CALL_ENTERED;

    changes(addr, pages(n), true, who);
    look_at_file(addr, who);
    int rc = PL_FALLBACK(munmap)(addr, n);

    if (rc == 0)
        note_unmapped(addr, pages(n), who.pc);
    return rc;
}

/* Of an old size of 0 it makes another mapping of the same memory. */
PL_INTERPOSE(void *, mremap, (void *old, size_t had, size_t n, int flags, void *wanted))
{
    struct pl_call who = PL_CALL_ENTERED;

    changes(old, pages(had), true, who);
    if (flags & MREMAP_FIXED)
        changes(wanted, pages(n), true, who);
    struct pl_mapping m = pl_works() ? pl_alias_mapping((uint64_t)old) : (struct pl_mapping){0};
    bool more = pages(n) > pages(had);

    if (more && !pl_room_for(pages(n) - pages(had), m.size == 0)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    void *at = PL_FALLBACK(mremap)(old, had, n, flags, wanted);

    if (at == MAP_FAILED || !pl_works())
        return at;
    if (had > 0 && (flags & MREMAP_DONTUNMAP) == 0)
        pl_alias_unmap((uint64_t)old, pages(had));
    pl_alias_unmap((uint64_t)at, pages(n));
    if (at != old)
        begin_fresh((uint64_t)at, pages(n));
    else if (n > had)
        begin_fresh((uint64_t)at + pages(had), pages(n) - pages(had));
    if (m.size > 0) {
        m.offset += (uint64_t)old - m.start;
        m.start = (uint64_t)at;
        m.size = pages(n);
        pl_alias_map(m);
    }
    return at;
}

/*
 * A library may go: its memory is given back.  Whether it does is known behind that; until then it
 * counts as changed.  That other threads are in its code, or about to be, is not seen.
 */
PL_INTERPOSE(int, dlclose, (void *library))
{
    struct pl_call who = PL_CALL_ENTERED;
    bool beside = pl_call_wanted(who) && pl_on() && !pl_as_free() && pl_stage->n_unjoined > 1 &&
                  library != NULL && pl_look_is_there(library);
    uint64_t inside = beside ? (uint64_t)((const struct link_map *)library)->l_ld : 0;
    uint64_t start, end;

    if (pl_call_wanted(who))
        pl_access_state(&pl_stage->process.library[PL_STATE_MODULES], who.pc, who.entry);
    if (beside && pl_place_data(inside, &start, &end))
        changes((void *)start, end - start, false, who);
    int rc = PL_FALLBACK(dlclose)(library);

    if (beside && rc == 0 && !pl_look_is_there((const void *)inside))
        pl_unmodelled("dlclose", PL_UNMODELLED_FUNCTION, who.pc);
    return rc;
}

PL_INTERPOSE(int, mprotect, (void *addr, size_t n, int access))
{
    struct pl_call who = PL_CALL_ENTERED;

    changes(addr, pages(n), false, who);
    return PL_FALLBACK(mprotect)(addr, n, access);
}

PL_INTERPOSE(int, madvise, (void *addr, size_t n, int advice))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (advice == MADV_DONTNEED || advice == MADV_REMOVE || advice == MADV_FREE ||
        advice == MADV_DONTNEED_LOCKED_)
        changes(addr, pages(n), true, who);
    else
        changes(addr, pages(n), false, who);
    if (advice == MADV_WIPEONFORK || advice == MADV_DONTFORK)
        pl_stage->restart.advised = true;
    return PL_FALLBACK(madvise)(addr, n, advice);
}

/* What else fails where nothing is mapped: before or after somebody takes it away. */
#define PL_ABOUT_RANGE(name, params, ...)      \
    PL_INTERPOSE(int, name, params)            \
    {                                          \
        struct pl_call who = PL_CALL_ENTERED;  \
        changes(addr, pages(n), false, who);   \
        return PL_FALLBACK(name)(__VA_ARGS__); \
    }

PL_ABOUT_RANGE(mlock, (const void *addr, size_t n), addr, n)
PL_ABOUT_RANGE(mlock2, (const void *addr, size_t n, unsigned flags), addr, n, flags)
PL_ABOUT_RANGE(munlock, (const void *addr, size_t n), addr, n)

PL_INTERPOSE(int, mincore, (void *addr, size_t n, unsigned char *out))
{
    struct pl_call who = PL_CALL_ENTERED;

    changes(addr, pages(n), false, who);
    if (pl_call_wanted(who))
        pl_access_argument(out, pages(n) / PAGE, true, who.entry);
    return PL_FALLBACK(mincore)(addr, n, out);
}

/* Whether no limit keeps the process from locking memory. */
static bool may_lock_any(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    struct rlimit limit = {0, 0};

    return (pl_sys(SYS_capget, &header, data) == 0 &&
            (data[0].effective & 1u << CAP_IPC_LOCK) != 0) ||
           (pl_sys(SYS_prlimit64, 0, RLIMIT_MEMLOCK, NULL, &limit) == 0 &&
            limit.rlim_cur == RLIM_INFINITY);
}

/*
 * All memory would be the runtime's, too: gigabytes, most of which is never used.  Nobody sees
 * whether pages are locked, only that they may be.  Beyond a limit the kernel says what is wrong.
 */
PL_INTERPOSE(int, mlockall, (int flags))
{
    bool valid = (flags & (MCL_CURRENT | MCL_FUTURE)) != 0 &&
                 (flags & ~(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)) == 0;

    if (pl_works() && valid && may_lock_any())
        return 0;
    return PL_FALLBACK(mlockall)(flags);
}

PL_INTERPOSE(int, msync, (void *addr, size_t n, int flags))
{
    struct pl_call who = PL_CALL_ENTERED;

    pl_cancel_call(who.pc);
    changes(addr, pages(n), false, who);
    return PL_FALLBACK(msync)(addr, n, flags);
}

PL_INTERPOSE(void *, shmat, (int id, const void *addr, int flags))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct shmid_ds s = {0}; /* so that the kernel may write there */

    bool known = pl_works() && pl_sys(SYS_shmctl, id, IPC_STAT, &s) == 0;

    if (known && addr == NULL && (flags & SHM_REMAP) == 0)
        addr = place(pages(s.shm_segsz));
    void *at = PL_FALLBACK(shmat)(id, addr, flags);

    if (at == (void *)-1 || !known)
        return at;
    note_shared((struct pl_mapping){.start = (uint64_t)at,
                                    .size = pages(s.shm_segsz),
                                    .device = SYSTEM_V,
                                    .file = (uint64_t)id},
                who.pc);
    return at;
}

PL_INTERPOSE(int, shmdt, (const void *addr))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct pl_mapping m = pl_works() ? pl_alias_mapping((uint64_t)addr) : (struct pl_mapping){0};

    changes(addr, m.size, true, who);
    int rc = PL_FALLBACK(shmdt)(addr);

    if (rc == 0)
        note_unmapped((const void *)m.start, m.size, who.pc);
    return rc;
}
