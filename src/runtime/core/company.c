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
#include "runtime/ground/monitor.h"
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

bool pl_company_killed(pl_tid tid)
{
    const uint32_t number = pl_board->threads[tid].process;
    const struct pl_company_process *p = &company()->processes[number];

    return number != own_number() && p->state == PL_COMPANY_RUNS && p->pid > 0 && !pl_alive(p->pid);
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
        c->processes[0].made = true;
        c->processes[0].state = PL_COMPANY_RUNS;
        c->turn = 0;
        c->wanted = PL_TID_NONE;
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
    company()->processes[number].made = true;
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
    company()->processes[number].made = true;
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

bool pl_company_has(int32_t pid)
{
    bool any = false;

    for (uint32_t i = 0; i < company()->n; i++)
        any |= company()->processes[i].pid == pid && runs(i);
    return any;
}

void pl_company_awaits(int32_t pid)
{
    struct pl_company_process *p = &company()->processes[own_number()];

    p->awaits = pid;
    p->awaited = company()->performed;
}

/* The process that has what that one waits for; 0: it does not wait, or is none of these. */
static int32_t awaited_by(int32_t pid)
{
    for (uint32_t i = 0; i < company()->n; i++) {
        const struct pl_company_process *p = &company()->processes[i];

        if (p->pid == pid && runs(i) && p->awaited == company()->performed)
            return p->awaits;
    }
    return 0;
}

bool pl_company_closes(int32_t pid)
{
    for (uint32_t i = 0; i < company()->n && pid != 0 && pid != pl_stage->process.pid; i++)
        pid = awaited_by(pid);
    return pid == pl_stage->process.pid;
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

    pl_text_format(path, sizeof(path), "/proc/%d/fd/%d", pid, pl_fd(PL_FD_BOARD));
    return pl_sys(SYS_fstat, pl_fd(PL_FD_BOARD), &own) == 0 &&
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

void pl_company_settle(void)
{
    const struct timespec step = {.tv_nsec = STEP_NS / 20};

    pl_company_end();
    for (uint32_t i = 1; i < company()->n; i++) {
        for (unsigned steps = 0; steps < STEPS && runs(i); steps++)
            pl_sys(SYS_nanosleep, &step, NULL);
    }
}

/* ---- turns ---- */

static void give_turn(uint32_t number, pl_tid wanted)
{
    struct pl_company *c = company();

    PL_ASSERT(c->turn == own_number() && number < c->n);
    c->wanted = wanted;
    c->following = pl_stage->context.following;
    c->now = pl_stage->now > c->now ? pl_stage->now : c->now;
    c->turn = number;
    pl_sys(SYS_futex, &c->turn, FUTEX_WAKE, INT32_MAX, 0, 0, 0);
}

/* Whoever was killed while it had the turn gives it to nobody. */
static void take_turn(uint32_t from)
{
    if (atomic_compare_exchange_strong(&company()->turn, &from, own_number()))
        company()->wanted = PL_TID_NONE;
}

/* Signals that other processes have sent, also where the kernel holds them back. */
static void hear(void)
{
    while (pl_ports.process->take_in())
        pl_ports.process->arrived();
    if (pl_stage->signals.n_arrived != pl_stage->signals.n_seen)
        pl_ports.process->arrived();
}

/* Somebody wants to know who can go on here. */
static void answer(void)
{
    struct pl_company *c = company();
    uint32_t asker = c->asker - 1;

    PL_ASSERT(asker < c->n && asker != own_number());
    hear();
    if (c->grants)
        pl_spin_grant();
    unsigned n = pl_sched_collect();

    for (unsigned i = 0; i < n; i++) {
        const struct pl_thread *t = pl_stage->scratch.ready[i];

        c->offers[t->id] = (struct pl_company_offer){true, t->op.early, pl_expiry_moment(t)};
    }
    give_turn(asker, PL_TID_NONE);
}

static void await_turn(void)
{
    const struct timespec patience = {.tv_nsec = 50 * STEP_NS};
    struct pl_company *c = company();
    uint64_t before = c->performed;
    uint32_t turn;

    for (unsigned late = 0; (turn = c->turn) != own_number(); late++) {
        if (pl_sys(SYS_futex, &c->turn, FUTEX_WAIT, turn, &patience, 0, 0) == 0)
            late = 0;
        else if (!runs(turn) && (!comes(turn) || late > LATE))
            take_turn(turn);
    }
    pl_monitor_await_end();
    pl_stage->context.following = c->following;
    if (!pl_board->settings.starts_chosen && c->now > pl_stage->now) /* there is one time */
        pl_stage->now = c->now;
    if (c->performed != before) /* what could not be done may succeed now */
        pl_stage->process.calls_changed++;
}

void pl_company_await(void)
{
    for (await_turn(); company()->asker != 0; await_turn())
        answer();
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
        uint32_t number = (own_number() + i) % n;

        if (company()->processes[number].made && runs(number))
            return number;
    }
    return own_number();
}

/* Whether nobody has decided beforehand who goes on. */
static bool searches(void)
{
    return !pl_stage->context.replaying;
}

/* Ask all others who can go on; with `grants` also whoever has gone round for nothing. */
static void ask_others(bool grants)
{
    struct pl_company *c = company();

    for (pl_tid i = 0; i < pl_board->n_threads; i++)
        c->offers[i].can = false;
    c->asker = own_number() + 1;
    c->grants = grants;
    for (uint32_t i = 0; i < c->n; i++) {
        if (i == own_number() || c->processes[i].state != PL_COMPANY_RUNS || !c->processes[i].made)
            continue;
        give_turn(i, PL_TID_NONE);
        await_turn();
    }
    c->asker = 0;
}

/* Whoever waits for a later moment is not asked, unless early. */
static uint64_t latest(unsigned n)
{
    uint64_t first = UINT64_MAX;

    for (unsigned i = 0; i < n; i++) {
        uint64_t moment = pl_expiry_moment(pl_stage->scratch.ready[i]);

        first = moment < first ? moment : first;
    }
    for (pl_tid i = 0; i < pl_board->n_threads; i++) {
        const struct pl_company_offer *o = &company()->offers[i];

        first = o->can && o->moment < first ? o->moment : first;
    }
    return first;
}

/* Of those who can go on here and elsewhere the ones whose time has come; how many are here. */
static unsigned keep_due(unsigned n)
{
    uint64_t last = latest(n);
    unsigned kept = 0;

    for (unsigned i = 0; i < n; i++) {
        struct pl_thread *t = pl_stage->scratch.ready[i];

        if (pl_expiry_moment(t) > last && !t->op.early)
            continue;
        pl_stage->scratch.ready[kept] = t;
        pl_stage->scratch.next[kept++] = &t->op;
    }
    for (pl_tid i = 0; i < pl_board->n_threads; i++) {
        struct pl_company_offer *o = &company()->offers[i];

        o->can = o->can && (o->moment <= last || o->early);
    }
    return kept;
}

/* Threads of others as options behind the first n; how many there are with them. */
static unsigned add_others(unsigned n)
{
    for (pl_tid i = 0; i < pl_board->n_threads; i++) {
        const struct pl_thread_name *name = &pl_board->threads[i];
        struct pl_thread *t = pl_thread_by_id(i);

        if (name->process == own_number() ||
            (searches() ? !company()->offers[i].can
                        : !runs(name->process) && !comes(name->process)))
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
        hear();
        unsigned n = pl_sched_collect();

        for (unsigned i = 0; i < n; i++) {
            if (pl_stage->scratch.ready[i]->id != wanted)
                continue;
            company()->wanted = PL_TID_NONE; /* of this turn; as long as it cannot, it may yet */
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

/* One of those who are listed, the first n of them here; true when that one is here. */
static bool take(unsigned n, unsigned all, int running, const struct pl_operation *at,
                 struct pl_thread **out)
{
    unsigned taken = pl_sched_choose(PL_CHOICE_THREAD, all, running, pl_stage->scratch.next, at);

    if (taken < n) {
        *out = chosen(pl_stage->scratch.ready[taken]);
        return true;
    }
    pl_tid tid = pl_stage->scratch.next[taken]->tid;

    give_turn(pl_board->threads[tid].process, tid);
    return false;
}

/* As the schedule has it: true when somebody here goes on. */
static bool follow(struct pl_thread *self, unsigned n, struct pl_thread **out)
{
    return take(n, add_others(n), index_of(self, n), &self->op, out);
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

    if (!granted)
        pl_ports.findings->standstill();
    if (next != own_number())
        give_turn(next, PL_TID_NONE);
    else if (!granted && !pl_company_has_others() && !pl_ports.process->wait_io())
        pl_ports.findings->stuck(false);
    return false;
}

/* The first n in ready[] can go on here, and the rest elsewhere; how many there are. */
static unsigned list_all(unsigned *n)
{
    ask_others(false);
    *n = keep_due(pl_sched_collect());
    unsigned all = add_others(*n);

    if (all > 0)
        return all;
    ask_others(true);
    pl_spin_grant();
    *n = keep_due(pl_sched_collect());
    return add_others(*n);
}

/* In the place of a thread that has ended with its process: what that leaves behind has come. */
static bool succeed(unsigned n, unsigned all, struct pl_thread **out)
{
    struct pl_company_left *left = &company()->left;
    const struct pl_operation at = left->op;
    uint64_t digest = pl_stage->digest;

    left->is = false;
    pl_stage->digest = left->digest;
    bool here = take(n, all, -1, &at, out);

    pl_stage->digest = digest;
    return here;
}

/* As the strategy has it: true when somebody here goes on. */
static bool search(struct pl_thread *self, struct pl_thread **out)
{
    const struct pl_company_left *left = &company()->left;
    unsigned n;

    while (left->is && left->pid != 0 && pl_alive(left->pid))
        rest();
    unsigned all = list_all(&n);

    if (all == 0)
        return go_on(self, 0, out);
    return left->is ? succeed(n, all, out) : take(n, all, index_of(self, n), &self->op, out);
}

/* What others stand at may change. */
static struct pl_thread *goes_on(struct pl_thread *t)
{
    company()->performed++;
    company()->standing[own_number()].performed = 0;
    return t;
}

struct pl_thread *pl_company_choose(struct pl_thread *self)
{
    struct pl_thread *t = NULL;

    for (;;) {
        if (pl_stage->process.forked) /* what those do that are on their own is on its way */
            pl_ports.process->rest();
        hear();
        unsigned n = pl_sched_collect_wanted(self);

        if (searches() ? search(self, &t)
            : pl_stage->context.following && (n > 0 || pl_company_has_others())
                ? follow(self, n, &t)
                : go_on(self, n, &t))
            return goes_on(t);
        pl_company_await();
        t = wanted_thread();
        if (t != NULL)
            return goes_on(t);
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
    if (searches()) {
        bool ends = company()->processes[own_number()].state == PL_COMPANY_RUNS;

        company()->left = (struct pl_company_left){true, ends ? pl_stage->process.pid : 0,
                                                   pl_stage->digest, t->op};
        give_turn(next, PL_TID_NONE);
        return;
    }
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
