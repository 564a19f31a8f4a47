/* SPDX-License-Identifier: MIT */
/* An item is announced before it is there.  EXPECT assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
enum { N = 2 };
static atomic_int head;
static int buf[2];
static void *work(void *a)
{
    for (int i = 0; i < N; i++) {
        int h = atomic_fetch_add(&head, 1);
        buf[h] = i + 1;
    }
    return a;
}
int main(void)
{
    pthread_t t[1];
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < N; i++) {
        while (atomic_load(&head) <= i)
            ;
        assert(buf[i] == i + 1);
    }
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    return 0;
}
