/* SPDX-License-Identifier: MIT */
/*
 * Readers do not keep each other out; a writer comes before or after them, and one who only tries
 * may fail.
 *
 * RUN    plait test -s dpor --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:plain --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:rw --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:dd --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock --keep-going
 * EXPECT clean complete
 */
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t other = PTHREAD_RWLOCK_INITIALIZER;
static int x, y, seen[2], failed;

static void *read_both(void *at)
{
    int *sum = at;

    pthread_rwlock_rdlock(&lock);
    *sum = x;
    pthread_rwlock_unlock(&lock);
    if (pthread_rwlock_tryrdlock(&other) == 0) {
        *sum += 10 * y;
        pthread_rwlock_unlock(&other);
    } else {
        *sum += 100;
    }
    return NULL;
}

static void *write_both(void *unused)
{
    (void)unused;
    pthread_rwlock_wrlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
    if (pthread_rwlock_trywrlock(&other) == 0) {
        y++;
        pthread_rwlock_unlock(&other);
    } else {
        failed = 1;
    }
    return NULL;
}

int main(void)
{
    pthread_t r[2], w;

    pthread_create(&r[0], NULL, read_both, &seen[0]);
    pthread_create(&r[1], NULL, read_both, &seen[1]);
    pthread_create(&w, NULL, write_both, NULL);
    pthread_join(r[0], NULL);
    pthread_join(r[1], NULL);
    pthread_join(w, NULL);
    printf("%d %d %d\n", seen[0], seen[1], failed);
    return 0;
}
