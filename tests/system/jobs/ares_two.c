/* SPDX-License-Identifier: MIT */
/*
 * c-ares: two threads ask a server of names on loopback, each by a channel of its own; the server
 * is a third thread, which answers whatever is asked with 10.0.0.N, N being the first letter.
 */
#include <ares.h>
#include <arpa/inet.h>
#include <assert.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static int server;
static unsigned short port;

static void *serve(void *unused)
{
    for (int i = 0; i < 2; i++) {
        unsigned char text[512];
        struct sockaddr_in from;
        socklen_t size = sizeof(from);
        ssize_t n = recvfrom(server, text, sizeof(text) - 16, 0, (struct sockaddr *)&from, &size);
        const unsigned char answer[] = {0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 10, 0, 0, text[13]};

        assert(n > 16);
        n = 12 + (ssize_t)strlen((char *)text + 12) + 1 +
            4; /* the question, without what may follow it */
        text[2] = 0x81, text[3] = 0x80;
        text[7] = 1;
        memset(text + 8, 0, 4);
        memcpy(text + n, answer, sizeof(answer));
        sendto(server, text, (size_t)n + sizeof(answer), 0, (struct sockaddr *)&from, size);
    }
    return unused;
}

static void done(void *arg, int status, int time_outs, struct hostent *host)
{
    assert(status == ARES_SUCCESS && time_outs == 0);
    *(char *)arg = host->h_addr_list[0][3];
}

static void *ask(void *name)
{
    ares_channel channel;
    struct ares_options options = {
        .udp_port = port, .lookups = (char *)"b", .timeout = 100000, .tries = 1};
    char got = 0;

    options.servers = (struct in_addr[]){{htonl(INADDR_LOOPBACK)}};
    options.nservers = 1;
    assert(ares_init_options(&channel, &options,
                             ARES_OPT_UDP_PORT | ARES_OPT_LOOKUPS | ARES_OPT_SERVERS |
                                 ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES) == ARES_SUCCESS);
    ares_gethostbyname(channel, name, AF_INET, done, &got);
    for (;;) {
        fd_set reads, writes;

        FD_ZERO(&reads);
        FD_ZERO(&writes);
        int most = ares_fds(channel, &reads, &writes);
        if (most == 0)
            break;
        select(most, &reads, &writes, NULL, NULL);
        ares_process(channel, &reads, &writes);
    }
    assert(got == *(char *)name);
    ares_destroy(channel);
    return NULL;
}

int main(void)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(here);
    pthread_t threads[2];

    assert(ares_library_init(ARES_LIB_INIT_ALL) == ARES_SUCCESS);
    server = socket(AF_INET, SOCK_DGRAM, 0);
    assert(bind(server, (struct sockaddr *)&here, sizeof(here)) == 0);
    getsockname(server, (struct sockaddr *)&here, &size);
    port = ntohs(here.sin_port);
    pthread_create(&threads[0], NULL, serve, NULL);
    pthread_create(&threads[1], NULL, ask, (void *)"a.example.org");
    ask((void *)"b.example.org");
    pthread_join(threads[1], NULL);
    pthread_join(threads[0], NULL);
    ares_library_cleanup();
    return 0;
}
