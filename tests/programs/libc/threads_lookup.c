/* SPDX-License-Identifier: MIT */
/*
 * getaddrinfo_a() lets threads of libc look names up, which are threads like any other.
 *
 * RUN    -DCASE=told plait test -s noise -n 15
 * EXPECT clean
 *
 * RUN    -DCASE=waits plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DCASE=waits plait test -s random -n 50
 * EXPECT clean
 *
 * RUN    -DCASE=looks plait test -s dfs --outputs
 * EXPECT clean complete outputs=wait,over
 *
 * RUN    -DCASE=looks plait test -s dpor --outputs
 * EXPECT clean complete outputs=wait,over
 *
 * RUN    -DCASE=cancels plait test -s dpor --outputs
 * EXPECT clean complete outputs=cancelled,over,begun
 *
 * RUN    -DCASE=told plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DCASE=too_early plait test -s dfs
 * EXPECT assertion
 *
 * RUN    -DCASE=too_early plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DCASE=waits native
 * EXPECT exit=0
 *
 * RUN    -DCASE=told native
 * EXPECT exit=0
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <netdb.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct addrinfo hints = {
    .ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
static struct gaicb one = {.ar_name = "127.0.0.1", .ar_service = "80", .ar_request = &hints};
static struct gaicb two = {.ar_name = "no.number", .ar_request = &hints};
static sem_t called;

static void check(void)
{
    assert(gai_error(&one) == 0 && one.ar_result != NULL);
    assert(one.ar_result->ai_family == AF_INET);
    freeaddrinfo(one.ar_result);
}

__attribute__((unused)) static void waits(void)
{
    struct gaicb *list[] = {&one, NULL, &two};

    assert(getaddrinfo_a(GAI_WAIT, list, 3, NULL) == 0);
    assert(gai_error(&two) == EAI_NONAME);
    check();
}

__attribute__((unused)) static void looks(void)
{
    struct gaicb *list[] = {&one};
    const struct gaicb *wanted[] = {&one};

    assert(getaddrinfo_a(GAI_NOWAIT, list, 1, NULL) == 0);
    puts(gai_error(&one) == EAI_INPROGRESS ? "wait" : "over");
    while (gai_error(&one) == EAI_INPROGRESS)
        gai_suspend(wanted, 1, NULL);
    check();
}

__attribute__((unused)) static void cancels(void)
{
    struct gaicb *list[] = {&one};
    const struct gaicb *wanted[] = {&one};

    assert(getaddrinfo_a(GAI_NOWAIT, list, 1, NULL) == 0);
    int answer = gai_cancel(&one);

    while (gai_error(&one) == EAI_INPROGRESS)
        gai_suspend(wanted, 1, NULL);
    assert((gai_error(&one) == EAI_CANCELED) == (answer == EAI_CANCELED));
    puts(answer == EAI_CANCELED ? "cancelled" : answer == EAI_NOTCANCELED ? "begun" : "over");
}

static void call(union sigval value)
{
    assert(value.sival_int == 5);
    check();
    sem_post(&called);
}

__attribute__((unused)) static void told(void)
{
    struct gaicb *list[] = {&one, &two};
    struct sigevent event = {
        .sigev_notify = SIGEV_THREAD, .sigev_notify_function = call, .sigev_value.sival_int = 5};

    sem_init(&called, 0, 0);
    assert(getaddrinfo_a(GAI_NOWAIT, list, 2, &event) == 0);
    assert(sem_wait(&called) == 0);
}

/* Wrong: the result may not be there yet. */
__attribute__((unused)) static void too_early(void)
{
    struct gaicb *list[] = {&one};

    assert(getaddrinfo_a(GAI_NOWAIT, list, 1, NULL) == 0);
    assert(gai_error(&one) != EAI_INPROGRESS);
}

int main(void)
{
    CASE();
    return 0;
}
