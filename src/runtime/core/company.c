/* SPDX-License-Identifier: MIT */
/* See company.h. */
#include "runtime/core/company.h"

#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/core/expiry.h"
#include "runtime/core/sched.h"
#include "runtime/core/spin.h"
#include "runtime/ground/alive.h"
#include "runtime/ground/config.h"
#include "runtime/ground/ports.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>

enum {
    STEP_NS = 1000000,
    STEPS = 5000, /* that a thread may need to get what is on its way */
    LATE = 200,   /* times 50 steps that a program may need to begin */
};

static struct pl_company *company(void)
{
    return &pl_board->company;
}

static uint32_t own_number(void)
{
    return pl_stage->process.number;
}

static void rest(void)
{
    const struct timespec step = {.tv_nsec = STEP_NS};

    pl_sys(SYS_nanosleep, &step, NULL);
}

/* ---- who is there ---- */

static bool runs(uint32_t number)
{
    const struct pl_company_process *p = &company()->processes[number];

    return p->state == PL_COMPANY_RUNS && pl_alive(p->pid);
}

/* It does not, but may yet. */
static bool comes(uint32_t number)
{
    const struct pl_company_process *p = &company()->processes[number];

    return p->state == PL_COMPANY_COMING && (p->pid == 0 || pl_alive(p->pid));
}

bool pl_company_has_others(void)
{
    for (uint32_t i = 0; pl_stage->process.company && i < company()->n; i++) {
        if (i != own_number() && (runs(i) || comes(i)))
            return true;
    }
    return false;
}

uint32_t pl_company_enlist(pl_tid first)
{
    struct pl_company *c = company();

    if (c->n >= PL_COMPANY_MOST)
        return 0;
    if (c->n == 0) {
        c->processes[0].pid = (int32_t)pl_sys(SYS_getpid);
        c->processes[0].state = PL_COMPANY_RUNS;
        c->turn = 0;
        c->alive = pl_stage->n_alive;
        c->n = 1;
        pl_stage->process.pid = c->processes[0].pid;
    }
    uint32_t number = c->n;

    PL_ASSERT(number > 0 && first < PL_THREADS_MAX);
    c->processes[number].first = first;
    c->processes[number].pid = pl_stage->process.pid; /* until it says its own */
    c->processes[number].state = PL_COMPANY_RUNS;
    c->n = number + 1;
    return number;
}

uint32_t pl_company_count(int more)
{
    if (!pl_stage->process.company)
        return pl_stage->n_alive;
    return atomic_fetch_add(&company()->alive, (uint32_t)more) + (uint32_t)more;
}

void pl_company_begin(uint32_t number)
{
    PL_ASSERT(number > 0 && number < company()->n);
    pl_stage->process.number = number;
    pl_stage->process.first = company()->processes[number].first;
    pl_stage->process.pid = (int32_t)pl_sys(SYS_getpid);
    company()->processes[number].pid = pl_stage->process.pid;
    company()->processes[number].state = PL_COMPANY_RUNS;
}

void pl_company_expect(uint32_t number)
{
    PL_ASSERT(number > 0 && number < company()->n);
    company()->processes[number].pid = 0;
    company()->processes[number].state = PL_COMPANY_COMING;
}

void pl_company_expected(uint32_t number, int32_t pid)
{
    struct pl_company_process *p = &company()->processes[number];

    if (pid > 0)
        atomic_compare_exchange_strong(&p->pid, &(int32_t){0}, pid);
    else
        p->state = PL_COMPANY_ENDED;
}

void pl_company_replaced(uint32_t number, int32_t pid)
{
    company()->processes[number].pid = pid;
}

void pl_company_quit(enum pl_company_state state)
{
    company()->processes[own_number()].state = (uint8_t)state;
    pl_company_count(-(int)pl_stage->n_alive);
}

void pl_company_return(void)
{
    company()->processes[own_number()].state = PL_COMPANY_RUNS;
    pl_company_count((int)pl_stage->n_alive);
    if (!pl_free)
        pl_company_await();
}

void pl_company_stranger(const char *path)
{
    char *names = pl_board->strangers;
    const char *name = path;
    uint64_t n = pl_text_length(names);

    for (const char *s = path; *s != '\0'; s++)
        name = *s == '/' ? s + 1 : name;
    if (!pl_text_contains(names, name) &&
        n + pl_text_length(name) + sizeof(", ") <= sizeof(pl_board->strangers))
        pl_text_format(names + n, sizeof(pl_board->strangers) - n, "%s%s", n > 0 ? ", " : "", name);
}

/* Whether a process has the board: no other one that has its number by now does. */
static bool has_board(int32_t pid)
{
    struct stat own = {0}, its = {0}; /* so that the kernel may write there */
    char path[64] = {0};

    pl_text_format(path, sizeof(path), "/proc/%d/fd/%d", pid, (int)PL_FD_BOARD);
    return pl_sys(SYS_fstat, PL_FD_BOARD, &own) == 0 &&
           pl_sys(SYS_newfstatat, AT_FDCWD, path, &its, 0) == 0 && own.st_dev == its.st_dev &&
           own.st_ino == its.st_ino;
}

void pl_company_end(void)
{
    int32_t self = (int32_t)pl_sys(SYS_getpid);

    for (uint32_t i = 0; i < company()->n; i++) {
        if (company()->processes[i].pid != self && runs(i) &&
            has_board(company()->processes[i].pid))
            pl_sys(SYS_kill, company()->processes[i].pid, SIGKILL);
    }
}

/* ---- turns ---- */

static void give_turn(uint32_t number, pl_tid wanted)
{
    struct pl_company *c = company();

    PL_ASSERT(c->turn == own_number() && number < c->n);
    c->wanted = wanted;
    c->following = pl_stage->context.following;
    c->turn = number;
    pl_sys(SYS_futex, &c->turn, FUTEX_WAKE, INT32_MAX, 0, 0, 0);
}

/* Whoever was killed while it had the turn gives it to nobody. */
static void take_turn(uint32_t from)
{
    if (atomic_compare_exchange_strong(&company()->turn, &from, own_number()))
        company()->wanted = PL_TID_NONE;
}

void pl_company_await(void)
{
    const struct timespec patience = {.tv_nsec = 50 * STEP_NS};
    struct pl_company *c = company();
    uint32_t turn;

    for (unsigned late = 0; (turn = c->turn) != own_number(); late++) {
        if (pl_sys(SYS_futex, &c->turn, FUTEX_WAIT, turn, &patience, 0, 0) == 0)
            late = 0;
        else if (!runs(turn) && (!comes(turn) || late > LATE))
            take_turn(turn);
    }
    pl_stage->context.following = c->following;
}

void pl_company_hold(void)
{
    company()->following = pl_stage->context.following;
    company()->wanted = PL_TID_NONE;
}

void pl_company_resume(void)
{
    pl_stage->context.following = company()->following;
}

/* The next one that runs, after this; this one when there is none. */
static uint32_t next_process(void)
{
    uint32_t n = company()->n;

    for (uint32_t i = 1; i < n; i++) {
        if (runs((own_number() + i) % n))
            return (own_number() + i) % n;
    }
    return own_number();
}

/* Threads of others as options behind the first n; how many there are with them. */
static unsigned add_others(unsigned n)
{
    for (pl_tid i = 0; i < pl_board->n_threads; i++) {
        const struct pl_thread_name *name = &pl_board->threads[i];
        struct pl_thread *t = pl_thread_by_id(i);

        if (name->process == own_number() || (!runs(name->process) && !comes(name->process)))
            continue;
        t->op = (struct pl_operation){.tid = i, .name = name->name, .waker = PL_TID_NONE};
        pl_stage->scratch.ready[n] = t;
        pl_stage->scratch.next[n++] = &t->op;
    }
    return n;
}

static struct pl_thread *chosen(struct pl_thread *t)
{
    pl_expiry_chosen(t);
    return t;
}

/* The thread that the turn is for, once it can go on: what it waits for may be on its way. */
static struct pl_thread *wanted_thread(void)
{
    pl_tid wanted = company()->wanted;

    if (wanted == PL_TID_NONE)
        return NULL;
    for (unsigned steps = 0; steps < STEPS; steps++) {
        unsigned n = pl_sched_collect();

        for (unsigned i = 0; i < n; i++) {
            if (pl_stage->scratch.ready[i]->id == wanted)
                return chosen(pl_stage->scratch.ready[i]);
        }
        if (pl_thread_by_id(wanted)->state != PL_THREAD_ALIVE)
            return NULL;
        rest();
    }
    return NULL;
}

static int index_of(const struct pl_thread *self, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (pl_stage->scratch.ready[i] == self)
            return (int)i;
    }
    return -1;
}

/* As the schedule has it: true when somebody here goes on. */
static bool follow(struct pl_thread *self, unsigned n, struct pl_thread **out)
{
    unsigned all = add_others(n);
    unsigned taken = pl_sched_choose(PL_CHOICE_THREAD, all, index_of(self, n),
                                     pl_stage->scratch.next, &self->op);

    if (taken < n) {
        *out = chosen(pl_stage->scratch.ready[taken]);
        return true;
    }
    pl_tid tid = pl_stage->scratch.next[taken]->tid;

    give_turn(pl_board->threads[tid].process, tid);
    return false;
}

/* After the end of the schedule, or where nobody is left: true when somebody here goes on. */
static bool go_on(struct pl_thread *self, unsigned n, struct pl_thread **out)
{
    uint32_t next = next_process();

    if (n > 0) {
        *out = chosen(index_of(self, n) >= 0 ? self : pl_stage->scratch.ready[0]);
        return true;
    }
    rest();
    const bool granted = pl_spin_grant(); /* whoever goes round for nothing does so again */

    if (next != own_number())
        give_turn(next, PL_TID_NONE);
    else if (!granted && !pl_company_has_others() && !pl_ports.process->wait_io())
        pl_ports.findings->stuck(false);
    return false;
}

struct pl_thread *pl_company_choose(struct pl_thread *self)
{
    struct pl_thread *t = NULL;

    for (;;) {
        if (pl_stage->process.forked) /* what those do that are on their own is on its way */
            pl_ports.process->rest();
        unsigned n = pl_sched_collect();

        if (pl_stage->signals.n_arrived != pl_stage->signals.n_seen)
            pl_ports.process->arrived();
        if (pl_stage->context.following && (n > 0 || pl_company_has_others()) ? follow(self, n, &t)
                                                                              : go_on(self, n, &t))
            return t;
        pl_company_await();
        t = wanted_thread();
        if (t != NULL)
            return t;
    }
}

void pl_company_stand_aside(struct pl_thread *t)
{
    unsigned n;

    pl_company_hold();
    if (!pl_stage->context.following || company()->turn != own_number())
        return;
    t->op.ordinal = t->ordinal;
    pl_stage->scratch.ready[0] = t;
    pl_stage->scratch.next[0] = &t->op;
    n = add_others(1);
    n = pl_sched_choose(PL_CHOICE_THREAD, n, 0, pl_stage->scratch.next, &t->op);
    if (n > 0) {
        pl_tid tid = pl_stage->scratch.next[n]->tid;

        give_turn(pl_board->threads[tid].process, tid);
    }
}

void pl_company_hand_over(struct pl_thread *t)
{
    uint32_t next = next_process();

    if (next == own_number() || company()->turn != own_number())
        return;
    if (pl_stage->context.following) {
        unsigned n = add_others(0);
        pl_tid tid =
            pl_stage->scratch
                .next[pl_sched_choose(PL_CHOICE_THREAD, n, -1, pl_stage->scratch.next, &t->op)]
                ->tid;

        give_turn(pl_board->threads[tid].process, tid);
    } else {
        give_turn(next, PL_TID_NONE);
    }
}
