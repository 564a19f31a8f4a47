/* SPDX-License-Identifier: MIT */
/*
 * Two threads deadlock while a third one goes on and would go on for long: the
 * deadlock is found all the same, with the two threads only.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT deadlock threads=2 exit=1
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;
static atomic_ulong served;

static void *ab(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    done++;
    return arg;
}

static void *ba(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    done++;
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, ab, NULL);
    pthread_create(&u, NULL, ba, NULL);
    while (done < 2) {
        served++;
        usleep(1000);
    }
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
