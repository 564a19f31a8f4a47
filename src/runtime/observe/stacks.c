/* SPDX-License-Identifier: MIT */
/*
 * Where the threads of a finding are: their stacks.
 *
 * The compiler's hooks tell who has called the function that a thread is in, and the thread's
 * operation where in it that is.  If the operation was begun in a library without hooks, the stack
 * is walked.  A fiber's can be at any time.  OS threads are asked when an execution comes to a
 * standstill, by a signal: each walks its own stack in the handler and stays there, since the
 * execution is over.  Who does not answer in time is where the hooks say it is.
 */
#include "runtime/observe/stacks.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "runtime/core/fiber.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"

#include <unwind.h>

enum { PATIENCE_NS = 500000000, LOOK_NS = 200000 };

struct walk {
    const struct pl_thread *thread; /* whose stack; NULL: of nobody under control */
    _Atomic bool done;
    uint8_t n;
    uint64_t frames[PL_FINDING_ROW_FRAMES];
};

static struct walk walks[PL_THREADS_MAX];
static _Atomic bool asking;

/* A stack may be broken: then what was found so far is all. */
static _Thread_local bool walking __attribute__((tls_model("initial-exec")));
static _Thread_local void *escape[5] __attribute__((tls_model("initial-exec")));

void pl_stacks_escape(void)
{
    if (walking)
        __builtin_longjmp(escape, 1);
}

/* Whether the frame belongs to what called main(). */
static bool is_before_main(const struct pl_thread *t, struct _Unwind_Context *context)
{
    return t != NULL && t->main && _Unwind_GetCFA(context) > t->stack_high;
}

/* The runtime's own frames are left out. */
static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *arg)
{
    struct walk *w = arg;
    int exact = 0;
    uint64_t pc = _Unwind_GetIPInfo(context, &exact);

    if (pc == 0 || w->n == PL_FINDING_ROW_FRAMES || is_before_main(w->thread, context))
        return _URC_END_OF_STACK;
    if (pc < pl_stage->modules.own_start || pc >= pl_stage->modules.own_end)
        w->frames[w->n++] = pc + (exact != 0); /* as a return address */
    return _URC_NO_REASON;
}

/* The stack that it runs on. */
__attribute__((noinline)) static void walk_here(void *arg)
{
    struct walk *w = arg;

    w->n = 0;
    walking = true;
    if (__builtin_setjmp(escape) == 0)
        _Unwind_Backtrace(add_frame, w);
    walking = false;
    w->done = true;
}

/*
 * The unwinder does something once, through a function that is interposed: it must have been done
 * when the runtime itself comes to walk, and on all carriers alike.
 */
void pl_stacks_init(void)
{
    struct walk w = {.n = 0};

    walk_here(&w);
}

/* False: that of an OS thread, which nobody else can walk, or it is not known whose this is. */
static bool walk(struct walk *w)
{
    struct pl_thread *self = pl_free_self;

    if (pl_stage->by_watch)
        return false;
    pl_stage->busy++; /* what the unwinder calls is not the program's doing */
    if (w->thread == pl_thread_self()) {
        if (!pl_monitor_holds()) /* and who does is inside the runtime */
            pl_free_self = NULL;
        walk_here(w);
        pl_free_self = self;
    } else if (pl_board->settings.carrier == PL_CARRIER_FIBER)
        pl_fiber_visit(w->thread->sp, walk_here, w);
    pl_stage->busy--;
    return w->n > 0;
}

static void walk_free(const struct pl_thread *t)
{
    walks[t->id].thread = t;
    walk_here(&walks[t->id]);
}

bool pl_stacks_answer(void)
{
    struct pl_thread *t = pl_free_self;

    if (!asking)
        return false;
    if (t != NULL && !walks[t->id].done) {
        t->free.monitor =
            PL_MONITOR_ENDING; /* what the unwinder calls is not the program's doing */
        walk_free(t);
    }
    for (;;)
        pl_sys(SYS_pause);
}

static void ask(const struct pl_thread *t, long pid)
{
    if (t == pl_free_self)
        walk_free(t);
    else if (t->free.os_tid == 0 || pl_sys(SYS_tgkill, pid, t->free.os_tid, SIGRTMAX) != 0)
        walks[t->id].done = true;
}

static void await_answers(const struct pl_finding *f)
{
    struct timespec step = {.tv_nsec = LOOK_NS};
    unsigned i = 0;

    for (int64_t left = PATIENCE_NS; left > 0 && i < f->n_rows;) {
        if (walks[f->rows[i].tid].done) {
            i++;
            continue;
        }
        pl_sys(SYS_nanosleep, &step, NULL);
        left -= LOOK_NS;
    }
}

/* From the hooks of functions. */
static unsigned copy_shadow(const struct pl_thread *t, uint64_t *to)
{
    unsigned n = t->n_frames < PL_FRAMES_MAX ? t->n_frames : PL_FRAMES_MAX, count = 0;

    for (unsigned i = n; i > 0 && count < PL_FINDING_ROW_FRAMES; i--)
        to[count++] = pl_thread_frame(t, i - 1)->pc;
    return count;
}

unsigned pl_stacks_callers(const struct pl_thread *t, uint64_t pc, uint64_t *to)
{
    struct walk w = {.thread = t};

    if (pc == 0 || pl_place_is_instrumented(pc) || !walk(&w))
        return copy_shadow(t, to);
    pl_memory_copy(to, w.frames, w.n * sizeof(*to));
    return w.n;
}

static void fill_row(struct pl_row *r, uint64_t *to)
{
    const struct walk *w = &walks[r->tid];

    PL_ASSERT(r->tid < PL_THREADS_MAX && w->n <= PL_FINDING_ROW_FRAMES);
    r->walked = w->done && w->n > 0;
    if (r->walked)
        pl_memory_copy(to, w->frames, w->n * sizeof(*to));
    r->n_frames =
        (uint8_t)(r->walked ? w->n : pl_stacks_callers(pl_thread_by_id(r->tid), r->pc, to));
}

/* Whether an earlier row is of the same thread: it is asked once, and stays in its handler. */
static bool is_asked(const struct pl_finding *f, unsigned row)
{
    for (unsigned i = 0; i < row; i++) {
        if (f->rows[i].tid == f->rows[row].tid)
            return true;
    }
    return false;
}

void pl_stacks_fill(struct pl_finding *f)
{
    _Static_assert(PL_FINDING_FRAMES == PL_FINDING_ROW_FRAMES, "a stack fits either");
    long pid = pl_sys(SYS_getpid);

    PL_ASSERT(f->n_rows <= PL_FINDING_ROWS);
    pl_stage->busy++; /* the execution is over: what is called from here on is nobody's operation */
    if (pl_board->settings.carrier != PL_CARRIER_FIBER) {
        asking = true;
        for (unsigned i = 0; i < f->n_rows; i++) {
            if (!is_asked(f, i))
                ask(pl_thread_by_id(f->rows[i].tid), pid);
        }
        await_answers(f);
    }
    for (unsigned i = 0; i < f->n_rows; i++) {
        const struct pl_row *r = &f->rows[i];

        fill_row(&f->rows[i], pl_board->row_frames[i]);
        if (r->tid == f->tid && r->pc == f->pc && r->n_frames > 0) {
            pl_memory_copy(f->frames, pl_board->row_frames[i], r->n_frames * sizeof(*f->frames));
            f->n_frames = r->n_frames;
        }
    }
}
