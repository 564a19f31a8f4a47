/* SPDX-License-Identifier: MIT */
/* See others.h. */
#include "runtime/sync/others.h"

#include "base/sys.h"
#include "runtime/core/sched.h"
#include "runtime/ground/ports.h"

#include <linux/futex.h>
#include <stddef.h>

static int64_t robust_at; /* where libc's list of robust locks is, from the thread pointer */

void pl_others_init(void)
{
    struct robust_list_head *head = NULL;
    uint64_t pointer;
    size_t size;

    __asm__("mov %%fs:0, %0" : "=r"(pointer));
    if (pl_sys(SYS_get_robust_list, 0, &head, &size) == 0 && head != NULL && size == sizeof(*head))
        robust_at = (int64_t)((uint64_t)head - pointer);
}

void pl_others_point(const void *object, uint64_t pc)
{
    if (!pl_free && pl_stage->rooted)
        pl_sched_point(PL_OP_FUTEX_UPDATE, object, sizeof(uint32_t), 0, pc);
}

/* The lock's owner is dead: whoever has it next is told.  The thread is in no call of the program
 * any more. */
static void leave_lock(uint32_t *word, struct pl_thread *t)
{
    const uint64_t wake[6] = {(uint64_t)word, FUTEX_WAKE, 1};
    const uint64_t nowhere[8] = {[6] = t->op.pc, [7] = t->stack_high};

    pl_others_point(word, t->op.pc);
    uint32_t before = __atomic_load_n(word, __ATOMIC_SEQ_CST);

    while (!__atomic_compare_exchange_n(word, &before, (before & FUTEX_WAITERS) | FUTEX_OWNER_DIED,
                                        false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    if ((before & FUTEX_WAITERS) != 0)
        pl_ports.process->call(SYS_futex, wake, nowhere);
    t->entry = NULL;
}

void pl_others_abandon(struct pl_thread *t)
{
    enum { MOST = 2048 }; /* the kernel does not look further either */
    struct robust_list_head *head =
        (struct robust_list_head *)((uint64_t)t->tp + (uint64_t)robust_at);

    if (robust_at == 0 || pl_free || t->id == 0)
        return;
    struct robust_list *at = head->list.next;

    if (at == NULL || at == &head->list)
        return; /* its memory is not touched for nothing */
    head->list.next = &head->list;
    for (unsigned i = 0; i < MOST && at != NULL && at != &head->list; i++) {
        char *entry = (char *)((uint64_t)at & ~UINT64_C(1)); /* it inherits priorities */
        struct robust_list *next = ((struct robust_list *)entry)->next;

        leave_lock((uint32_t *)(entry + head->futex_offset), t);
        at = next;
    }
}
