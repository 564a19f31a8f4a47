/* SPDX-License-Identifier: MIT */
/*
 * Objects of the kernel that have names of their own and outlive a process: a queue of messages, a
 * semaphore, a queue and memory of System V.  The program makes each anew, and takes it away at its
 * end, which a failing execution does not come to.  Whoever starts next finds none of them: the
 * failure that is found is the count, always, and not a name that is taken.  `kept`: nothing is
 * taken away by executions that end well, either.
 *
 * RUN    plait test -s dpor -k
 * EXPECT assertion complete location~@counted
 *
 * RUN    plait test -s random -n 20 -k -j 2
 * EXPECT assertion location~@counted
 *
 * RUN    plait test -s noise -n 3 -- right
 * EXPECT clean executions=3
 *
 * RUN    plait test -s random -n 5 --restart exec -- right kept
 * EXPECT clean executions=5 restart=exec
 */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

enum { KEY = 0x706c61 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, right, messages;

static void *add(void *arg)
{
    assert(mq_send(messages, "m", 1, 0) == 0);
    if (right)
        pthread_mutex_lock(&lock);
    count++;
    if (right)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(int argc, char **argv)
{
    struct mq_attr small = {.mq_maxmsg = 2, .mq_msgsize = 8};
    pthread_t t;

    right = argc > 1 && strcmp(argv[1], "right") == 0;
    messages = mq_open("/plait-objects", O_CREAT | O_EXCL | O_RDWR, 0600, &small);
    assert(messages >= 0);
    int semaphore = semget(KEY, 1, IPC_CREAT | IPC_EXCL | 0600);
    int memory = shmget(KEY, 4096, IPC_CREAT | IPC_EXCL | 0600);
    int queue = msgget(KEY, IPC_CREAT | IPC_EXCL | 0600);

    assert(semaphore >= 0 && memory >= 0 && queue >= 0);
    assert(pthread_create(&t, NULL, add, NULL) == 0);
    add(NULL);
    assert(pthread_join(t, NULL) == 0);
    assert(count == 2); /* @counted */
    if (argc > 2)
        return 0;
    assert(semctl(semaphore, 0, IPC_RMID) == 0 && shmctl(memory, IPC_RMID, NULL) == 0);
    assert(msgctl(queue, IPC_RMID, NULL) == 0 && mq_unlink("/plait-objects") == 0);
    return 0;
}
