/* SPDX-License-Identifier: MIT */
/*
 * Each pair of three threads has a gate of its own, which the three together do not have: no two of
 * them could be in the circle at the same time.
 *
 * RUN plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t ab = PTHREAD_MUTEX_INITIALIZER, bc = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t ca = PTHREAD_MUTEX_INITIALIZER;

struct part {
    pthread_mutex_t *gates[2], *first, *second;
};

static struct part parts[] = {
    {{&ab, &ca}, &a, &b},
    {{&ab, &bc}, &b, &c},
    {{&bc, &ca}, &c, &a},
};

static void *play(void *arg)
{
    struct part *p = arg;

    pthread_mutex_lock(p->gates[0]);
    pthread_mutex_lock(p->gates[1]);
    pthread_mutex_lock(p->first);
    pthread_mutex_lock(p->second);
    pthread_mutex_unlock(p->second);
    pthread_mutex_unlock(p->first);
    pthread_mutex_unlock(p->gates[1]);
    pthread_mutex_unlock(p->gates[0]);
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, play, &parts[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
