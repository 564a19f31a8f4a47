/* SPDX-License-Identifier: MIT */
/*
 * Two threads go through twelve functions each, of which one pair matters: when `publish` of the
 * writer is interrupted, `consume` of the reader sees half of what it publishes.  The others keep
 * to themselves.
 *
 * RUN    plait test -s random
 * EXPECT exit exit=1
 *
 * RUN    plait test -s pairs
 * EXPECT exit exit=1
 */
#include <pthread.h>
#include <stdbool.h>

enum { STEPS = 12 };

static volatile int written[STEPS], read_back[STEPS]; /* of a thread each */
static volatile int head, body;
static bool torn;

#define QUIET(name, array, n)                        \
    static __attribute__((noinline)) void name(void) \
    {                                                \
        array[n] = n + 1;                            \
        array[n] *= 2;                               \
        array[n] -= n;                               \
    }

QUIET(open_file, written, 0)
QUIET(read_header, written, 1)
QUIET(check_header, written, 2)
QUIET(allocate, written, 3)
QUIET(parse, written, 4)
QUIET(sort, written, 5)
QUIET(encode, written, 6)
QUIET(compress_part, written, 8)
QUIET(seal, written, 9)
QUIET(log_write, written, 10)
QUIET(close_file, written, 11)

QUIET(connect_to, read_back, 0)
QUIET(greet, read_back, 1)
QUIET(log_in, read_back, 2)
QUIET(select_part, read_back, 4)
QUIET(prepare, read_back, 5)
QUIET(expand, read_back, 6)
QUIET(verify, read_back, 7)
QUIET(show, read_back, 8)
QUIET(log_read, read_back, 9)
QUIET(log_out, read_back, 10)
QUIET(hang_up, read_back, 11)

static __attribute__((noinline)) void publish(void)
{
    head++;
    body++; /* a reader in between sees them differ */
}

static __attribute__((noinline)) void consume(void)
{
    if (body != head)
        torn = true;
}

static void *writer(void *arg)
{
    static void (*const steps[STEPS])(void) = {
        open_file, read_header, check_header,  allocate, parse,     sort,
        encode,    publish,     compress_part, seal,     log_write, close_file};

    for (int i = 0; i < STEPS; i++)
        steps[i]();
    return arg;
}

static void *reader(void *arg)
{
    static void (*const steps[STEPS])(void) = {connect_to,  greet,    log_in,  consume,
                                               select_part, prepare,  expand,  verify,
                                               show,        log_read, log_out, hang_up};

    for (int i = 0; i < STEPS; i++)
        steps[i]();
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return torn;
}
