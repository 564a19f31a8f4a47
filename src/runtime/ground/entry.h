/* SPDX-License-Identifier: MIT */
/*
 * The way into the runtime.  The rules of everything below src/runtime:
 *
 * - An interposed function that is not under control calls the real one.
 * - Under control it announces its operation with pl_sched_point(), which
 *   returns when the thread has been chosen and the operation is enabled; then
 *   it performs it on the model, without further switches.
 * - The runtime calls libc only where the comment says why that is safe.
 */
#ifndef PL_RUNTIME_GROUND_ENTRY_H
#define PL_RUNTIME_GROUND_ENTRY_H

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/common.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"

#include <errno.h>
#include <stdatomic.h>
#include <time.h>

#define PL_EXPORT __attribute__((visibility("default")))
#define PL_CALLER ((uint64_t)(uintptr_t)__builtin_return_address(0))

/*
 * The stub of `name`: saves the callee-saved registers where spin detection finds them, then calls
 * pl_in_<name>.  The word below them counts what the call has announced.  On the free carrier each
 * thread has its own place for that, and leaves the monitor at the end.  All stubs lie together:
 * a return into one of them shows whose call it is (pl_entry_above).  What frames below have left
 * is cleared on request (pl_entry_clear).
 */
#define PL_STUB(name)                                                     \
    ".pushsection pl_stubs,\"ax\",@progbits\n"                            \
    ".type pl_stub_" #name ", @function\npl_stub_" #name ":\n"            \
    "\t.cfi_startproc\n"                                                  \
    "\tpush %rbp\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset rbp, 0\n" \
    "\tpush %rbx\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset rbx, 0\n" \
    "\tpush %r12\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset r12, 0\n" \
    "\tpush %r13\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset r13, 0\n" \
    "\tpush %r14\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset r14, 0\n" \
    "\tpush %r15\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset r15, 0\n" \
    "\tpush $0\n\t.cfi_adjust_cfa_offset 8\n"                             \
    "\tlea 8(%rsp), %rax\n"                                               \
    "\tcmpb $0, pl_free(%rip)\n\tjne 2f\n"                                \
    "\tmov %rax, pl_entry_now(%rip)\n"                                    \
    "1:\tcall pl_in_" #name "\n"                                          \
    "\tcmpb $0, pl_free(%rip)\n\tjne 3f\n"                                \
    "\tcmpb $0, pl_entry_clear(%rip)\n\tjne 5f\n"                         \
    "4:\t.cfi_remember_state\n"                                           \
    "\tadd $8, %rsp\n\t.cfi_adjust_cfa_offset -8\n"                       \
    "\tpop %r15\n\t.cfi_adjust_cfa_offset -8\n\t.cfi_restore r15\n"       \
    "\tpop %r14\n\t.cfi_adjust_cfa_offset -8\n\t.cfi_restore r14\n"       \
    "\tpop %r13\n\t.cfi_adjust_cfa_offset -8\n\t.cfi_restore r13\n"       \
    "\tpop %r12\n\t.cfi_adjust_cfa_offset -8\n\t.cfi_restore r12\n"       \
    "\tpop %rbx\n\t.cfi_adjust_cfa_offset -8\n\t.cfi_restore rbx\n"       \
    "\tpop %rbp\n\t.cfi_adjust_cfa_offset -8\n\t.cfi_restore rbp\n"       \
    "\tret\n"                                                             \
    "\t.cfi_restore_state\n"                                              \
    "2:\tmov pl_monitor_entry@gottpoff(%rip), %r11\n"                     \
    "\tmov %rax, %fs:(%r11)\n\tjmp 1b\n"                                  \
    "3:\tmov %rax, %rbx\n\tmov %rdx, %r12\n"                              \
    "\tlea 8(%rsp), %rdi\n\tcall pl_monitor_leave\n"                      \
    "\tmov %rbx, %rax\n\tmov %r12, %rdx\n\tjmp 4b\n"                      \
    "5:\tmovb $0, pl_entry_clear(%rip)\n"                                 \
    "\tmov %rax, %r8\n\txor %eax, %eax\n\tmov $128, %ecx\n"               \
    "\tlea -1024(%rsp), %rdi\n\trep stosq\n\tmov %r8, %rax\n\tjmp 4b\n"   \
    "\t.cfi_endproc\n.size pl_stub_" #name ", .-pl_stub_" #name "\n.popsection\n"

/*
 * Define the exported function `name`, with a stub: pl_in_<name> is what the macro declares and the
 * text after it defines.
 */
#define PL_INTERPOSE(ret, name, params)                                  \
    __asm__(PL_SLOT(name, pl_stub_##name) PL_STUB(name));                \
    __attribute__((visibility("hidden"), used)) ret pl_in_##name params; \
    ret pl_in_##name params

/* The same without a slot (slot.h): also where nothing is modelled. */
#define PL_INTERPOSE_ALWAYS(ret, name, params)                                        \
    __asm__(PL_STUB(name) ".globl " #name "\n.type " #name ", @function\n.set " #name \
                          ", pl_stub_" #name "\n");                                   \
    __attribute__((visibility("hidden"), used)) ret pl_in_##name params;              \
    ret pl_in_##name params

/* The registers at the entry of the stub, or hook, that ran last; read at once. */
extern const uint64_t *pl_entry_now;
/* The next stub that returns is to clear the frames that it has called. */
extern bool pl_entry_clear;
static inline const uint64_t *pl_entry(void)
{
    return pl_free ? pl_monitor_entry : pl_entry_now;
}

/*
 * The entry of the stub that this thread has come in by last, if that has not returned: whoever
 * asks has its stack pointer at `sp`.  Or NULL.
 */
extern const char __start_pl_stubs[] __attribute__((visibility("hidden")));
extern const char __stop_pl_stubs[] __attribute__((visibility("hidden")));
static inline const uint64_t *pl_entry_above(uint64_t sp)
{
    const uint64_t *entry = pl_entry();
    const uint64_t from = (uint64_t)__start_pl_stubs, to = (uint64_t)__stop_pl_stubs;

    return (uint64_t)entry > sp && entry[-2] > from && entry[-2] < to ? entry : NULL;
}

/* How many accesses were announced before by the call of the stub whose entry this is, or NULL. */
static inline uint32_t pl_entry_count(const uint64_t *entry)
{
    return entry != NULL ? (uint32_t)((uint64_t *)(uintptr_t)entry)[-1]++ : 0;
}
#define PL_ENTRY_PC (pl_entry()[6])

/* As the program was started; or NULL. */
const char *pl_entry_environment(const char *name);
char **pl_entry_environment_start(void);

/*
 * What starts the runtime: one function, which its file names with this.  The linker gathers it,
 * so that whoever is called first can start everything without knowing it.
 */
#define PL_STARTER(function) \
    static void (*const pl_starter)(void) __attribute__((used, section("pl_start"))) = function
extern void (*const __start_pl_start[])(void) __attribute__((visibility("hidden")));

/* Whether this process is a worker of plait. */
static inline bool pl_works(void)
{
    if (!pl_ready)
        __start_pl_start[0]();
    return pl_active && !(__builtin_expect(pl_free, 0) && pl_free_borrows);
}

/* Whether what it calls is modelled here. */
static inline bool pl_on(void)
{
    return pl_works() && !pl_native;
}

/* A process that the program has made, and that runs for itself. */
static inline bool pl_in_child(void)
{
    return pl_ready && !pl_active && pl_stage->process.child;
}

/* Whether the calling thread is inside the runtime: what it calls is not the program's doing. */
static inline bool pl_inside(void)
{
    return pl_stage->busy != 0 && (!pl_free || pl_monitor_holds());
}

/* An operation or access, point or not.  Both carriers and a replay count the same. */
static inline void pl_count_event(uint64_t pc)
{
    if (++pl_board->execution_events > pl_board->settings.max_steps)
        pl_ports.findings->hang(pc);
}

/*
 * The beginning of an interposed function: false when the call is not under
 * control.  Then PL_FALLBACK(name)(...) is the real function; when it is the
 * runtime itself that calls, PL_OUTSIDE says 0 and nothing is done.
 */
static inline bool pl_begin(struct pl_thread **t, uint64_t *pc)
{
    const uint64_t *entry = pl_entry();

    if (!pl_on() || pl_inside())
        return false;
    if (pl_free)
        pl_monitor_enter(entry);
    *t = pl_thread_self();
    (*t)->entry = entry;
    *pc = entry[6];
    pl_count_event(*pc);
    return true;
}

#define PL_FALLBACK(name) ((__typeof__(&name))pl_real_find(#name))
#define PL_OUTSIDE(name, ...) (pl_on() ? 0 : PL_FALLBACK(name)(__VA_ARGS__))

/* Inside the runtime, calls of the program's hooks and of malloc are ours. */
static inline void pl_enter(void)
{
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_INNER);
    pl_stage->busy++;
}

static inline void pl_leave(void)
{
    pl_stage->busy--;
    if (pl_free)
        pl_monitor_leave(PL_MONITOR_INNER);
}

/* Store what one process writes and others read: in order, which is all that is needed. */
#define PL_PUBLISH(place, value) atomic_store_explicit(&(place), value, memory_order_release)

#endif /* PL_RUNTIME_GROUND_ENTRY_H */
