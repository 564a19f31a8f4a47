/* SPDX-License-Identifier: MIT */
/*
 * A queue of messages between threads (msgsnd, msgrcv): by type, so that a message may be there and
 * not be the one that is waited for.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>

struct message {
    long type;
    char text;
};

static int queue, letter;

static void *send_two(void *arg)
{
    struct message other = {2, 'b'}, wanted = {1, 'a'};

    assert(msgsnd(queue, &other, 1, 0) == 0);
    letter = 7;
    assert(msgsnd(queue, &wanted, 1, 0) == 0);
    return arg;
}

int main(void)
{
    struct message m;
    pthread_t t;

    queue = msgget(IPC_PRIVATE, 0600);
    assert(queue >= 0);
    pthread_create(&t, NULL, send_two, NULL);
    assert(msgrcv(queue, &m, 1, 1, 0) == 1 && m.text == 'a');
    assert(letter == 7);
    assert(msgrcv(queue, &m, 1, 0, IPC_NOWAIT) == 1 && m.text == 'b');
    pthread_join(t, NULL);
    msgctl(queue, IPC_RMID, 0);
    return 0;
}
