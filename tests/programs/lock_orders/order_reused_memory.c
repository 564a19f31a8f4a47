/* SPDX-License-Identifier: MIT */
/*
 * Locks in memory that is given back and taken anew are others, although they lie in the same
 * place.
 *
 * RUN plait test --detect +lock-order -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>
#include <stdlib.h>

struct pair {
    pthread_mutex_t a, b;
};

static struct pair *make(void)
{
    struct pair *p = malloc(sizeof(*p));

    pthread_mutex_init(&p->a, NULL);
    pthread_mutex_init(&p->b, NULL);
    return p;
}

static void *one(void *unused)
{
    struct pair *p = make();

    pthread_mutex_lock(&p->a);
    pthread_mutex_lock(&p->b);
    pthread_mutex_unlock(&p->b);
    pthread_mutex_unlock(&p->a);
    free(p);
    return unused;
}

static void *two(void *unused)
{
    struct pair *p = make();

    pthread_mutex_lock(&p->b);
    pthread_mutex_lock(&p->a);
    pthread_mutex_unlock(&p->a);
    pthread_mutex_unlock(&p->b);
    free(p);
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
