/* SPDX-License-Identifier: MIT */
/* See standstill.h. */
#include "runtime/observe/standstill.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/core/company.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/ways.h"
#include "runtime/ground/alive.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/place.h"
#include "runtime/ground/ports.h"
#include "runtime/observe/feed.h"
#include "runtime/observe/report.h"
#include "runtime/observe/stacks.h"

static struct pl_company *company(void)
{
    return &pl_board->company;
}

static struct pl_company_standing *own(void)
{
    return &company()->standing[pl_stage->process.number];
}

/* ---- of one process ---- */

/* Whether only a process under control can let the thread go on. */
static bool stands(struct pl_thread *t)
{
    const struct pl_descriptor *d = pl_descriptor_of(t);

    if (t->timed || !t->announced || t->spin.parked || (pl_free && !t->free.waiting) ||
        pl_ways_of(t) != PL_WAY_BLOCKED)
        return false;
    return d->pause == NULL || (d->is_company != NULL && d->is_company(t));
}

/* Rows are told as a finding has them: the others look at them. */
static void say(struct pl_thread *t, struct pl_company_standing *s)
{
    static struct pl_finding f; /* too large for a stack; inside */

    if (s->n_rows == PL_COMPANY_ROWS)
        return;
    f.n_rows = 0;
    pl_report_row(&f, t);
    f.rows[0].pc = pl_place_told(f.rows[0].pc);
    f.rows[0].since = pl_place_told(f.rows[0].since);
    s->rows[s->n_rows++] = f.rows[0];
}

/* True when it has been said. */
static bool say_all(void)
{
    struct pl_company_standing *s = own();

    if (pl_stage->process.forked || pl_ports.process->hears())
        return false;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state == PL_THREAD_ALIVE && !stands(t))
            return false;
    }
    s->n_rows = 0;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE)
            continue;
        say(t, s);
        company()->at[i] = t->announced ? t->op.ordinal : t->ordinal;
    }
    s->performed = company()->performed + 1;
    return true;
}

/* ---- of all of them ---- */

/* A process that has ended may still be closing what it had, or wait to be asked for. */
static bool is_gone(const struct pl_company_process *p)
{
    char path[64];

    pl_text_format(path, sizeof(path), "/proc/%d", p->pid);
    return p->pid == 0 || pl_sys(SYS_faccessat, -100, path, 0) != 0;
}

static bool all_stand(unsigned *processes, unsigned *threads)
{
    *processes = *threads = 0;
    for (uint32_t i = 0; i < company()->n; i++) {
        const struct pl_company_process *p = &company()->processes[i];
        const struct pl_company_standing *s = &company()->standing[i];

        if (p->state != PL_COMPANY_RUNS || !pl_alive(p->pid)) {
            if (!is_gone(p))
                return false;
            continue;
        }
        if (s->performed != company()->performed + 1)
            return false;
        ++*processes;
        *threads += s->n_rows;
    }
    return true;
}

/* The same in every replay: who waits.  Where a call of libc was interrupted is chance. */
static uint64_t signature(const struct pl_finding *f)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < f->n_rows; i++)
        sum += pl_hash_mix(pl_board->threads[f->rows[i].tid].name);
    return pl_hash_add(pl_hash_add(PL_FINDING_DEADLOCK, 2), sum) | 1;
}

void pl_standstill_add(struct pl_finding *f)
{
    for (uint32_t i = 0; pl_stage->process.company && i < company()->n; i++) {
        const struct pl_company_standing *s = &company()->standing[i];

        if (i == pl_stage->process.number || s->performed == 0 ||
            company()->processes[i].state != PL_COMPANY_RUNS)
            continue;
        for (unsigned k = 0; k < s->n_rows && f->n_rows < PL_FINDING_ROWS; k++)
            f->rows[f->n_rows++] = s->rows[k];
    }
}

__attribute__((noreturn)) static void report(unsigned processes, unsigned threads)
{
    struct pl_finding *f = pl_report_start(
        PL_FINDING_DEADLOCK, own()->rows[0].pc,
        "%u processes wait for each other: none of their %u threads can go on", processes, threads);

    f->tid = own()->rows[0].tid;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_thread_by_id(i)->state == PL_THREAD_ALIVE)
            pl_report_row(f, pl_thread_by_id(i));
    }
    pl_stacks_fill(f);
    pl_standstill_add(f);
    f->signature = signature(f);
    pl_stage->context.stuck = true;
    pl_report_end(f);
    __builtin_unreachable();
}

void pl_standstill_look(void)
{
    unsigned processes, threads;

    own()->performed = 0;
    if (say_all() && pl_detect_wants(PL_DETECT_DEADLOCK) && all_stand(&processes, &threads) &&
        processes > 1)
        report(processes, threads);
}
