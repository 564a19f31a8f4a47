/* SPDX-License-Identifier: MIT */
/* A thread turns a wheel of timers until told to stop, and main polls.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

enum { SLOTS = 4, USERS = 2, EACH = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int wheel[SLOTS], pos, fired;
static bool stop;

static void nap(long us)
{
    struct timespec t = {0, us * 1000};

    nanosleep(&t, NULL);
}

static void *turn(void *a)
{
    for (;;) {
        nap(1000);
        pthread_mutex_lock(&m);
        bool last = stop;

        pos = (pos + 1) % SLOTS;
        fired += wheel[pos];
        wheel[pos] = 0;
        pthread_mutex_unlock(&m);
        if (last)
            return a;
    }
}

static void *user(void *a)
{
    for (int d = 1; d <= EACH; d++) {
        pthread_mutex_lock(&m);
        wheel[(pos + d) % SLOTS]++;
        pthread_mutex_unlock(&m);
    }
    return a;
}

int main(void)
{
    pthread_t w, u[USERS];
    int seen = 0;

    pthread_create(&w, NULL, turn, NULL);
    for (int i = 0; i < USERS; i++)
        pthread_create(&u[i], NULL, user, NULL);
    for (int i = 0; i < USERS; i++)
        pthread_join(u[i], NULL);
    for (int i = 0; i < 200 && seen < USERS * EACH; i++) {
        nap(1000);
        pthread_mutex_lock(&m);
        seen = fired;
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    stop = true;
    assert(fired == USERS * EACH);
    pthread_mutex_unlock(&m);
    pthread_join(w, NULL);
    return 0;
}
