/* SPDX-License-Identifier: MIT */
/* A barrier that reverses its sense.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int count, sense;
enum { N = 3 };
static void *work(void *a)
{
    int mine = 0;
    for (int r = 0; r < 2; r++) {
        mine = !mine;
        if (atomic_fetch_add(&count, 1) == N - 1) {
            atomic_store(&count, 0);
            atomic_store(&sense, mine);
        } else
            while (atomic_load(&sense) != mine)
                sched_yield();
    }
    return a;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(count == 0);
    return 0;
}
