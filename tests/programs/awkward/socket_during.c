/* SPDX-License-Identifier: MIT */
/*
 * A server and a client in one process: both sockets are made during the execution, and neither
 * they nor the connection are closed.  The name is in a space that ends with its sockets, so
 * bind() says whether those of the last execution are gone.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;
static struct sockaddr_un name = {.sun_family = AF_UNIX};
static socklen_t length;
static atomic_int turn;

static void *client(void *arg)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    turn++;
    pthread_mutex_lock(&start);
    pthread_mutex_unlock(&start);
    assert(fd >= 0 && connect(fd, (struct sockaddr *)&name, length) == 0);
    turn++;
    assert(send(fd, "request", 7, 0) == 7);
    return arg;
}

static void execution(void)
{
    int listener, connection;
    char request[7];
    pthread_t t;

    pthread_mutex_lock(&start);
    assert(pthread_create(&t, NULL, client, NULL) == 0);
    turn++;
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&name, length) == 0); /* @fresh */
    assert(listen(listener, 1) == 0);
    pthread_mutex_unlock(&start);
    turn++;
    connection = accept(listener, NULL, NULL);
    assert(connection >= 0 && recv(connection, request, 7, MSG_WAITALL) == 7);
    assert(memcmp(request, "request", 7) == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    char folder[64];
    int n;

    (void)argv;
    /* The test's folder makes the name one of its own; a leading zero makes it no file. */
    assert(getcwd(folder, sizeof(folder)) != NULL);
    n = snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, "%s", folder);
    length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
