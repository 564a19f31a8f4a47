/* SPDX-License-Identifier: MIT */
/*
 * A writer waits for readers: what they did before they left is known to it, and what it did
 * to later readers.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: for it, a lock for reading orders reads only
 */
#include "two.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int notes[2], sum;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    notes[0]++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    sum += notes[0];
    notes[1] = sum;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    return both(reader, writer);
}
