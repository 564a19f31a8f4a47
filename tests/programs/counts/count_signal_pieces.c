/* SPDX-License-Identifier: MIT */
/*
 * A signal comes between the pieces of a copy.  What the thread would have done without it is the
 * piece that it makes then: for a search that does not know this it might be about anything, so
 * that nothing sleeps behind it, and dpor executed 6 of 102 classes twice.
 *
 * RUN    -O1 -fno-builtin plait test -s dpor
 * EXPECT clean complete executions=103 classes=102
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static char bytes[16] = "aaaaaaaaaaaaaaa";
static atomic_int hits;
static pthread_t first;

static void hit(int number)
{
    (void)number;
    hits++;
}

static void *sends(void *arg)
{
    if (strlen(bytes) > 99)
        return NULL;
    pthread_kill(first, SIGUSR1);
    return arg;
}

static void *writes(void *arg)
{
    memcpy(bytes, "abababababababa", 16);
    return arg;
}

int main(void)
{
    pthread_t sender, writer;

    signal(SIGUSR1, hit);
    first = pthread_self();
    pthread_create(&sender, NULL, sends, NULL);
    pthread_create(&writer, NULL, writes, NULL);
    memcpy(bytes, "acacacacacacaca", 16);
    pthread_join(sender, NULL);
    pthread_join(writer, NULL);
    return hits > 1;
}
