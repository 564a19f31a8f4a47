/* SPDX-License-Identifier: MIT */
/* Two threads with two split critical sections each: the smallest program worth measuring. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *work(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        int seen = value;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        value = seen + 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
