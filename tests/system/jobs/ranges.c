/* SPDX-License-Identifier: MIT */
/*
 * ranges PORT FILE: an HTTP server that answers with the part of a file that is asked for, a thread
 * for each connection.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char content[1 << 20];
static size_t size;

static void answer(int fd, const char *asked)
{
    const char *range = strstr(asked, "Range: bytes=");
    size_t from = 0, to = size - 1;
    char head[256];

    if (range != NULL) {
        char *end;

        from = strtoul(range + 13, &end, 10);
        if (*end == '-' && end[1] >= '0' && end[1] <= '9')
            to = strtoul(end + 1, NULL, 10);
    }
    if (to >= size)
        to = size - 1;
    int n =
        snprintf(head, sizeof(head),
                 "HTTP/1.1 %s\r\nContent-Length: %zu\r\nContent-Range: bytes "
                 "%zu-%zu/%zu\r\nConnection: close\r\n\r\n",
                 range != NULL ? "206 Partial Content" : "200 OK", to + 1 - from, from, to, size);

    if (send(fd, head, (size_t)n, MSG_NOSIGNAL) < 0 || strncmp(asked, "HEAD", 4) == 0)
        return;
    while (from <= to) {
        ssize_t sent = send(fd, content + from, to + 1 - from, MSG_NOSIGNAL);

        if (sent <= 0)
            return;
        from += (size_t)sent;
    }
}

static void *serve(void *connection)
{
    int fd = (int)(long)connection;
    char asked[4096];
    size_t have = 0;
    ssize_t n;

    while (have < sizeof(asked) - 1 && (n = read(fd, asked + have, sizeof(asked) - 1 - have)) > 0) {
        have += (size_t)n;
        asked[have] = '\0';
        if (strstr(asked, "\r\n\r\n") != NULL) {
            answer(fd, asked);
            break;
        }
    }
    close(fd);
    return NULL;
}

int main(int argc, char **argv)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    FILE *file = argc == 3 ? fopen(argv[2], "r") : NULL;

    if (file == NULL || (size = fread(content, 1, sizeof(content), file)) == 0)
        return 2;
    fclose(file);
    here.sin_port = htons((unsigned short)atoi(argv[1]));
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, (struct sockaddr *)&here, sizeof(here)) != 0 || listen(fd, 8) != 0)
        return 2;
    for (;;) {
        int connection = accept(fd, NULL, NULL);
        pthread_t thread;

        if (connection >= 0 && pthread_create(&thread, NULL, serve, (void *)(long)connection) == 0)
            pthread_detach(thread);
    }
}
