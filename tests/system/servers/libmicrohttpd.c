// SPDX-License-Identifier: MIT
/* libmicrohttpd with a thread for each connection, or `pool`: two threads with epoll. */
#include <microhttpd.h>
#include <unistd.h>

static int hits;

static enum MHD_Result answer(void *unused, struct MHD_Connection *c, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
    static int seen;
    char text[1];

    (void)unused, (void)url, (void)method, (void)version, (void)data, (void)size;
    if (*state == NULL) {
        *state = &seen;
        return MHD_YES;
    }
    text[0] = (char)('0' + __atomic_add_fetch(&hits, 1, __ATOMIC_SEQ_CST) % 10);
    struct MHD_Response *r = MHD_create_response_from_buffer(1, text, MHD_RESPMEM_MUST_COPY);
    enum MHD_Result rc = MHD_queue_response(c, 200, r);

    MHD_destroy_response(r);
    return rc;
}

int main(int argc, char **argv)
{
    (void)argv;
    struct MHD_Daemon *server =
        argc > 1 ? MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 8080, NULL, NULL, answer, NULL,
                                    MHD_OPTION_THREAD_POOL_SIZE, 2u, MHD_OPTION_END)
                 : MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD,
                                    8080, NULL, NULL, answer, NULL, MHD_OPTION_END);

    if (server == NULL)
        return 3;
    for (;;)
        pause();
}
