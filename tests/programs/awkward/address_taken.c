/* SPDX-License-Identifier: MIT */
/*
 * A server with an address of its own, which it takes before its first thread: a second worker, and
 * whatever confirms a finding while the campaign's process is there, finds it taken, and begins
 * again in a network of its own.  `twice`: the program itself has taken it, which is no matter of
 * others.  `late`: threads take addresses themselves; those of two workers never meet.
 *
 * RUN    plait test -n 200
 * EXPECT assertion
 *
 * RUN    plait test -n 30 -s noise
 * EXPECT assertion
 *
 * RUN    plait test -s random -n 200 -j 2 -- right
 * EXPECT clean executions=200
 *
 * RUN    plait test -s random -n 20 -j 2 -- right twice
 * EXPECT clean executions=20
 *
 * RUN    plait test -s random -n 200 -j 3 -- right late
 * EXPECT clean executions=200
 *
 * RUN    plait test -s random --restart exec -n 20 -j 3 -- right late
 * EXPECT clean executions=20
 *
 * RUN    plait test -s noise -n 20 -j 3 -- right late
 * EXPECT clean executions=20
 *
 * RUN    native right
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static int listening, count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int right;

static void *serve(void *arg)
{
    int s = accept(listening, NULL, NULL);
    char byte;

    assert(s >= 0 && read(s, &byte, 1) == 1);
    if (right)
        pthread_mutex_lock(&lock);
    count++;
    if (right)
        pthread_mutex_unlock(&lock);
    close(s);
    return arg;
}

static void *ask(void *arg)
{
    int s = socket(AF_UNIX, SOCK_STREAM, 0);

    assert(connect(s, (struct sockaddr *)&address, sizeof(address)) == 0 && write(s, "x", 1) == 1);
    close(s);
    return arg;
}

static sem_t listens;

/* One question is all: that of the thread beside. */
static void *take_and_serve(void *arg)
{
    listening = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(listening, (struct sockaddr *)&address, sizeof(address)) == 0);
    assert(listen(listening, 4) == 0);
    sem_post(&listens);
    serve(arg);
    close(listening);
    return arg;
}

static void *ask_later(void *arg)
{
    sem_wait(&listens);
    return ask(arg);
}

static int serve_late(void)
{
    pthread_t t[2];

    sem_init(&listens, 0, 0);
    pthread_create(&t[0], NULL, take_and_serve, NULL);
    pthread_create(&t[1], NULL, ask_later, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(count == 1);
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t t[4];

    right = argc > 1;
    /* The folder of the test: the same for all processes of a campaign, and nobody else's. */
    assert(getcwd(address.sun_path + 1, sizeof(address.sun_path) - 1) != NULL);
    if (argc > 2 && strcmp(argv[2], "late") == 0)
        return serve_late();
    listening = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listening, (struct sockaddr *)&address, sizeof(address)) != 0) {
        perror("bind");
        return 3;
    }
    if (argc > 2)
        assert(bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address,
                    sizeof(address)) != 0 &&
               errno == EADDRINUSE && strcmp(argv[2], "twice") == 0);
    listen(listening, 4);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, i < 2 ? serve : ask, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(count == 2);
    return 0;
}
