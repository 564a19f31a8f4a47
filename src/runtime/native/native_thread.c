/* SPDX-License-Identifier: MIT */
/*
 * The life of a native thread: libc's own, which tells plait when it begins and when it ends.
 *
 * The list of threads is changed inside the monitor, whatever else there is outside of it.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "runtime/free/noise.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/native/native.h"
#include "runtime/native/native_begin.h"
#include "runtime/observe/cover.h"
#include "runtime/sync/thread.h"

#include <sys/mman.h>
#include <sys/syscall.h>

enum { SIGNAL_STACK = 64 << 10 };

/* Its destructor runs however a thread ends. */
static pthread_key_t life;
static int (*set_specific)(pthread_key_t, const void *);

static void change_signal_stack(bool on)
{
    stack_t alt = {.ss_flags = SS_DISABLE}, old = {0};

    if (on) {
        long p = pl_sys(SYS_mmap, 0, SIGNAL_STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        alt = (stack_t){.ss_sp = (void *)p, .ss_size = SIGNAL_STACK};
    }
    pl_sys(SYS_sigaltstack, &alt, &old);
    if (!on && (old.ss_flags & SS_DISABLE) == 0 && old.ss_size == SIGNAL_STACK)
        pl_sys(SYS_munmap, old.ss_sp, SIGNAL_STACK);
}

/* Only one that plait has begun: the program's destructors may come before or after. */
static void thread_ends(void *arg)
{
    struct pl_thread *t = pl_native_begin(PL_OP_THREAD_EXIT, NULL, false, pl_free_self->op.pc);

    PL_ASSERT(t != NULL && t->state == PL_THREAD_ALIVE);
    t->op.aux = t->id;
    pl_cover_event(t, &t->op);
    pl_monitor_enter(PL_MONITOR_CALL);
    t->announced = false;
    t->state = t->detached ? PL_THREAD_GONE : PL_THREAD_ENDED;
    pl_stage->n_alive--;
    pl_monitor_open();
    pl_free_self = NULL;
    pl_native_watch(NULL);
    if (!t->main)
        change_signal_stack(false);
}

void pl_native_threads_init(void)
{
    int (*create)(pthread_key_t *, void (*)(void *));

    *(void **)&create = pl_real_find("pthread_key_create");
    *(void **)&set_specific = pl_real_find("pthread_setspecific");
    if (create(&life, thread_ends) == 0)
        set_specific(life, pl_free_self);
    pl_free_self->op = (struct pl_operation){
        .way = PL_WAY_NORMAL, .name = pl_free_self->name, .waker = PL_TID_NONE};
}

static void begin_thread(struct pl_thread *t)
{
    void *tp;

    __asm__("mov %%fs:0, %0" : "=r"(tp));
    t->tp = tp;
    t->free.os_tid = (int32_t)pl_sys(SYS_gettid);
    t->stack_high = (uint64_t)__builtin_frame_address(0);
    t->stack_low = t->stack_high - t->stack_size;
    t->started = true;
    pl_free_self = t;
    pl_native_watch(t);
    set_specific(life, t);
    change_signal_stack(true);
    pl_noise_thread(t);
    if (pl_native_noisy())
        pl_noise_disturb(t, &t->op, true);
    t->announced = false;
    pl_cover_event(t, &t->op);
}

static void *run(void *arg)
{
    struct pl_thread *t = arg;

    begin_thread(t);
    return t->start(t->arg);
}

static void read_attributes(const pthread_attr_t *attr, struct pl_thread *t)
{
    int state = PTHREAD_CREATE_JOINABLE;
    size_t size = 0;

    t->stack_size = pl_stage->fibers.default_stack;
    if (attr == NULL)
        return;
    pthread_attr_getdetachstate(attr, &state);
    t->detached = state == PTHREAD_CREATE_DETACHED;
    if (pthread_attr_getstacksize(attr, &size) == 0 && size != 0)
        t->stack_size = size;
}

/* Inside the monitor: the list ends with a thread that does not exist. */
static void withdraw(struct pl_thread *t, struct pl_thread *parent)
{
    PL_ASSERT(t->id + 1u == pl_stage->n_threads && pl_stage->n_alive > 1);
    *t = (struct pl_thread){0};
    parent->n_children--;
    pl_stage->n_threads--;
    pl_stage->n_alive--;
    pl_stage->n_unjoined--;
    pl_board->n_threads = pl_stage->n_threads;
}

/*
 * Libc writes the kernel's number of a thread into the locks that it has, and a runner's main
 * thread has another number than that of the keeper, who locked them.
 */
void pl_native_early(enum pl_op_kind kind, const void *object)
{
    bool takes =
        kind == PL_OP_MUTEX_LOCK || kind == PL_OP_MUTEX_TRYLOCK || kind == PL_OP_MUTEX_TIMEDLOCK;
    uint64_t *held = pl_stage->native.held, addr = (uint64_t)object;
    unsigned i = 0, n = pl_stage->native.n_held;

    if (!takes && kind != PL_OP_MUTEX_UNLOCK)
        return;
    while (i < n && held[i] != addr)
        i++;
    if (takes && i == n && n < PL_NATIVE_HELD)
        held[pl_stage->native.n_held++] = addr;
    if (!takes && i < n && ((const pthread_mutex_t *)object)->__data.__count <= 1)
        held[i] = held[--pl_stage->native.n_held];
}

void pl_native_adopt(int32_t before)
{
    PL_ASSERT(pl_stage->native.n_held <= PL_NATIVE_HELD);
    for (unsigned i = 0; i < pl_stage->native.n_held; i++) {
        pthread_mutex_t *m = (pthread_mutex_t *)pl_stage->native.held[i];

        if (m->__data.__owner == before)
            m->__data.__owner = pl_thread_by_id(0)->free.os_tid;
    }
    pl_stage->native.n_held = 0;
}

/* More threads than there is room for run without being known. */
static int create(struct pl_thread *self, pthread_t *out, const pthread_attr_t *attr,
                  void *(*start)(void *), void *arg)
{
    struct pl_thread *t = pl_thread_prepare(self);

    if (t == NULL)
        return pl_real.pthread_create(out, attr, start, arg);
    read_attributes(attr, t);
    pl_thread_enlist(t, self, start, arg);
    int rc = pl_real.pthread_create(out, attr, run, t);

    if (rc != 0)
        withdraw(t, self);
    else
        t->tp = (void *)*out;
    return rc;
}

int pl_native_create(pthread_t *out, const pthread_attr_t *attr, void *(*start)(void *), void *arg,
                     uint64_t pc)
{
    struct pl_thread *self = pl_free_self;

    pl_thread_in_child();
    if (self == NULL)
        return pl_real.pthread_create(out, attr, start, arg);
    pl_ports.restart->root();
    self->op.aux = pl_stage->n_threads;
    pl_native_begin(PL_OP_THREAD_CREATE, NULL, false, pc);
    pl_monitor_enter(PL_MONITOR_CALL);
    pl_native_watch(self);
    int rc = create(self, out, attr, start, arg);

    pl_monitor_leave(PL_MONITOR_CALL);
    pl_native_take(self);
    return rc;
}

void pl_native_joined(pthread_t handle)
{
    struct pl_thread *t = pl_thread_of(handle);

    if (t == NULL)
        return;
    t->state = PL_THREAD_GONE;
    t->tp = NULL;
}
