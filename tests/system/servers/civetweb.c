// SPDX-License-Identifier: MIT
/*
 * civetweb with two threads: each request gets a number of its own.  With `late` the handler is
 * registered when the server is up already, so that an early request finds nothing.
 */
#include <civetweb.h>
#include <string.h>
#include <unistd.h>

static int hits;

static int answer(struct mg_connection *c)
{
    int n = __atomic_add_fetch(&hits, 1, __ATOMIC_SEQ_CST);

    mg_printf(c, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n%d", n % 10);
    return 200;
}

static int answer_late(struct mg_connection *c, void *unused)
{
    (void)unused;
    return answer(c);
}

int main(int argc, char **argv)
{
    const char *options[] = {"listening_ports", "127.0.0.1:8080", "num_threads", "2", NULL};
    struct mg_callbacks callbacks = {.begin_request = argc > 1 ? NULL : answer};

    (void)argv;
    mg_init_library(0);
    struct mg_context *server = mg_start(&callbacks, NULL, options);

    if (server == NULL)
        return 3;
    if (argc > 1)
        mg_set_request_handler(server, "/", answer_late, NULL);
    for (;;)
        pause();
}
