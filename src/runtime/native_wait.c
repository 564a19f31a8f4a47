/* SPDX-License-Identifier: MIT */
/*
 * What libc's own objects tell about who waits for whom.  Read while other threads may run, when
 * an execution takes too long: what is found there need not be true a moment later.
 */
#include "runtime/native_begin.h"

#include <semaphore.h>

static int32_t writer_of(uint64_t lock)
{
    return ((const pthread_rwlock_t *)lock)->__data.__cur_writer;
}

pl_tid pl_native_holder(const struct pl_thread *t)
{
    int32_t owner = 0;

    switch (t->op.kind) {
    case PL_OP_MUTEX_LOCK:
    case PL_OP_MUTEX_TIMEDLOCK:
        owner = ((const pthread_mutex_t *)t->op.addr)->__data.__owner;
        break;
    case PL_OP_RWLOCK_READ:
    case PL_OP_RWLOCK_TIMEDREAD:
    case PL_OP_RWLOCK_WRITE:
    case PL_OP_RWLOCK_TIMEDWRITE:
        owner = writer_of(t->op.addr);
        break;
    case PL_OP_THREAD_JOIN:
    case PL_OP_THREAD_TIMEDJOIN:
        return (pl_tid)t->op.aux;
    default:
        break;
    }
    return owner != 0 ? pl_native_thread_by_os(owner) : PL_TID_NONE;
}

static bool is_blocked(const struct pl_thread *t)
{
    int value = 1;

    switch (t->op.kind) {
    case PL_OP_MUTEX_LOCK:
    case PL_OP_MUTEX_TIMEDLOCK:
        return ((const pthread_mutex_t *)t->op.addr)->__data.__lock != 0;
    case PL_OP_RWLOCK_READ:
    case PL_OP_RWLOCK_TIMEDREAD:
        return writer_of(t->op.addr) != 0;
    case PL_OP_RWLOCK_WRITE:
    case PL_OP_RWLOCK_TIMEDWRITE:
        return ((const pthread_rwlock_t *)t->op.addr)->__data.__readers != 0;
    case PL_OP_SPIN_LOCK:
        return *(const volatile int *)t->op.addr <= 0; /* 1: free */
    case PL_OP_SEM_WAIT:
    case PL_OP_SEM_TIMEDWAIT:
        value = (int)*(const volatile uint32_t *)t->op.addr;
        return value == 0;
    case PL_OP_THREAD_JOIN:
    case PL_OP_THREAD_TIMEDJOIN:
        return t->op.aux >= pl_stage->n_threads ||
               pl_thread_by_id((pl_tid)t->op.aux)->state == PL_THREAD_ALIVE;
    case PL_OP_COND_WAKE:
    case PL_OP_BARRIER_WAIT:
    case PL_OP_ONCE:
    case PL_OP_GUARD:
    case PL_OP_IO:
    case PL_OP_SIGNAL_WAIT:
    case PL_OP_SLEEP:
        return true;
    default:
        return false;
    }
}

enum pl_way pl_native_way(const struct pl_thread *t)
{
    return t->announced && is_blocked(t) ? PL_WAY_BLOCKED : PL_WAY_NORMAL;
}
