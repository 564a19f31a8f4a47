/* SPDX-License-Identifier: MIT */
/*
 * Requests that libc performs by threads of its own: aio_read(), getaddrinfo_a().  The threads are
 * threads of the program here, made as libc makes them, with all signals blocked.
 *
 * A request has a word in the program's memory that says whether it is over.  The word is
 * read and written by atomic operations, which order threads, and is a futex for whoever waits; for
 * one of several one waits until any is over and looks again.
 */
#ifndef PL_RUNTIME_SYSTEM_REQUESTS_H
#define PL_RUNTIME_SYSTEM_REQUESTS_H

#include "runtime/ground/stage.h"
#include "runtime/system/functions.h"

#include <signal.h>

/* The beginning of a function about requests; false: libc's own is to be called. */
bool pl_requests_begin(struct pl_thread **t, struct pl_call *who);

/* The word of a request, as an operation: look at it; it has begun; it is over. */
int pl_requests_look(const int *word, struct pl_call who);
void pl_requests_set(int *word, int value, struct pl_call who);
void pl_requests_over(int *word, int value, struct pl_call who);

/* Pointers to requests, some of which may be NULL; each has its word so many bytes on. */
struct pl_request_list {
    const void *const *at;
    int n;
    size_t word;
    int going_on; /* what the word is until the request is over */
};

/* Wait until the word has another value; or until one of the list is over, or there is none. */
enum pl_way pl_requests_wait_one(const int *word, int while_it_is, uint64_t deadline,
                                 struct pl_call who);
enum pl_way pl_requests_wait(const struct pl_request_list *list, uint64_t deadline,
                             struct pl_call who);

/* When a wait of this length ends; NULL: never.  False when it is no time. */
bool pl_requests_deadline(const struct timespec *timeout, uint64_t *deadline);

/* A thread of libc; an error. */
int pl_requests_start(void *(*body)(void *), void *arg, uint64_t pc);
/* Of such a thread, on the free carrier: inside the monitor, and out of it while it does what takes
 * its time or calls the program. */
void pl_requests_go_in(void);
void pl_requests_go_out(void);
/* Tell the program in the way it has asked for; `code` is that of the signal. */
void pl_requests_notify(const struct sigevent *event, int code, uint64_t pc);

/* Several requests about which the program is told once, when all have left the group. */
struct pl_request_group;
/* NULL: nobody wants to be told.  Whoever makes it is in it, too, until all have been handed over.
 */
struct pl_request_group *pl_requests_group(const struct sigevent *event, unsigned n, uint64_t pc);
/* Nothing happens where there is no group. */
void pl_requests_leave(struct pl_request_group *group, int code, struct pl_call who);

#endif /* PL_RUNTIME_SYSTEM_REQUESTS_H */
