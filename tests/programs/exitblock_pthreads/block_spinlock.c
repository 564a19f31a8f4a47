/* SPDX-License-Identifier: MIT */
/*
 * Spinlocks are locks; one who only tries may fail.
 *
 * RUN    plait test -s dfs --keep-going
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

static pthread_spinlock_t lock, tried;
static int x, y, failed;

static void *body(void *number)
{
    pthread_spin_lock(&lock);
    x = x * 10 + *(int *)number;
    pthread_spin_unlock(&lock);
    if (pthread_spin_trylock(&tried) != 0) {
        pthread_spin_lock(&lock);
        failed++;
        pthread_spin_unlock(&lock);
        return NULL;
    }
    y++;
    pthread_spin_unlock(&tried);
    return NULL;
}

int main(void)
{
    static int numbers[] = {1, 2};
    pthread_t a, b;

    pthread_spin_init(&lock, 0);
    pthread_spin_init(&tried, 0);
    pthread_create(&a, NULL, body, &numbers[0]);
    pthread_create(&b, NULL, body, &numbers[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d %d\n", x, y, failed);
    return 0;
}
