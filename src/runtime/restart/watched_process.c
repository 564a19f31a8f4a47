/* SPDX-License-Identifier: MIT */
/*
 * What the gate decides about memory, limits and signals.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "runtime/ground/mask.h"
#include "runtime/ground/vault.h"
#include "runtime/restart/journal.h"
#include "runtime/restart/rollback.h"
#include "runtime/restart/runner.h"
#include "runtime/restart/shared.h"
#include "runtime/restart/watched.h"

#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

/* Inside a mapping that this execution has made. */
static struct pl_range *mapping_of(uint64_t start, uint64_t size)
{
    struct pl_undo *u = &pl_vault->undo;

    PL_ASSERT(u->n_maps <= PL_VAULT_MAPS);
    for (unsigned i = 0; i < u->n_maps; i++) {
        if (start >= u->maps[i].start && start + size <= u->maps[i].start + u->maps[i].size)
            return &u->maps[i];
    }
    return NULL;
}

static uint64_t whole_pages(uint64_t size)
{
    return (size + PL_PAGE - 1) & ~(uint64_t)(PL_PAGE - 1);
}

static enum pl_verdict note_mapping(struct pl_watched *c, uint64_t size)
{
    struct pl_undo *u = &pl_vault->undo;

    if ((uint64_t)c->result >= (uint64_t)-4095)
        return PL_DONE;
    PL_ASSERT(u->n_maps < PL_VAULT_MAPS && (uint64_t)c->result % PL_PAGE == 0);
    u->maps[u->n_maps++] = (struct pl_range){(uint64_t)c->result, whole_pages(size)};
    return PL_DONE;
}

static bool is_writable(uint64_t fd)
{
    long flags = pl_sys(SYS_fcntl, fd, F_GETFL);

    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

enum pl_verdict pl_check_mmap(struct pl_watched *c)
{
    uint64_t flags = c->a[3];
    bool file = (flags & MAP_ANONYMOUS) == 0;
    bool inside = (flags & MAP_FIXED) != 0 && mapping_of(c->a[0], whole_pages(c->a[1])) != NULL;

    if (file && (flags & MAP_SHARED) != 0 && is_writable(c->a[4]) &&
        !(pl_journal_on() && pl_watched_content(c->a[4])))
        pl_rollback_spoil(PL_RESTART_EXEC, "it writes to files through memory (mmap)");
    if (!pl_rollback_on())
        return PL_MAKE;
    if ((flags & MAP_FIXED) != 0 && !inside)
        pl_rollback_spoil(PL_RESTART_FORK, "it maps memory over what was there (MAP_FIXED)");
    else if (pl_vault->undo.n_maps == PL_VAULT_MAPS)
        pl_rollback_spoil(PL_RESTART_FORK, "it maps memory more than %d times", (int)PL_VAULT_MAPS);
    if (!pl_rollback_on())
        return PL_LET_GO;
    c->result = pl_sys(SYS_mmap, c->a[0], c->a[1], c->a[2], c->a[3], c->a[4], c->a[5]);
    return inside ? PL_DONE : note_mapping(c, c->a[1]);
}

enum pl_verdict pl_check_munmap(struct pl_watched *c)
{
    struct pl_range *m = mapping_of(c->a[0], whole_pages(c->a[1]));

    if (m == NULL && c->a[0] % PL_PAGE == 0 && c->a[1] != 0 &&
        pl_rollback_unmap(c->a[0], whole_pages(c->a[1])))
        return PL_DONE;
    if (m == NULL) {
        pl_rollback_spoil(PL_RESTART_FORK,
                          "it gives back memory from before its first thread (munmap)");
        return PL_LET_GO;
    }
    if (m->start == c->a[0] && m->size == whole_pages(c->a[1]))
        *m = pl_vault->undo.maps[--pl_vault->undo.n_maps];
    return PL_MAKE;
}

/*
 * In a runner for one execution: what is watched there would no longer be what it was.  Unlike all
 * other memory it is not the runner's own.
 */
static enum pl_verdict change_shared(const struct pl_watched *c)
{
    if (pl_shared_meets(c->a[0], c->a[1]))
        pl_rollback_spoil(PL_RESTART_EXEC,
                          "it changes the mapping of shared memory from before its first thread");
    return PL_MAKE;
}

enum pl_verdict pl_check_mremap(struct pl_watched *c)
{
    if (!pl_rollback_on())
        return change_shared(c);
    struct pl_range *m = mapping_of(c->a[0], whole_pages(c->a[1]));

    if (m == NULL || pl_vault->undo.n_maps == PL_VAULT_MAPS) {
        pl_rollback_spoil(PL_RESTART_FORK, "it moves memory from before its first thread (mremap)");
        return PL_LET_GO;
    }
    c->result = pl_sys(SYS_mremap, c->a[0], c->a[1], c->a[2], c->a[3], c->a[4]);
    return note_mapping(c, c->a[2]);
}

enum pl_verdict pl_check_mprotect(struct pl_watched *c)
{
    if (!pl_rollback_on())
        return change_shared(c);
    if (mapping_of(c->a[0], whole_pages(c->a[1])) != NULL)
        return PL_MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it changes the protection of memory (mprotect)");
    return PL_LET_GO;
}

/* Where the program has given something back nothing is mapped. */
static bool is_gone(struct pl_watched *c)
{
    bool gone = pl_rollback_is_unmapped(c->a[0], whole_pages(c->a[1]));

    if (gone)
        c->result = -ENOMEM;
    return gone;
}

enum pl_verdict pl_check_msync(struct pl_watched *c)
{
    return is_gone(c) ? PL_DONE : PL_MAKE;
}

enum pl_verdict pl_check_madvise(struct pl_watched *c)
{
    if (is_gone(c))
        return PL_DONE;
    switch (c->a[2]) {
    case MADV_NORMAL:
    case MADV_RANDOM:
    case MADV_SEQUENTIAL:
    case MADV_WILLNEED:
    case MADV_HUGEPAGE:
    case MADV_NOHUGEPAGE:
    case MADV_DONTDUMP:
        return PL_MAKE;
    default:
        break;
    }
    if (!pl_rollback_on())
        return c->a[2] == MADV_REMOVE ? change_shared(c) : PL_MAKE;
    if (mapping_of(c->a[0], whole_pages(c->a[1])) != NULL)
        return PL_MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it gives the contents of memory up (madvise)");
    return PL_LET_GO;
}

enum pl_verdict pl_check_brk(struct pl_watched *c)
{
    if (c->a[0] == 0)
        return PL_MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it moves the end of its data (brk)");
    return PL_LET_GO;
}

/* The base of GS is kept with each thread (core/fiber.c) and put back with the root. */
enum pl_verdict pl_check_arch_prctl(struct pl_watched *c)
{
    if (c->a[0] == ARCH_GET_GS || c->a[0] == ARCH_GET_FS)
        pl_rollback_touch((void *)c->a[1], sizeof(uint64_t));
    if (c->a[0] == ARCH_GET_GS || c->a[0] == ARCH_GET_FS || c->a[0] == ARCH_SET_GS)
        return PL_MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it changes how it runs (arch_prctl)");
    return PL_LET_GO;
}

enum pl_verdict pl_check_prlimit64(struct pl_watched *c)
{
    if (c->a[2] == 0 || (c->a[0] == 0 && pl_undo_limit((unsigned)c->a[1], (uint64_t *)c->a[2])))
        return PL_MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it changes its limits (prlimit64)");
    return PL_LET_GO;
}

enum pl_verdict pl_check_setrlimit(struct pl_watched *c)
{
    if (pl_undo_limit((unsigned)c->a[0], (uint64_t *)c->a[1]))
        return PL_MAKE;
    pl_rollback_spoil(PL_RESTART_FORK, "it changes its limits (setrlimit)");
    return PL_LET_GO;
}

/*
 * While a handler runs that blocks everything, a system call could not be shown, and the kernel
 * would kill the program for it.
 */
static bool leave_open(struct pl_kernel_action *action)
{
    uint64_t mask = action->mask;

    action->mask &= ~pl_mask_open();
    return action->mask != mask;
}

/* The program's handlers from before. */
void pl_watched_open_handlers(void)
{
    struct pl_kernel_action action;

    for (int signo = 1; signo <= 64; signo++) {
        if (pl_sys(SYS_rt_sigaction, signo, NULL, &action, 8) == 0 && leave_open(&action))
            pl_sys(SYS_rt_sigaction, signo, &action, NULL, 8);
    }
}

enum pl_verdict pl_check_rt_sigaction(struct pl_watched *c)
{
    struct pl_undo *u = &pl_vault->undo;
    uint64_t signo = c->a[0];

    if (c->a[1] == 0 || signo < 1 || signo > 64)
        return PL_MAKE;
    c->action = *(const struct pl_kernel_action *)c->a[1];
    leave_open(&c->action);
    c->a[1] = (uint64_t)&c->action;
    if (!pl_rollback_on()) {
        if (signo == SIGSYS || signo == SIGSEGV)
            pl_runner_release(); /* from now on the program's own handler would be asked */
        return PL_MAKE;
    }
    if (signo == SIGSEGV || signo == SIGSYS || signo == (uint64_t)SIGRTMAX) {
        pl_rollback_spoil(PL_RESTART_FORK, "it handles signal %lu itself", signo);
        return PL_LET_GO;
    }
    if ((u->actions >> (signo - 1) & 1) == 0) {
        pl_sys(SYS_rt_sigaction, signo, NULL, &u->old[signo], 8);
        u->actions |= UINT64_C(1) << (signo - 1);
    }
    return PL_MAKE;
}

/* The mask belongs to the context that the handler returns to. */
enum pl_verdict pl_check_rt_sigprocmask(struct pl_watched *c)
{
    uint64_t *mask = (uint64_t *)&c->context->uc_sigmask, before = *mask;
    const uint64_t *set = (const uint64_t *)c->a[1];

    c->result = c->a[3] == sizeof(*set) ? 0 : -EINVAL;
    if (set != NULL && c->result == 0) {
        uint64_t bits = *set & ~pl_mask_open();

        if (c->a[0] == SIG_BLOCK)
            *mask |= bits;
        else if (c->a[0] == SIG_UNBLOCK)
            *mask &= ~bits;
        else if (c->a[0] == SIG_SETMASK)
            *mask = bits;
        else
            c->result = -EINVAL;
        pl_vault->undo.mask = true;
    }
    if (c->a[2] != 0 && c->result == 0)
        *(uint64_t *)c->a[2] = before;
    return PL_DONE;
}

/* The end of one of the program's handlers: the same call, from here, where it is let through. */
enum pl_verdict pl_check_rt_sigreturn(struct pl_watched *c)
{
    c->context->uc_mcontext.gregs[REG_RIP] = (greg_t)pl_watch_sigreturn;
    c->result = SYS_rt_sigreturn;
    return PL_DONE;
}

enum pl_verdict pl_check_exit_group(struct pl_watched *c)
{
    pl_runner_end((int)(c->a[0] & 0xff) << 8);
    return PL_MAKE;
}
