/* SPDX-License-Identifier: MIT */
/* libevent: a thread makes an event active while the loop is in its callback. */
#include <assert.h>
#include <event2/event.h>
#include <event2/thread.h>
#include <pthread.h>

static struct event_base *base;
static struct event *event;
static int seen;

static void on_event(evutil_socket_t fd, short what, void *unused)
{
    (void)fd;
    (void)unused;
    assert((what & ~(EV_READ | EV_WRITE)) == 0);
    seen |= what;
    if (seen == (EV_READ | EV_WRITE))
        event_base_loopbreak(base);
}

static void *activate(void *what)
{
    event_active(event, *(short *)what, 0);
    return NULL;
}

int main(void)
{
    short what[] = {EV_READ, EV_WRITE};
    pthread_t t[2];

    assert(evthread_use_pthreads() == 0 && (base = event_base_new()) != NULL);
    event = event_new(base, -1, EV_PERSIST, on_event, NULL);
    event_add(event, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, activate, &what[i]);
    event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(seen == (EV_READ | EV_WRITE));
    event_free(event);
    event_base_free(base);
    return 0;
}
