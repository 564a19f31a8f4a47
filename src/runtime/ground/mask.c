/* SPDX-License-Identifier: MIT */
/* See mask.h. */
#include "runtime/ground/mask.h"

#include "base/sys.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/vault.h"

enum { SET_SIZE = 8, SIGNAL_FRAME = 16 << 10 };

/* A signal may arrive now: the kernel will write a frame below the stack pointer. */
void pl_mask_expect(void)
{
    if (!pl_rollback_on())
        return;
    pl_vault->undo.signalled = true;
    pl_ports.restart->touch((char *)__builtin_frame_address(0) - SIGNAL_FRAME, SIGNAL_FRAME);
}

/*
 * The deadly ones stay open: their handler is how a crash is reported and memory watched.  So does
 * the one by which threads are asked where they are.
 */
uint64_t pl_mask_open(void)
{
    static const int open[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
    uint64_t bits = UINT64_C(1) << (SIGRTMAX - 1);

    for (unsigned i = 0; i < sizeof(open) / sizeof(open[0]); i++)
        bits |= UINT64_C(1) << (open[i] - 1);
    return bits;
}

void pl_mask_set(uint64_t mask)
{
    if (!pl_free)
        pl_stage->signals.kernel_mask = mask;
    mask &= ~pl_mask_open();
    if (pl_rollback_on())
        pl_vault->undo.mask = true;
    pl_mask_expect();
    pl_sys(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, SET_SIZE);
}

static const struct {
    int number;
    const char *name;
} names[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGILL, "SIGILL"},   {SIGFPE, "SIGFPE"},
    {SIGABRT, "SIGABRT"}, {SIGTRAP, "SIGTRAP"}, {SIGSYS, "SIGSYS"},   {SIGTERM, "SIGTERM"},
    {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGKILL, "SIGKILL"}, {SIGPIPE, "SIGPIPE"},
    {SIGHUP, "SIGHUP"},   {SIGALRM, "SIGALRM"}, {SIGUSR1, "SIGUSR1"}, {SIGUSR2, "SIGUSR2"},
    {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}, {SIGPROF, "SIGPROF"}, {SIGVTALRM, "SIGVTALRM"},
};

const char *pl_mask_name(int number)
{
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i].number == number)
            return names[i].name;
    }
    return "a signal";
}
