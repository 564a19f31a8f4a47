/* SPDX-License-Identifier: MIT */
/*
 * Observers wait until they are notified and then look at the subject of the notification.  It is
 * set after the flag that says so: an observer that comes in between follows a null pointer.  The
 * two stores are neighbours, so without help hardly any observer does.
 */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

#ifndef OBSERVERS
#define OBSERVERS 4
#endif

struct subject {
    int value;
};

static volatile int notified;
static struct subject *volatile subject;
static int seen[OBSERVERS];

static void *observe(void *arg)
{
    int *value = arg;

    while (!notified)
        sched_yield();
    *value = subject->value; /* where there is none yet */
    return NULL;
}

static void notify(struct subject *changed)
{
    notified = 1;
    subject = changed; /* the wrong way round */
}

int main(void)
{
    static struct subject weather = {21};
    pthread_t observers[OBSERVERS];

    for (int i = 0; i < OBSERVERS; i++)
        pthread_create(&observers[i], NULL, observe, &seen[i]);
    notify(&weather);
    for (int i = 0; i < OBSERVERS; i++)
        pthread_join(observers[i], NULL);
    return 0;
}
