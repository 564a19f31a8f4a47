/* SPDX-License-Identifier: MIT */
/*
 * usage: fetch PORT PATH FILE
 *
 * Two threads ask the server of HTTP at that port for a path, and get what is in the file.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LARGEST = 100000 };

static uint16_t port;
static const char *path;
static char expected[LARGEST];
static size_t size;

static void *fetch(void *arg)
{
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char *text = malloc(LARGEST + 1000), request[200];
    int asked = snprintf(request, sizeof(request),
                         "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path);
    size_t n = 0;

    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (struct sockaddr *)&server, sizeof(server)) != 0 ||
        write(fd, request, (size_t)asked) != asked)
        exit(2);
    for (ssize_t r; (r = read(fd, text + n, LARGEST + 999 - n)) > 0;)
        n += (size_t)r;
    text[n] = '\0';
    const char *body = strstr(text, "\r\n\r\n");

    if (strstr(text, " 200 ") == NULL || body == NULL || n - (size_t)(body + 4 - text) != size ||
        memcmp(body + 4, expected, size) != 0) {
        fprintf(stderr, "got %.400s\n", text);
        exit(1);
    }
    close(fd);
    free(text);
    return arg;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 4 ? fopen(argv[3], "r") : NULL;
    pthread_t one, two;

    if (file == NULL)
        return 2;
    size = fread(expected, 1, sizeof(expected), file);
    fclose(file);
    port = (uint16_t)atoi(argv[1]);
    path = argv[2];
    pthread_create(&one, NULL, fetch, NULL);
    pthread_create(&two, NULL, fetch, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
