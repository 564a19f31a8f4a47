/* SPDX-License-Identifier: MIT */
/* A ring with one who puts in and one who takes out, who count how often they wait.  EXPECT clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
enum { N = 4 };
static atomic_int head, tail;
static int buf[2];
static long full, empty;
static void *work(void *a)
{
    for (int i = 0; i < N; i++) {
        while (atomic_load(&head) - atomic_load(&tail) == 2)
            full++;
        buf[i % 2] = i;
        atomic_fetch_add(&head, 1);
    }
    return a;
}
int main(void)
{
    pthread_t t[1];
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < N; i++) {
        while (atomic_load(&head) == atomic_load(&tail))
            empty++;
        assert(buf[i % 2] == i);
        atomic_fetch_add(&tail, 1);
    }
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    return 0;
}
