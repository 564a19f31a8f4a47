/* SPDX-License-Identifier: MIT */
/*
 * Two rwlocks in two orders.  Readers do not keep readers out, whatever the order.
 *
 * RUN -DA1=rdlock -DB1=rdlock -DB2=rdlock -DA2=rdlock plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 * RUN -DA1=rdlock -DB1=wrlock -DB2=rdlock -DA2=wrlock plait test -s random -n 1 --detect lock-order
 * EXPECT deadlock confirmed=yes threads=2
 * RUN -DA1=wrlock -DB1=rdlock -DB2=wrlock -DA2=rdlock plait test -s random -n 1 --detect lock-order
 * EXPECT deadlock confirmed=yes threads=2
 * RUN -DA1=rdlock -DB1=rdlock -DB2=wrlock -DA2=wrlock plait test -s random -n 1 --detect lock-order
 * EXPECT deadlock confirmed=yes threads=2
 * RUN -DA1=rdlock -DB1=rdlock -DB2=wrlock -DA2=rdlock plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 * RUN -DA1=wrlock -DB1=wrlock -DB2=wrlock -DA2=wrlock plait test -s pcb -n 1 --detect lock-order
 * EXPECT deadlock confirmed=yes threads=2
 */
#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;

#define CONCAT(x, y) x##y
#define LOCK(how, which) CONCAT(pthread_rwlock_, how)(&which)

static void *one(void *unused)
{
    LOCK(A1, a);
    LOCK(B1, b);
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return unused;
}

static void *two(void *unused)
{
    LOCK(B2, b);
    LOCK(A2, a);
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
