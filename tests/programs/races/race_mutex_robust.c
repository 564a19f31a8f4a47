/* SPDX-License-Identifier: MIT */
/*
 * The owner of a robust mutex ends. Whoever takes it next knows what the owner did.
 *
 * RUN    plait test -s dfs --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it does not know that the system releases the mutex
 * TSAN race: it does not know that the system releases the mutex
 */
#include "two.h"

#include <errno.h>

static pthread_mutex_t lock;
int data;

static void *work(void *arg)
{
    if (pthread_mutex_lock(&lock) == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    data++;
    if (data == 2)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attr);
    return both(work, work);
}
