// SPDX-License-Identifier: MIT
/* Two threads with a request each to a server of HTTP: both are answered, with different letters.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char got[2];

static void *get(void *arg)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(8080)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char text[1024];
    size_t n = 0;

    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (struct sockaddr *)&server, sizeof(server)) != 0 ||
        write(fd, request, sizeof(request) - 1) != sizeof(request) - 1)
        exit(2);
    for (ssize_t r; (r = read(fd, text + n, sizeof(text) - 1 - n)) > 0;)
        n += (size_t)r;
    text[n] = '\0';
    const char *body = strstr(text, "\r\n\r\n");

    if (strstr(text, " 200 ") == NULL || body == NULL) {
        fprintf(stderr, "got %s\n", text);
        exit(1);
    }
    *(char *)arg = body[4];
    close(fd);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, get, &got[1]);
    get(&got[0]);
    pthread_join(thread, NULL);
    if (got[0] != got[1] && got[0] != '\0' && got[1] != '\0')
        return 0;
    fprintf(stderr, "got %d and %d\n", got[0], got[1]);
    return 1;
}
