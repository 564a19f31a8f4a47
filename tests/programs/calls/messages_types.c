/* SPDX-License-Identifier: MIT */
/*
 * Two threads wait for messages of System V, one for a type and one for any: whoever has looked in
 * vain looks again only when there is something for it, or both would look for ever.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=12,21
 *
 * RUN    -DSHORT plait test -s dfs -k
 * EXPECT deadlock complete
 *
 * RUN    -DSHORT plait test -s dpor -k
 * EXPECT deadlock complete
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/msg.h>

struct message {
    long type;
    char text;
};

static int queue;
static char got[2];

static void put(long type, char text)
{
    const struct message m = {type, text};

    assert(msgsnd(queue, &m, 1, 0) == 0);
}

static void *take_one(void *arg)
{
    struct message m = {0};

    assert(msgrcv(queue, &m, 1, 1, 0) == 1);
    got[0] = m.text;
    return arg;
}

static void *take_any(void *arg)
{
    struct message m = {0};

    assert(msgrcv(queue, &m, 1, 0, 0) == 1);
    got[1] = m.text;
    return arg;
}

int main(void)
{
    pthread_t a, b;

    queue = msgget(IPC_PRIVATE, 0600);
    assert(queue >= 0);
    pthread_create(&a, NULL, take_one, NULL);
    pthread_create(&b, NULL, take_any, NULL);
    put(1, '1');
#ifdef SHORT
    put(2, '2');
#else
    put(1, '2');
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    msgctl(queue, IPC_RMID, NULL);
    printf("%.2s\n", got);
    return 0;
}
