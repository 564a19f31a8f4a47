/* SPDX-License-Identifier: MIT */
/* Each raises its flag, and takes it back if the other's is up.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
static atomic_int want[2];
static int x;
static void *work(void *a)
{
    int i = a != NULL;
    for (;;) {
        atomic_store(&want[i], 1);
        if (atomic_load(&want[!i]) == 0)
            break;
        atomic_store(&want[i], 0);
        sched_yield();
    }
    x++;
    atomic_store(&want[i], 0);
    return NULL;
}
int main(void)
{
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(x == 2);
    return 0;
}
