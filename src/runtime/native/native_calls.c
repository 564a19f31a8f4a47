/* SPDX-License-Identifier: MIT */
/*
 * What a native program calls instead of libc's own functions: each says what the thread is
 * about to do, and calls them.  native.def has those that differ in nothing else.
 *
 * A call may never come back: threads are cancelled in it, or an exception goes through it.
 */
#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/mask.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/native/native.h"
#include "runtime/native/native_begin.h"
#include "runtime/observe/cover.h"
#include "runtime/restart/own.h"
#include "runtime/sync/thread.h"
#include "runtime/system/libc_process.h"
#include "runtime/system/signal_handle.h"

#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <threads.h>

/* Not in every header. */
int __cxa_guard_acquire(char *guard);

/* ---- calls that are operations, and no more ---- */

#define CALL(ret, name, params, args, kind, object, timed, before, after)              \
    static ret(*real_##name) params;                                                   \
    static ret native_##name params                                                    \
    {                                                                                  \
        struct pl_thread *t = pl_native_begin(PL_OP_##kind, object, timed, PL_CALLER); \
                                                                                       \
        if (t == NULL)                                                                 \
            return real_##name args;                                                   \
        before;                                                                        \
        ret result = real_##name args;                                                 \
                                                                                       \
        after;                                                                         \
        return result;                                                                 \
    }
#define PL_TAKES(ret, name, params, args, kind, object) \
    CALL(ret, name, params, args, kind, object, false, (void)0, pl_native_take(t))
#define PL_TIMED(ret, name, params, args, kind, object) \
    CALL(ret, name, params, args, kind, object, true, (void)0, pl_native_take(t))
#define PL_GIVES(ret, name, params, args, kind, object) \
    CALL(ret, name, params, args, kind, object, false, pl_native_cover(t), pl_native_end(t))
#define PL_WAITS(name, params, args, timed) \
    CALL(int, name, params, args, COND_WAIT, c, timed, wait(t, (uint64_t)c, (uint64_t)m), wake(t))

/* The thread has let go of the mutex and waits; what comes next is to get it back. */
static void wait(struct pl_thread *t, uint64_t condition, uint64_t mutex)
{
    PL_ASSERT(t == pl_free_self);
    t->op.other = mutex;
    pl_cover_event(t, &t->op);
    t->op.kind = PL_OP_COND_WAKE;
    t->op.ordinal = t->ordinal++;
    t->mutex = mutex;
    t->wait = condition;
}

static void wake(struct pl_thread *t)
{
    t->wait = 0;
    pl_native_take(t);
    t->op.other = 0;
}

#include "runtime/native/native.def"
#undef PL_TAKES
#undef PL_TIMED
#undef PL_GIVES
#undef PL_WAITS

static void (*real_call_once)(once_flag *, void (*)(void));
static void (*real_thrd_yield)(void);

static void native_call_once(once_flag *flag, void (*init)(void))
{
    struct pl_thread *t = pl_native_begin(PL_OP_ONCE, flag, false, PL_CALLER);

    if (t != NULL)
        pl_native_cover(t);
    real_call_once(flag, init);
    if (t != NULL)
        pl_native_end(t);
}

static void native_thrd_yield(void)
{
    struct pl_thread *t = pl_native_begin(PL_OP_YIELD, NULL, false, PL_CALLER);

    real_thrd_yield();
    if (t != NULL)
        pl_native_take(t);
}

/* ---- threads ---- */

static int native_pthread_create(pthread_t *out, const pthread_attr_t *attr, void *(*start)(void *),
                                 void *arg)
{
    return pl_native_create(out, attr, start, arg, PL_CALLER);
}

static int native_thrd_create(thrd_t *out, thrd_start_t start, void *arg)
{
    int rc = pl_native_create(out, NULL, (void *(*)(void *))(void *)start, arg, PL_CALLER);

    return rc == 0 ? thrd_success : rc == ENOMEM ? thrd_nomem : thrd_error;
}

static struct pl_thread *begin_join(enum pl_op_kind kind, pthread_t handle, uint64_t pc)
{
    const struct pl_thread *target = pl_thread_of(handle);

    if (pl_free_self != NULL)
        pl_free_self->op.aux = target != NULL ? target->id : PL_TID_NONE;
    return pl_native_begin(kind, NULL, kind != PL_OP_THREAD_JOIN, pc);
}

static int end_join(struct pl_thread *t, pthread_t handle, int rc)
{
    if (rc == 0)
        pl_native_joined(handle);
    if (t != NULL)
        pl_native_take(t);
    return rc;
}

#define JOIN(ret, name, params, args, kind)                                \
    static ret(*real_##name) params;                                       \
    static ret native_##name params                                        \
    {                                                                      \
        struct pl_thread *t = begin_join(PL_OP_##kind, handle, PL_CALLER); \
                                                                           \
        return end_join(t, handle, real_##name args);                      \
    }

JOIN(int, pthread_join, (pthread_t handle, void **result), (handle, result), THREAD_JOIN)
JOIN(int, thrd_join, (thrd_t handle, int *result), (handle, result), THREAD_JOIN)
JOIN(int, pthread_tryjoin_np, (pthread_t handle, void **result), (handle, result), THREAD_TRYJOIN)
JOIN(int, pthread_timedjoin_np, (pthread_t handle, void **result, const struct timespec *until),
     (handle, result, until), THREAD_TIMEDJOIN)
JOIN(int, pthread_clockjoin_np,
     (pthread_t handle, void **result, clockid_t clock, const struct timespec *until),
     (handle, result, clock, until), THREAD_TIMEDJOIN)

/* ---- the process ---- */

static void native_exit(int status)
{
    struct pl_thread *t = pl_native_begin(PL_OP_EXIT, NULL, false, PL_CALLER);

    if (t == NULL || pl_process_exits())
        pl_real.exit(status);
    pl_cover_event(t, &t->op);
    t->announced = false;
    pl_process_exit(status, PL_CALLER);
}

static void native__exit(int status)
{
    pl_process_exit_now(status, PL_CALLER);
}

/* A child is on its own: its only thread is none of the program's. */
static pid_t native_fork(void)
{
    if (pl_free_self == NULL)
        return pl_real.fork();
    pl_ports.restart->root();
    pl_board->processes++;
    pid_t child = pl_real.fork();

    if (child == 0) {
        pl_sys(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
        pl_active = false;
        pl_stage->process.child = true;
        pl_own_forked(pl_free_self);
        pl_free_self = NULL;
        pl_native_watch(NULL);
    }
    return child;
}

static int native_raise(int signo)
{
    if (pl_free_self == NULL)
        return pl_real.raise(signo);
    pl_ports.restart->root();
    pl_signal_expect_death(signo, PL_CALLER);
    int rc = pl_real.raise(signo);

    pl_board->dying_signal = 0;
    return rc;
}

static int native_kill(pid_t pid, int signo)
{
    if (pl_free_self == NULL || pid != (pid_t)pl_sys(SYS_getpid))
        return pl_real.kill(pid, signo);
    pl_ports.restart->root();
    pl_signal_expect_death(signo, PL_CALLER);
    int rc = pl_real.kill(pl_free_self == NULL ? pid : (pid_t)pl_sys(SYS_getpid), signo);

    pl_board->dying_signal = 0;
    return rc;
}

/* ---- signals: those by which plait asks where a thread is stay open ---- */

static const sigset_t *without_open(const sigset_t *set, sigset_t *copy)
{
    if (set == NULL)
        return NULL;
    *copy = *set;
    *(uint64_t *)copy &= ~pl_mask_open();
    return copy;
}

#define MASK(name)                                                                         \
    static int (*real_##name)(int how, const sigset_t *set, sigset_t *old);                \
    static int native_##name(int how, const sigset_t *set, sigset_t *old)                  \
    {                                                                                      \
        sigset_t copy;                                                                     \
                                                                                           \
        return real_##name(how, how == SIG_UNBLOCK ? set : without_open(set, &copy), old); \
    }

MASK(pthread_sigmask)
MASK(sigprocmask)

/* ---- memory: blocks from before it was decided are of the runtime's heap ---- */

static void (*real_free)(void *);
static void *(*real_realloc)(void *, size_t);
static size_t (*real_malloc_usable_size)(void *);

static void native_free(void *p)
{
    if (pl_heap_contains((uint64_t)p))
        pl_heap_free(p, PL_CALLER);
    else
        real_free(p);
}

static void *native_realloc(void *p, size_t size)
{
    if (!pl_heap_contains((uint64_t)p))
        return real_realloc(p, size);
    uint64_t had = pl_heap_size(p);
    void *q = real_realloc(NULL, size);

    if (q != NULL) {
        pl_memory_copy(q, p, had < size ? had : size);
        pl_heap_free(p, PL_CALLER);
    }
    return q;
}

static void *native_reallocarray(void *p, size_t n, size_t size)
{
    size_t total;

    if (!__builtin_mul_overflow(n, size, &total))
        return native_realloc(p, total);
    errno = ENOMEM;
    return NULL;
}

static size_t native_malloc_usable_size(void *p)
{
    return pl_heap_contains((uint64_t)p) ? pl_heap_size(p) : real_malloc_usable_size(p);
}

/* ---- the table ---- */

#define ROW(name) {#name, (void *)native_##name, (void **)&real_##name},
#define OWN(name, entry) {#name, (void *)native_##entry, NULL},
#define STAYS(name) {#name, NULL, NULL},

static const struct pl_native_call calls[] = {
#define PL_TAKES(ret, name, params, args, kind, object) ROW(name)
#define PL_TIMED(ret, name, params, args, kind, object) ROW(name)
#define PL_GIVES(ret, name, params, args, kind, object) ROW(name)
#define PL_WAITS(name, params, args, timed) ROW(name)
#include "runtime/native/native.def"
#undef PL_TAKES
#undef PL_TIMED
#undef PL_GIVES
#undef PL_WAITS
    /* clang-format off */
    ROW(pthread_join) ROW(thrd_join) ROW(pthread_tryjoin_np) ROW(pthread_timedjoin_np)
    ROW(pthread_clockjoin_np) ROW(call_once) ROW(thrd_yield) ROW(pthread_sigmask) ROW(sigprocmask)
    ROW(free) ROW(realloc) ROW(malloc_usable_size) OWN(reallocarray, reallocarray)
    OWN(pthread_create, pthread_create) OWN(thrd_create, thrd_create)
    OWN(exit, exit) OWN(_exit, _exit) OWN(_Exit, _exit)
    OWN(fork, fork) OWN(vfork, fork) OWN(raise, raise) OWN(kill, kill)
    STAYS(abort) STAYS(__assert_fail) STAYS(__assert_perror_fail)
    STAYS(vfprintf) STAYS(fprintf) STAYS(vprintf) STAYS(printf)
    STAYS(__printf_chk) STAYS(__fprintf_chk) STAYS(__vfprintf_chk) STAYS(__vprintf_chk)
    STAYS(fwrite) STAYS(fputs) STAYS(puts) STAYS(fputc) STAYS(putc) STAYS(putchar) STAYS(fflush)
    /* clang-format on */
};

const struct pl_native_call *pl_native_call_find(const char *name)
{
    for (unsigned i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (pl_text_equal(calls[i].name, name))
            return &calls[i];
    }
    return NULL;
}
