/* SPDX-License-Identifier: MIT */
/* A queue of its own with time-outs on both sides.  EXPECT clean */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
static int q[2], n;
static struct timespec in(long ns)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += ns;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}
static int put(int v)
{
    pthread_mutex_lock(&m);
    struct timespec e = in(1000000);
    while (n == 2)
        if (pthread_cond_timedwait(&room, &m, &e) == ETIMEDOUT) {
            pthread_mutex_unlock(&m);
            return 0;
        }
    q[n++] = v;
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&m);
    return 1;
}
static int get(int *v)
{
    pthread_mutex_lock(&m);
    struct timespec e = in(1000000);
    while (!n)
        if (pthread_cond_timedwait(&full, &m, &e) == ETIMEDOUT) {
            pthread_mutex_unlock(&m);
            return 0;
        }
    *v = q[0];
    q[0] = q[1];
    n--;
    pthread_cond_signal(&room);
    pthread_mutex_unlock(&m);
    return 1;
}
static void *f(void *a)
{
    for (int i = 1; i <= 3; i++)
        while (!put(i))
            ;
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int sum = 0, v;
    for (int i = 0; i < 3; i++) {
        while (!get(&v))
            ;
        sum += v;
    }
    pthread_join(t, 0);
    assert(sum == 6);
    return 0;
}
