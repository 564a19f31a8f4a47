/* SPDX-License-Identifier: MIT */
/*
 * It fails when it makes a queue of messages, which stays: the next execution finds it.  With a
 * second argument it takes the queue away again.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/msg.h>

static void *do_nothing(void *arg)
{
    return arg;
}

int main(int argc, char **argv)
{
    key_t key = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t t;

    if (argc > 2)
        return msgctl(msgget(key, 0), IPC_RMID, NULL);
    pthread_create(&t, NULL, do_nothing, NULL);
    pthread_join(t, NULL);
    assert(msgget(key, IPC_CREAT | IPC_EXCL | 0600) < 0);
    return 0;
}
