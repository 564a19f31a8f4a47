/* SPDX-License-Identifier: MIT */
/* Nobody ends it, and its naps come in seven lengths, again and again.  EXPECT livelock */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
static atomic_int flag;
static void *work(void *a)
{
    long us = 1;
    while (!atomic_load(&flag)) {
        struct timespec t = {0, us * 1000};
        nanosleep(&t, NULL);
        us = us < 64 ? us * 2 : 1;
    }
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
