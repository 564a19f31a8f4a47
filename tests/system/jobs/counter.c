/* SPDX-License-Identifier: MIT */
/*
 * A client of memcached or redis: counter PORT memcached|redis.  Two connections, a thread each,
 * add to one number twice; no addition is lost.
 */
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TIMES = 2 };

struct language {
    const char *name, *set, *add, *get, *result;
};

static const struct language languages[] = {
    {"memcached", "set n 0 0 1\r\n0\r\n", "incr n 1\r\n", "get n\r\n",
     "VALUE n 0 1\r\n4\r\nEND\r\n"},
    {"redis", "SET n 0\r\n", "INCR n\r\n", "GET n\r\n", "$1\r\n4\r\n"},
};
static const struct language *language;
static unsigned short port;

static int visit(void)
{
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(connect(fd, (struct sockaddr *)&there, sizeof(there)) == 0);
    return fd;
}

/* Send a line and wait for an answer that ends like this. */
static void ask(int fd, const char *line, const char *end)
{
    char text[512];
    size_t n = 0, length = strlen(end);

    assert(write(fd, line, strlen(line)) == (ssize_t)strlen(line));
    do {
        ssize_t got = read(fd, text + n, sizeof(text) - 1 - n);

        assert(got > 0);
        n += (size_t)got;
        text[n] = '\0';
    } while (n < length || strcmp(text + n - length, end) != 0);
}

static void *add(void *unused)
{
    int fd = visit();

    for (int i = 0; i < TIMES; i++)
        ask(fd, language->add, "\r\n");
    close(fd);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    assert(argc == 3);
    port = (unsigned short)atoi(argv[1]);
    for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++) {
        if (strcmp(languages[i].name, argv[2]) == 0)
            language = &languages[i];
    }
    int fd = visit();

    ask(fd, language->set, "\r\n");
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    ask(fd, language->get, language->result);
    close(fd);
    return 0;
}
