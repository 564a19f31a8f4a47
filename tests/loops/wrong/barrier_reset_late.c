/* SPDX-License-Identifier: MIT */
/* A barrier that is opened before its count is put back.  EXPECT livelock */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int count, sense;
enum { N = 2 };
static void *work(void *a)
{
    int mine = 0;
    for (int r = 0; r < 2; r++) {
        mine = !mine;
        if (atomic_fetch_add(&count, 1) == N - 1) {
            atomic_store(&sense, mine);
            atomic_store(&count, 0);
        } else
            while (atomic_load(&sense) != mine)
                sched_yield();
    }
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
