/* SPDX-License-Identifier: MIT */
/*
 * C11 <threads.h>, in terms of the pthread functions, as glibc does it: the
 * types have the same layout.
 */
#include "runtime/access/access.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <threads.h>

/* The pthread functions' inner halves; the entry stub has run already. */
int pl_in_pthread_mutex_lock(pthread_mutex_t *);
int pl_in_pthread_mutex_trylock(pthread_mutex_t *);
int pl_in_pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int pl_in_pthread_mutex_unlock(pthread_mutex_t *);
int pl_in_pthread_mutex_destroy(pthread_mutex_t *);
int pl_in_pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pl_in_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int pl_in_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pl_in_pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int pl_in_pthread_cond_signal(pthread_cond_t *);
int pl_in_pthread_cond_broadcast(pthread_cond_t *);
int pl_in_pthread_cond_destroy(pthread_cond_t *);
int pl_in_pthread_join(pthread_t, void **);
int pl_in_pthread_detach(pthread_t);
int pl_in_pthread_once(pthread_once_t *, void (*)(void));
int pl_in_pthread_key_create(pthread_key_t *, void (*)(void *));
int pl_in_pthread_key_delete(pthread_key_t);
void *pl_in_pthread_getspecific(pthread_key_t);
int pl_in_pthread_setspecific(pthread_key_t, const void *);
int pl_in_sched_yield(void);

static int result_of(int rc)
{
    switch (rc) {
    case 0:
        return thrd_success;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    default:
        return thrd_error;
    }
}

PL_INTERPOSE(int, thrd_create, (thrd_t * out, thrd_start_t start, void *arg))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(out, sizeof(*out), true, pl_entry());
    if (!pl_begin(&t, &pc))
        return pl_on() ? thrd_error : PL_FALLBACK(thrd_create)(out, start, arg);
    return result_of(pl_thread_create(out, NULL, (void *(*)(void *))(void *)start, arg, pc));
}

PL_INTERPOSE(int, thrd_join, (thrd_t handle, int *result))
{
    const uint64_t *entry = pl_entry();
    void *value = NULL;
    int rc = pl_in_pthread_join(handle, &value);

    if (rc == 0 && result != NULL) {
        pl_access_after(result, sizeof(*result), entry);
        *result = (int)(intptr_t)value;
    }
    return result_of(rc);
}

PL_INTERPOSE(int, thrd_detach, (thrd_t handle))
{
    return result_of(pl_in_pthread_detach(handle));
}

PL_INTERPOSE(void, thrd_exit, (int result))
{
    pl_thread_unwind((void *)(intptr_t)result);
}

PL_INTERPOSE(void, thrd_yield, (void))
{
    pl_in_sched_yield();
}

PL_INTERPOSE(int, mtx_init, (mtx_t * m, int type))
{
    pthread_mutexattr_t attr;

    pl_real.pthread_mutexattr_init(&attr);
    if (type == (mtx_plain | mtx_recursive) || type == (mtx_timed | mtx_recursive))
        pl_real.pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    return result_of(pl_in_pthread_mutex_init((pthread_mutex_t *)m, &attr));
}

PL_INTERPOSE(int, mtx_lock, (mtx_t * m))
{
    return result_of(pl_in_pthread_mutex_lock((pthread_mutex_t *)m));
}

PL_INTERPOSE(int, mtx_trylock, (mtx_t * m))
{
    return result_of(pl_in_pthread_mutex_trylock((pthread_mutex_t *)m));
}

PL_INTERPOSE(int, mtx_timedlock, (mtx_t * m, const struct timespec *until))
{
    return result_of(pl_in_pthread_mutex_timedlock((pthread_mutex_t *)m, until));
}

PL_INTERPOSE(int, mtx_unlock, (mtx_t * m))
{
    return result_of(pl_in_pthread_mutex_unlock((pthread_mutex_t *)m));
}

PL_INTERPOSE(void, mtx_destroy, (mtx_t * m))
{
    pl_in_pthread_mutex_destroy((pthread_mutex_t *)m);
}

PL_INTERPOSE(int, cnd_init, (cnd_t * c))
{
    return result_of(pl_in_pthread_cond_init((pthread_cond_t *)c, NULL));
}

PL_INTERPOSE(int, cnd_wait, (cnd_t * c, mtx_t *m))
{
    return result_of(pl_in_pthread_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m));
}

PL_INTERPOSE(int, cnd_timedwait, (cnd_t * c, mtx_t *m, const struct timespec *until))
{
    return result_of(
        pl_in_pthread_cond_timedwait((pthread_cond_t *)c, (pthread_mutex_t *)m, until));
}

PL_INTERPOSE(int, cnd_signal, (cnd_t * c))
{
    return result_of(pl_in_pthread_cond_signal((pthread_cond_t *)c));
}

PL_INTERPOSE(int, cnd_broadcast, (cnd_t * c))
{
    return result_of(pl_in_pthread_cond_broadcast((pthread_cond_t *)c));
}

PL_INTERPOSE(void, cnd_destroy, (cnd_t * c))
{
    pl_in_pthread_cond_destroy((pthread_cond_t *)c);
}

PL_INTERPOSE(void, call_once, (once_flag * flag, void (*init)(void)))
{
    pl_in_pthread_once((pthread_once_t *)flag, init);
}

PL_INTERPOSE(int, tss_create, (tss_t * key, tss_dtor_t destructor))
{
    return result_of(pl_in_pthread_key_create((pthread_key_t *)key, destructor));
}

PL_INTERPOSE(void, tss_delete, (tss_t key))
{
    pl_in_pthread_key_delete(key);
}

PL_INTERPOSE(void *, tss_get, (tss_t key))
{
    return pl_in_pthread_getspecific(key);
}

PL_INTERPOSE(int, tss_set, (tss_t key, void *value))
{
    return result_of(pl_in_pthread_setspecific(key, value));
}
