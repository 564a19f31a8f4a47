/* SPDX-License-Identifier: MIT */
/*
 * A thread holds more mutexes than plait keeps a list of; the last ones order all the same.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 */
#include "two.h"

enum { LOCKS = 70 };

static pthread_mutex_t locks[LOCKS];
int data;

static void *work(void *arg)
{
    for (int i = 0; i < LOCKS; i++)
        pthread_mutex_lock(&locks[i]);
    for (int i = 0; i < LOCKS - 1; i++)
        pthread_mutex_unlock(&locks[i]);
    data++;
    pthread_mutex_unlock(&locks[LOCKS - 1]);
    return arg;
}

int main(void)
{
    return both(work, work);
}
