/* SPDX-License-Identifier: MIT */
/*
 * To wait at a futex is to read its word, to wake touches no memory.
 *
 * FACE 0: it is woken before the store: whoever looks in between sleeps for ever.
 * FACE 1: the same with a plain store.
 * FACE 2: the comparison of FUTEX_CMP_REQUEUE: it fails if the store comes first, claimed not to.
 * FACE 3: a wake of a word that has been freed meanwhile.
 * FACE 4: FUTEX_WAKE_OP stores and wakes at two words.
 * FACE 5: FUTEX_CMP_REQUEUE moves a waiter, who is woken where it has come to.
 * FACE 6: a lock with an owner, which is handed over.
 *
 * RUN    -DFACE=0 plait test -s dpor
 * EXPECT deadlock
 *
 * RUN    -DFACE=0 plait test -s dfs
 * EXPECT deadlock
 *
 * RUN    -DFACE=1 plait test -s dpor
 * EXPECT deadlock
 *
 * RUN    -DFACE=2 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DFACE=3 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=3 plait test -s random -n 300
 * EXPECT clean
 *
 * RUN    -DFACE=4 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=4 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DFACE=5 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=6 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=6 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DFACE=4 native
 * EXPECT exit=0
 *
 * RUN    -DFACE=6 native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word, second, inside;

static long futex(int *at, int operation, int value, long value2, int *at2, int value3)
{
    return syscall(SYS_futex, at, operation, value, value2, at2, value3);
}

static void store(int *at, int value)
{
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}

/* ---- a lock that is freed by its last user ---- */

struct shared {
    atomic_int lock;
    int users;
};

static void leave(struct shared *s)
{
    int unlocked = 0;

    if (!atomic_compare_exchange_strong(&s->lock, &unlocked, 1))
        while (atomic_exchange(&s->lock, 2) != 0)
            futex((int *)&s->lock, FUTEX_WAIT, 2, 0, NULL, 0);
    int last = --s->users == 0;

    if (atomic_exchange(&s->lock, 0) == 2)
        futex((int *)&s->lock, FUTEX_WAKE, 1, 0, NULL, 0);
    if (last)
        free(s);
}

/* ---- a lock with an owner ---- */

static void section(void)
{
    assert(futex(&word, FUTEX_LOCK_PI, 0, 0, NULL, 0) == 0);
    assert((word & FUTEX_TID_MASK) == syscall(SYS_gettid));
    assert(inside++ == 0);
    inside--;
    assert(futex(&word, FUTEX_UNLOCK_PI, 0, 0, NULL, 0) == 0);
}

static void *other(void *arg)
{
    switch (FACE) {
    case 0:
        futex(&word, FUTEX_WAKE, 1, 0, NULL, 0);
        store(&word, 1);
        break;
    case 1:
        futex(&word, FUTEX_WAKE, 1, 0, NULL, 0);
        word = 1;
        break;
    case 2:
        store(&word, 1);
        break;
    case 3:
        leave(arg);
        break;
    case 4:
        store(&word, 1);
        assert(futex(&word, FUTEX_WAKE_OP, 1, 1, &second,
                     FUTEX_OP(FUTEX_OP_ADD, 2, FUTEX_OP_CMP_EQ, 0)) >= 0);
        break;
    case 5:
        futex(&word, FUTEX_WAIT, 0, 0, NULL, 0);
        break;
    default:
        section();
    }
    return NULL;
}

int main(void)
{
    struct shared *s = NULL;
    pthread_t t;

    if (FACE == 3) {
        s = malloc(sizeof(*s));
        atomic_init(&s->lock, 0);
        s->users = 2;
    }
    pthread_create(&t, NULL, other, s);
    switch (FACE) {
    case 0:
    case 1:
        futex(&word, FUTEX_WAIT, 0, 0, NULL, 0);
        break;
    case 2:
        assert(futex(&word, FUTEX_CMP_REQUEUE, 1, 1, &second, 0) >= 0);
        break;
    case 3:
        leave(s);
        break;
    case 4:
        futex(&second, FUTEX_WAIT, 0, 0, NULL, 0);
        break;
    case 5: /* it is moved, or has not begun to wait: then the word keeps it from that */
        futex(&word, FUTEX_CMP_REQUEUE, 0, 1, &second, 0);
        store(&word, 1);
        futex(&second, FUTEX_WAKE, 1, 0, NULL, 0);
        futex(&word, FUTEX_WAKE, 1, 0, NULL, 0);
        break;
    default:
        section();
    }
    pthread_join(t, NULL);
    assert(FACE != 4 || second == 2);
    return 0;
}
