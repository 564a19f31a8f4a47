/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the runtime offer each other.  The rules of this folder:
 *
 * - An interposed function that is not under control calls the real one.
 * - Under control it announces its operation with pl_sched_point(), which
 *   returns when the thread has been chosen and the operation is enabled; then
 *   it performs it on the model, without further switches.
 * - The runtime calls libc only where the comment says why that is safe.
 * - PL_ASSERT stays on in every build.
 */
#ifndef PL_RUNTIME_RT_H
#define PL_RUNTIME_RT_H

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "detect/detector.h"
#include "model/common.h"
#include "runtime/free.h"
#include "runtime/native.h"
#include "runtime/real.h"
#include "runtime/slot.h"
#include "runtime/stage.h"

#include <errno.h>
#include <stdatomic.h>
#include <time.h>

#define PL_EXPORT __attribute__((visibility("default")))
#define PL_CALLER ((uint64_t)(uintptr_t)__builtin_return_address(0))

/*
 * Define the exported function `name` as a stub that saves the callee-saved
 * registers where spin detection finds them, then calls pl_in_<name>, which the
 * macro declares and the text after it defines.  On the free carrier each thread
 * has its own place for that, and leaves the monitor at the end.
 */
#define PL_INTERPOSE(ret, name, params)                                                       \
    __asm__(PL_SLOT(                                                                          \
        name,                                                                                 \
        pl_stub_##name) ".type pl_stub_" #name ", @function\npl_stub_" #name ":\n"            \
                        "\t.cfi_startproc\n"                                                  \
                        "\tpush %rbp\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset rbp, 0\n" \
                        "\tpush %rbx\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset rbx, 0\n" \
                        "\tpush %r12\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset r12, 0\n" \
                        "\tpush %r13\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset r13, 0\n" \
                        "\tpush %r14\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset r14, 0\n" \
                        "\tpush %r15\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset r15, 0\n" \
                        "\tsub $8, %rsp\n\t.cfi_adjust_cfa_offset 8\n"                        \
                        "\tlea 8(%rsp), %rax\n"                                               \
                        "\tcmpb $0, pl_free(%rip)\n\tjne 2f\n"                                \
                        "\tmov %rax, pl_entry_now(%rip)\n"                                    \
                        "1:\tcall pl_in_" #name "\n"                                          \
                        "\tcmpb $0, pl_free(%rip)\n\tjne 3f\n"                                \
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
                        "2:\tmov pl_free_entry@gottpoff(%rip), %r11\n"                        \
                        "\tmov %rax, %fs:(%r11)\n\tjmp 1b\n"                                  \
                        "3:\tmov %rax, %rbx\n\tmov %rdx, %r12\n"                              \
                        "\tlea 8(%rsp), %rdi\n\tcall pl_free_leave\n"                         \
                        "\tmov %rbx, %rax\n\tmov %r12, %rdx\n\tjmp 4b\n"                      \
                        "\t.cfi_endproc\n.size pl_stub_" #name ", .-pl_stub_" #name "\n");    \
    __attribute__((visibility("hidden"), used)) ret pl_in_##name params;                      \
    ret pl_in_##name params

/* The registers at the entry of the stub, or hook, that ran last; read at once. */
extern const uint64_t *pl_entry_now;
static inline const uint64_t *pl_entry(void)
{
    return pl_free ? pl_free_entry : pl_entry_now;
}
#define PL_ENTRY_PC (pl_entry()[6])

/* init.c */
void pl_init(void);
const char *pl_init_environment(const char *name); /* as the program was started; or NULL */

/* Whether this process is a worker of plait. */
static inline bool pl_works(void)
{
    if (!pl_ready)
        pl_init();
    return pl_active;
}

/* Whether what it calls is modelled here. */
static inline bool pl_on(void)
{
    return pl_works() && !pl_native;
}

void pl_report_hang(uint64_t pc);

/* Whether the calling thread is inside the runtime: what it calls is not the program's doing. */
static inline bool pl_inside(void)
{
    return pl_stage->busy != 0 && (!pl_free || pl_free_holds());
}

/* An operation or access, point or not.  Both carriers and a replay count the same. */
static inline void pl_count_event(uint64_t pc)
{
    if (++pl_board->execution_events > pl_board->settings.max_steps)
        pl_report_hang(pc);
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
        pl_free_enter(entry);
    *t = pl_thread_self();
    (*t)->entry = entry;
    *pc = entry[6];
    pl_count_event(*pc);
    return true;
}

void *pl_real_find(const char *name);
#define PL_FALLBACK(name) ((__typeof__(&name))pl_real_find(#name))
#define PL_OUTSIDE(name, ...) (pl_on() ? 0 : PL_FALLBACK(name)(__VA_ARGS__))

/* sched.c */
void pl_sched_point(enum pl_op_kind kind, const void *addr, uint32_t size, uint32_t aux,
                    uint64_t pc);
#define PL_NEVER UINT64_MAX
enum pl_way pl_sched_timed_point(enum pl_op_kind kind, const void *addr, uint64_t deadline,
                                 uint32_t aux, uint64_t pc);
unsigned pl_sched_choose(enum pl_choice_kind kind, unsigned options, int running,
                         const struct pl_operation *const *next, const struct pl_operation *at);
pl_tid pl_sched_pick_waiter(enum pl_op_kind kind, uint64_t addr, uint64_t match);
pl_tid pl_sched_any_waiter(enum pl_op_kind kind, uint64_t addr, uint64_t match);
void pl_sched_end_thread(void) __attribute__((noreturn));
enum pl_way pl_sched_way(struct pl_thread *t); /* whatever limits it */
void pl_sched_wake(struct pl_thread *t);       /* by the running thread's operation */
void pl_sched_last(void); /* the execution ends: tell the strategy what was left */

/* An operation that nobody can be switched at: recorded, not chosen. */
void pl_sched_note(enum pl_op_kind kind, const void *addr, uint32_t aux, uint64_t pc);
void pl_sched_started(void);
void pl_sched_run_fresh(struct pl_thread *t);

/* class.c */
/* The result of an operation whose outcome depends on the schedule, for the class. */
static inline void pl_class_note(struct pl_thread *t, uint64_t result)
{
    t->chain = pl_hash_add(t->chain, result + 1);
    pl_board->class_hash += t->chain;
}

void pl_class_add(struct pl_thread *t, const struct pl_operation *op);

/* effect.c */
void pl_effect_settle(struct pl_thread *t);         /* fill in what the operation does */
bool pl_effect_may_fail(const struct pl_thread *t); /* a weak compare-exchange has a choice */

/* unused.c */
bool pl_unused_result(uint64_t pc); /* of a call that returns to pc; false when not sure */

/* spin.c */
bool pl_spin_visit(struct pl_thread *t, const struct pl_operation *op);
void pl_spin_saw(struct pl_thread *t, uint64_t addr, uint64_t size, bool write, uint64_t pc);
void pl_spin_park(struct pl_thread *t);
bool pl_spin_own(const struct pl_thread *t, uint64_t addr);
void pl_spin_unpark(struct pl_thread *t);
void pl_spin_progress(struct pl_thread *t);
void pl_spin_performed(struct pl_thread *t);
void pl_spin_touch(uint64_t addr, uint64_t size, pl_tid by);
void pl_spin_other(pl_tid by);
bool pl_spin_grant(void);
void pl_spin_ignore(struct pl_thread *t, const void *time, uint64_t size, uint64_t fraction);

/* shadow.c */
bool pl_shadow_shared(uint64_t addr, uint64_t size, bool write, struct pl_thread *t);
void pl_shadow_share(uint64_t addr);
bool pl_shadow_known(uint64_t addr);
void pl_shadow_saw(uint64_t addr, uint64_t size, const struct pl_thread *t);
void pl_shadow_suspect_unseen(void); /* what the thread has accessed since its last point */
bool pl_shadow_suspect(uint64_t addr, uint64_t size);
void pl_shadow_clear(uint64_t addr, uint64_t size);
void pl_shadow_apply(void);

/* fiber.c */
void pl_fiber_init(void);
void pl_fiber_reserve(unsigned n);
bool pl_fiber_attach(struct pl_thread *t, uint64_t stack_size, void *user_stack,
                     uint64_t user_size);
void pl_fiber_switch_to(struct pl_thread *from, struct pl_thread *to);
void pl_fiber_start(struct pl_thread *t); /* OS threads: it begins to run */
void pl_fiber_body(void);
void pl_fiber_began(const struct pl_thread *t);                    /* on its stack */
void pl_fiber_rest(struct pl_thread *t) __attribute__((noreturn)); /* OS threads: t has ended */
void pl_fiber_set_pointer(void *tp);
void pl_fiber_swap(void **save_sp, void *new_sp); /* switch.S */
void *pl_fiber_frame(uint64_t top, void (*entry)(void));

/* Store what one process writes and others read: in order, which is all that is needed. */
#define PL_PUBLISH(place, value) atomic_store_explicit(&(place), value, memory_order_release)

/* account.c */
void pl_account_start(void);       /* let the strategy look at its parameters, once */
void pl_account_claim(void);       /* take up the next execution, or end the campaign */
void pl_account_begin(void);       /* begin it */
void pl_account_plan(void);        /* both */
void pl_account_judge(int status); /* how the execution ended: a wait status, or PL_WORKER_HUNG */
void pl_account_settle(void);      /* count it, tell the strategy */
void pl_account_finish(enum pl_why why) __attribute__((noreturn));
void pl_account_complete(void) __attribute__((noreturn)); /* nothing is left for anybody */
enum pl_why pl_account_reason(void);                      /* why the campaign ends, if it does */
bool pl_account_over(void);                               /* plan() would begin nothing */
uint64_t pl_account_file_size(int fd);

/* marks.c */
void pl_marks_learn(void); /* ask the tool which code is marked */
/* Whether the code that calls from pc is. */
bool pl_marks_at(enum pl_mark mark, uint64_t pc);
/* Whether that code is, or a caller of the thread. */
bool pl_marks_cover(enum pl_mark mark, const struct pl_thread *t, uint64_t pc);

/* sought.c: orders that the user seeks, see model/sought.h; with pl_stage->seeking. */
void pl_sought_begin(void); /* an execution does, and the strategy knows it; sets `seeking` */
/* What the place is that the thread has come to, which it remembers. */
uint32_t pl_sought_roles(struct pl_thread *t, uint64_t pc);
void pl_sought_perform(const struct pl_thread *t, const struct pl_operation *op);
/* An access that is no point. */
void pl_sought_pass(struct pl_thread *t, enum pl_op_kind kind, uint64_t addr, uint64_t size,
                    uint64_t pc);
void pl_sought_end(void);
void pl_sought_found(const struct pl_finding *f); /* what was noted is in the common */
/* With pl_stage->direct.on: ask the strategy, but only about threads that do not spoil the order.
 */
unsigned pl_sought_choose(const struct pl_view *view);

/*
 * cover.c: which interleavings have been seen, see model/cover.h.  The thread itself calls;
 * several may at once.
 */
void pl_cover_learn(void); /* ask the tool which functions there are */
/* The thread has come to this operation; and has performed it. */
void pl_cover_at(struct pl_thread *t, const struct pl_operation *op);
/* Give the operation the number of its statement. */
void pl_cover_state(const struct pl_thread *t, struct pl_operation *op);
/* The execution is over: let the tool tell what is given about the statements that it showed. */
void pl_cover_given(void);
void pl_cover_event(struct pl_thread *t, const struct pl_operation *op);
void pl_cover_created(pl_tid creator, pl_tid created); /* threads, which orders their operations */
void pl_cover_joined(pl_tid joiner, pl_tid joined);
void pl_cover_took(struct pl_thread *t, uint64_t lock, bool shared); /* by its last operation */
void pl_cover_gave(struct pl_thread *t, uint64_t lock);
void pl_cover_leave(struct pl_thread *t); /* the function of its innermost frame */
/* Models that direct, PL_COVER_M1 | ...; for executions that begin after it or the present one. */
void pl_cover_direct(unsigned models);
/* Whether a disturbance here and now shows nothing new (0), prepares something (1), or may show
 * a new task (2). */
unsigned pl_cover_interest(const struct pl_thread *t, const struct pl_operation *op);
/* Whether a place in the code took part in a pair of conflicting statements. */
bool pl_cover_shares(uint64_t pc);
/* For strategies, see context.risk. */
unsigned pl_cover_risk(const struct pl_operation *op);

/* segments.c: the path of the execution */
void pl_segments_begin(void);
void pl_segments_add(const struct pl_thread *t); /* its operation is performed */
void pl_segments_publish(enum pl_outcome outcome);

/* ask.c */
void pl_ask_ring(void); /* the tool is to look */
/* Wait until the tool has made *answer other than 0; `phase` says what is asked. */
void pl_ask_tool(enum pl_phase phase, _Atomic uint32_t *answer);

/* work.c */
void pl_work_lock(void);   /* of the common; pl_common_unlock() is its end */
void pl_work_resume(void); /* complete what a process of this worker that died had begun */
void pl_work_get(void);
/* Whether this worker has no part of the search and samples instead. */
bool pl_work_helps(void);
/* Whether the execution at hand, or just over, is a sample. */
bool pl_work_samples(void); /* wait until there is something to do; may end the campaign */
void pl_work_learned(bool something); /* an execution has shown something new, or not */
void pl_work_estimate(void);          /* how much is left */
void pl_work_done(void); /* the worker's part has been explored; may end the campaign */

/* seen.c */
struct pl_seen pl_seen_add(uint64_t class);
/* Whether the execution counts for how often its class was seen. */
bool pl_seen_counts(void);

/* measure.c */
void pl_measure_begin(void);
bool pl_measure_settle(enum pl_outcome outcome); /* whether the size is known now */
/* outputs.c: what this execution has printed */
void pl_outputs_add(void);

/* keeper.c */
void pl_keeper_root(void);
bool pl_keeper_root_here(void);
void pl_keeper_escape(void) __attribute__((noreturn));
void pl_keeper_resume_exec(void);
void pl_keeper_begin_here(void);
void pl_keeper_end(enum pl_outcome outcome) __attribute__((noreturn));

/* section.c */
void pl_section_marked(void);
void pl_section_begin(void);
void pl_section_end(void);
const char *pl_section_test(void (*function)(void *), void *arg);
void pl_section_leave(void); /* the program ends, and not in an execution */

/* report.c */
struct pl_finding *pl_report_start(enum pl_finding_kind kind, uint64_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pl_report_row(struct pl_finding *f, const struct pl_thread *t);
void pl_report_end(struct pl_finding *f) __attribute__((noreturn));
void pl_report_misuse(uint64_t pc, const void *object, enum pl_object_kind kind, uint64_t other,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));
void pl_report_deadlock(const struct pl_thread *const *members, unsigned n);
void pl_report_stuck(bool spinning);
/* Thread t is blocked now: does that close a circle of waiting threads? */
void pl_report_cycle(const struct pl_thread *t);
void pl_report_frames(struct pl_finding *f, const struct pl_thread *t);
bool pl_report_wants(enum pl_detector detector);
/* See detect/host.h. */
struct pl_finding *pl_report_note(enum pl_finding_kind kind, uint64_t signature);
void pl_report_predicted(const struct pl_cycle *cycle); /* a deadlock that has not happened */
pl_tid pl_report_holder(const struct pl_thread *t, uint64_t *since);

/* stacks.c */
void pl_stacks_init(void);                 /* before anything is modelled */
void pl_stacks_fill(struct pl_finding *f); /* where the threads of its rows are */
/* In the handler of the signal: true, and never, if this thread is asked where it is. */
bool pl_stacks_answer(void);
void pl_stacks_escape(void); /* something is wrong with the stack that is being walked */

/* meeting.c: whether two accesses happened next to each other */
void pl_meeting_begin(void);
void pl_meeting_perform(const struct pl_operation *op);
void pl_meeting_end(void);

/* feed.c: what detectors are told */
void pl_feed_start(void);
void pl_feed_access(uint64_t addr, uint64_t size, unsigned flags, uint64_t pc);
void pl_feed_atomic(uint64_t addr, uint64_t size, unsigned kind, bool wrote, unsigned orders,
                    uint64_t pc);
void pl_feed_fence(unsigned order);
void pl_feed_lock(const struct pl_thread *t, const struct pl_held *h, bool locked);
void pl_feed_object(enum pl_sync_kind kind, pl_tid tid, uint64_t addr, enum pl_object_kind object);
void pl_feed_passed(const struct pl_thread *t, const void *once, enum pl_op_kind op, uint64_t pc);
void pl_feed_condition(enum pl_sync_kind kind, const struct pl_thread *t, pl_tid other,
                       const void *condition, uint64_t pc);
void pl_feed_thread(enum pl_sync_kind kind, pl_tid tid, pl_tid other);
void pl_feed_fresh(uint64_t addr, uint64_t size);

/* noise.c: what disturbs free-running threads; outside any lock, by the thread itself */
void pl_noise_start(void); /* once the strategy has looked at its parameters */
void pl_noise_begin(void); /* in the process that executes, before anything is disturbed */
void pl_noise_thread(const struct pl_thread *t); /* it begins: before its first event */
void pl_noise_disturb(struct pl_thread *t, const struct pl_operation *op, bool before);
void pl_noise_count(void);                         /* the execution that is over */
const struct pl_disturb_plan *pl_noise_plan(void); /* NULL unless the strategy is noise */

/* place.c */
struct pl_place pl_place_of(uint64_t addr, unsigned object_kind);
void pl_place_modules(void);
uint64_t pl_place_tls_size(void);
void pl_place_instrumented(uint64_t inside);
bool pl_place_is_instrumented(uint64_t pc);
bool pl_place_in_module(uint64_t pc, const char *name);
uint64_t pl_place_relative(uint64_t pc);

/* held.c */
void pl_held_add(struct pl_thread *t, const void *addr, enum pl_object_kind kind, bool shared,
                 uint64_t pc);
bool pl_held_remove(struct pl_thread *t, const void *addr);
struct pl_held *pl_held_find(struct pl_thread *t, const void *addr);

/* heap.c */
void *pl_heap_allocate(uint64_t size, uint64_t align, uint64_t site);
void pl_heap_free(void *p, uint64_t site);
void pl_heap_lock(void); /* for a fork: the child must find it free */
void pl_heap_unlock(void);
uint64_t pl_heap_size(const void *p);
uint64_t pl_heap_large_end(void); /* address behind the last large block */
bool pl_heap_describe(uint64_t addr, struct pl_place *place, uint64_t *freed_at);
void pl_heap_check(uint64_t addr, uint64_t size, bool write, uint64_t pc);
static inline bool pl_heap_contains(uint64_t addr)
{
    return addr - PL_HEAP_ADDRESS < PL_HEAP_SIZE;
}

/* pth_*.c: whether an announced operation could be performed now */
bool pl_mutex_free_for(uint64_t addr, const struct pl_thread *t);
pl_tid pl_mutex_owner(uint64_t addr);
int pl_mutex_take(pthread_mutex_t *m, struct pl_thread *t, uint64_t pc);
/* Release wholly, whatever the depth, which is returned. */
unsigned pl_mutex_depth(uint64_t addr);
unsigned pl_mutex_drop(pthread_mutex_t *m, struct pl_thread *t);
void pl_mutex_retake(pthread_mutex_t *m, struct pl_thread *t, unsigned depth, uint64_t pc);
/* EPERM when a condition wait with this mutex is refused, after reporting misuse. */
int pl_mutex_waitable(pthread_mutex_t *m, struct pl_thread *t, uint64_t pc);
void pl_mutex_abandon(uint64_t addr, struct pl_thread *t);
bool pl_rwlock_free_for(uint64_t addr, bool write, const struct pl_thread *t);
pl_tid pl_rwlock_holder(uint64_t addr, const struct pl_thread *not_this);
bool pl_rwlock_written(uint64_t addr); /* a writer has it */
bool pl_spinlock_free(uint64_t addr);
pl_tid pl_spinlock_owner(uint64_t addr);
bool pl_sem_available(uint64_t addr);
uint32_t pl_sem_value(uint64_t addr);
bool pl_once_settled(uint64_t addr);
bool pl_once_done(uint64_t addr);
bool pl_guard_done(uint64_t addr);
bool pl_cond_has_waiter(uint64_t addr);
bool pl_barrier_has_serial(uint64_t addr); /* nobody has been told yet */
bool pl_guard_settled(uint64_t addr);
bool pl_io_ready(const struct pl_thread *t);
bool pl_io_wait(void);
/* Wait until one of them is ready, as poll() does; the way in which that ended. */
enum pl_way pl_io_await(struct pl_thread *t, struct pollfd *fds, nfds_t n, int timeout,
                        uint64_t pc);
/* The first that leads to the world: a recording has what becomes of the call; -1: none does. */
int pl_io_stream(const struct pollfd *fds, nfds_t n);
void pl_io_received(int fd); /* something came through it: detectors are told */
void pl_io_pause(const struct pl_thread *t, int ms); /* until what it waits for may be there */

/* pth_thread.c, pth_cancel.c, pth_key.c */
void pl_thread_unwind(void *result) __attribute__((noreturn));
void pl_thread_finish(void *result) __attribute__((noreturn));
void pl_thread_run_destructors(struct pl_thread *t);
void pl_key_run_destructors(struct pl_thread *t);
void pl_cancel_act(void) __attribute__((noreturn));
bool pl_cancel_due(const struct pl_thread *t);
void pl_cancel_check(uint64_t pc);
struct pl_thread *pl_thread_of(pthread_t handle);
/* The next thread, a child of `parent`, as far as it has nothing to run on; NULL: too many. */
struct pl_thread *pl_thread_prepare(struct pl_thread *parent);
/* It exists from now on, with its start announced. */
void pl_thread_enlist(struct pl_thread *t, struct pl_thread *parent, void *(*start)(void *),
                      void *arg);
int pl_thread_create(pthread_t *out, const pthread_attr_t *attr, void *(*start)(void *), void *arg,
                     uint64_t pc);

/* libc_process.c */
void pl_process_init(void);
void pl_process_at_exit(void);
void pl_process_deadly(int number, siginfo_t *info, void *context);
const char *pl_process_signal_name(int number);
void pl_process_assertion(const char *file, int line, const char *function, const char *text,
                          uint64_t pc) __attribute__((noreturn));
void pl_process_exit(int status, uint64_t pc) __attribute__((noreturn));
void pl_process_exit_now(int status, uint64_t pc) __attribute__((noreturn));
/* Whether the program is ending already. */
bool pl_process_exits(void);
/* A signal that the program sends itself: should it kill, the keeper knows who did it. */
void pl_process_expect_death(int signo, uint64_t pc);

/* libc_signal.c */
#define PL_SIGNALS_SENT ((uint64_t)&pl_stage->signals_sent) /* to the process; see feed.c */
bool pl_signal_pending(const struct pl_thread *t);
void pl_signal_expect(void);
void pl_signal_mask(uint64_t mask);
uint64_t pl_signal_open(void); /* those that are never blocked */
int pl_signal_raise(int signo);
void pl_signal_deliver(struct pl_thread *t);

/* libc_time.c */
#define PL_TIME_REAL UINT64_C(1700000000) /* seconds where the clocks begin */
#define PL_TIME_BOOT UINT64_C(1000000000)
#define PL_TIME_SPAN UINT64_C(10000000)
uint64_t pl_time_of(clockid_t clock, const struct timespec *absolute);
void pl_time_reach(uint64_t deadline);
uint64_t pl_time_read(clockid_t clock);
uint64_t pl_time_now(void); /* where pl_time_of() counts from */

/* libc_stdio.c */
void pl_stdio_init(void);
void pl_stdio_flush(void);            /* what exit() does at its very end */
pl_tid pl_stdio_owner(uint64_t addr); /* who has locked the stream */

/* libc_memory.c */
void pl_libc_memory_init(void);

/* access.c */
void pl_access_free(const void *addr, uint64_t size, uint64_t pc);
void pl_access_range(const void *addr, uint64_t size, bool write, const uint64_t *entry);

/* Inside the runtime, calls of the program's hooks and of malloc are ours. */
static inline void pl_enter(void)
{
    if (pl_free)
        pl_free_enter(PL_FREE_INNER);
    pl_stage->busy++;
}

static inline void pl_leave(void)
{
    pl_stage->busy--;
    if (pl_free)
        pl_free_leave(PL_FREE_INNER);
}

#endif /* PL_RUNTIME_RT_H */
