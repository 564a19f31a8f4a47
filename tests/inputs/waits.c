/* SPDX-License-Identifier: MIT */
/*
 * Waits for descriptor 3, where something comes late or never: poll() times out
 * in between, or a thread waits for ever while another wants its lock.
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int sum, timeouts;

static void *poller(void *arg)
{
    for (int i = 0; i < 3; i++) {
        struct pollfd p = {3, POLLIN, 0};
        int rc = poll(&p, 1, 2);

        assert(rc == 0 && p.revents == 0);
        timeouts++;
    }
    int old = sum; /* the bug */

    sum = old + 1;
    return arg;
}

static void *reader(void *arg)
{
    char c;

    pthread_mutex_lock(&lock);
    if (read(3, &c, 1) == 1)
        sum++;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *user(void *arg)
{
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(int argc, char **argv)
{
    int stuck = argc > 1 && strcmp(argv[1], "stuck") == 0;
    pthread_t a, b;

    pthread_create(&a, NULL, stuck ? reader : poller, NULL);
    pthread_create(&b, NULL, stuck ? user : poller, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 2 && timeouts == 6);
    return 0;
}
