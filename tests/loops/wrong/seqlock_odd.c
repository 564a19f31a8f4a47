/* SPDX-License-Identifier: MIT */
/* A seqlock whose writer forgets the second step when nothing changed.  EXPECT livelock|hang */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int s;
static atomic_int v = 1;
static void wr(int x)
{
    s++;
    if (v != x) {
        v = x;
        s++;
    }
}
static void *rd(void *a)
{
    int b;
    do {
        while ((b = s) & 1)
            ;
    } while (b != s);
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, rd, 0);
    wr(1);
    pthread_join(t, 0);
    return 0;
}
