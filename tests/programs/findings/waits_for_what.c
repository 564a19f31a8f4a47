/* SPDX-License-Identifier: MIT */
/*
 * Whoever waits in a system call waits for a file as a rule; where it is for something else, that
 * is what the report says.  -DKIND=1: System V semaphores, 2: connections, of which nobody on the
 * other side says anything, 3: a pipe, 4: a queue of messages, 5: an event counter.
 *
 * RUN    plait test -s dfs --no-minimize
 * EXPECT deadlock ended~for.a.lock.of.a.file
 *
 * RUN    -DKIND=1 plait test -s dfs --no-minimize
 * EXPECT deadlock ended~for.a.set.of.semaphores
 *
 * RUN    -DKIND=2 plait test -s dfs
 * EXPECT deadlock ended~for.a.socket
 *
 * RUN    -DKIND=3 plait test -s dfs --no-minimize
 * EXPECT deadlock ended~for.a.pipe
 *
 * RUN    -DKIND=4 plait test -s dfs --no-minimize
 * EXPECT deadlock ended~for.a.queue.of.messages
 *
 * RUN    -DKIND=5 plait test -s dfs --no-minimize
 * EXPECT deadlock ended~for.a.descriptor
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef KIND
#define KIND 0
#endif

static void connection(int ends[2])
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(name);
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    bind(listener, (struct sockaddr *)&name, size);
    getsockname(listener, (struct sockaddr *)&name, &size);
    listen(listener, 1);
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    connect(ends[0], (struct sockaddr *)&name, size);
    ends[1] = accept(listener, NULL, NULL);
}

static void *waits(void *arg)
{
    struct sembuf take = {.sem_num = 0, .sem_op = -1};
    struct {
        long type;
        char text[8];
    } message;
    uint64_t count;
    int ends[2];

    if (KIND == 1)
        semop(semget(IPC_PRIVATE, 1, 0600), &take, 1);
    else if (KIND == 2) {
        connection(ends);
        recv(ends[0], &count, 1, 0);
    } else if (KIND == 3) {
        pipe(ends);
        read(ends[0], &count, 1);
    } else if (KIND == 4)
        msgrcv(msgget(IPC_PRIVATE, 0600), &message, sizeof(message.text), 0, 0);
    else if (KIND == 5)
        read(eventfd(0, 0), &count, sizeof(count));
    else
        flock(fileno(arg), LOCK_EX);
    return arg;
}

int main(void)
{
    char path[] = "/proc/self/fd/1234567";
    FILE *file = tmpfile();
    pthread_t thread;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(file));
    FILE *again = fopen(path, "r");

    flock(fileno(again), LOCK_EX);
    pthread_create(&thread, NULL, waits, file);
    pthread_join(thread, NULL);
    return 0;
}
