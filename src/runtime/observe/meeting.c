/* SPDX-License-Identifier: MIT */
/*
 * Two accesses that were found to race are to be seen next to each other: here is
 * noticed when they are, and what each of them saw and both of them left.
 *
 * An access is told when it is about to happen, so what it reads is what is there
 * then, and what it writes is there when the next operation is about to happen.
 * Memory is read through the kernel: it may be gone by the time we look.
 */
#include "runtime/observe/meeting.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/observer.h"
#include "runtime/ground/stage.h"

#include <sys/uio.h>

static uint8_t peek(unsigned char *to, uint64_t addr, uint64_t size)
{
    size_t n = size < PL_MEETING_BYTES ? size : PL_MEETING_BYTES;
    struct iovec here = {to, n}, there = {(void *)addr, n};
    long self = pl_sys(SYS_getpid);
    long got = pl_sys(SYS_process_vm_readv, self, &here, 1, &there, 1, 0);

    return got > 0 ? (uint8_t)got : 0;
}

static void look_at_rest(struct pl_meeting *m)
{
    if (!m->pending)
        return;
    m->pending = false;
    for (unsigned i = 0; i < 2; i++)
        m->sides[i].n_left = peek(m->sides[i].left, m->sides[i].addr, m->sides[i].size);
}

static bool overlap(const struct pl_meeting_side *a, const struct pl_meeting_side *b)
{
    return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

static bool reads(unsigned kind)
{
    return !pl_operation_is(kind, PL_ROLE_OVERWRITES);
}

/* Which member this could be, after `last`; other threads than then may play the parts. */
static int find_member(const struct pl_meeting *m, const struct pl_operation *op)
{
    const struct pl_goal_member *members = pl_board->goal.members;

    if (m->last != 0 && op->tid != m->tid && op->pc == members[2 - m->last].pc)
        return 2 - m->last;
    for (int i = 0; i < 2; i++) {
        if (op->pc == members[i].pc && op->name == members[i].name)
            return i;
    }
    return op->pc == members[0].pc ? 0 : op->pc == members[1].pc ? 1 : -1;
}

static void note(struct pl_meeting *m, const struct pl_operation *op)
{
    int i = pl_operation_object(op->kind) == PL_OBJECT_MEMORY ? find_member(m, op) : -1;
    unsigned before = m->last;

    PL_ASSERT(before <= 2 && !m->happened);
    m->last = 0;
    if (i < 0)
        return;
    struct pl_meeting_side *side = &m->sides[i];

    *side = (struct pl_meeting_side){.addr = op->addr, .size = op->size, .reads = reads(op->kind)};
    side->n_saw = peek(side->saw, op->addr, op->size);
    if (before == 2 - (unsigned)i && op->tid != m->tid && overlap(side, &m->sides[1 - i])) {
        m->happened = m->pending = true;
        m->first = (uint8_t)(1 - i);
    } else {
        m->last = (uint8_t)(i + 1);
        m->tid = op->tid;
    }
}

static void begin(void)
{
    if (pl_board->meeting.happened || pl_board->meeting.last != 0)
        pl_board->meeting = (struct pl_meeting){0};
}

static void performed(struct pl_thread *t, const struct pl_operation *op)
{
    struct pl_meeting *m = &pl_board->meeting;

    look_at_rest(m);
    if (!m->happened && !op->noted) /* nobody could have gone in between */
        note(m, op);
}

static void last(void)
{
    look_at_rest(&pl_board->meeting);
}

static bool wanted(bool rooted)
{
    return rooted && pl_board->goal.n_members > 0 && pl_board->goal.kind == PL_FINDING_RACE;
}

const struct pl_observer pl_meeting_observer = {
    .wanted = wanted, .begin = begin, .performed = performed, .last = last};
