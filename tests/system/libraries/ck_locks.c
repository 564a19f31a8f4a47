/* SPDX-License-Identifier: MIT */
/* Concurrency Kit: spin locks, whose loops are inline assembly. */
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>
static ck_spinlock_fas_t fas = CK_SPINLOCK_FAS_INITIALIZER;
static ck_spinlock_ticket_t ticket = CK_SPINLOCK_TICKET_INITIALIZER;
static int a, b;
static void *work(void *x)
{
    ck_spinlock_fas_lock(&fas);
    a++;
    ck_spinlock_fas_unlock(&fas);
    ck_spinlock_ticket_lock(&ticket);
    b++;
    ck_spinlock_ticket_unlock(&ticket);
    return x;
}
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, NULL, work, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    assert(a == 2 && b == 2);
    return 0;
}
