/* SPDX-License-Identifier: MIT */
/*
 * getaddrinfo_a(): names that threads of libc look up.  One thread for each; libc has up to twenty.
 * A lookup that has not begun can be cancelled.
 */
#include "base/assert.h"
#include "runtime/core/sched.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/sync/thread.h"
#include "runtime/system/requests.h"
#include "runtime/system/texts.h"

#include <errno.h>
#include <netdb.h>
#include <stddef.h>

struct pl_lookup {
    struct pl_lookup *next;
    struct gaicb *request;
    struct pl_request_group *group;
    uint64_t pc;
    bool cancelled;
};

static struct pl_lookup **first(void)
{
    return &pl_stage->process.requests.lookups;
}

/* Which lookups have begun and which have been cancelled is state of libc. */
static void use_lookups(struct pl_call who)
{
    pl_access_state(first(), who.pc, who.entry);
}

static void take_out(const struct pl_lookup *lookup)
{
    struct pl_lookup **at = first();

    while (*at != lookup) {
        PL_ASSERT(*at != NULL);
        at = &(*at)->next;
    }
    *at = lookup->next;
}

static void reads_text(const char *text, struct pl_call who)
{
    pl_text_announce(text, PL_TEXT_WHOLE, who);
}

static int look_up(struct gaicb *request, struct pl_call who)
{
    struct addrinfo *result = NULL;

    pl_call_touches(request, offsetof(struct gaicb, __return), false, who);
    reads_text(request->ar_name, who);
    reads_text(request->ar_service, who);
    pl_call_touches(request->ar_request, sizeof(*request->ar_request), false, who);
    pl_requests_go_out();
    int rc = getaddrinfo(request->ar_name, request->ar_service, request->ar_request, &result);

    pl_requests_go_in();
    pl_call_touches(&request->ar_result, sizeof(request->ar_result), true, who);
    request->ar_result = result;
    return rc;
}

static void *serve(void *arg)
{
    struct pl_lookup *lookup = arg;
    struct pl_call who = {.pc = lookup->pc};

    pl_requests_go_in();
    use_lookups(who);
    if (!lookup->cancelled) {
        struct gaicb *request = lookup->request;

        take_out(lookup);
        pl_requests_over(&request->__return, look_up(request, who), who);
    }
    pl_requests_leave(lookup->group, SI_ASYNCNL, who);
    pl_heap_free(lookup, who.pc);
    pl_requests_go_out();
    return NULL;
}

static bool submit(struct gaicb *request, struct pl_request_group *group, struct pl_call who)
{
    struct pl_lookup *lookup = pl_heap_allocate(sizeof(*lookup), 16, who.pc);

    if (lookup == NULL)
        return false;
    pl_requests_set(&request->__return, EAI_INPROGRESS, who);
    use_lookups(who);
    *lookup =
        (struct pl_lookup){.next = *first(), .request = request, .group = group, .pc = who.pc};
    *first() = lookup;
    if (pl_requests_start(serve, lookup, who.pc) == 0)
        return true;
    take_out(lookup);
    pl_heap_free(lookup, who.pc);
    pl_requests_set(&request->__return, EAI_AGAIN, who);
    return false;
}

static bool are_all_over(const void *list, int n, struct pl_call who)
{
    struct gaicb *const *all = list;

    for (int i = 0; i < n; i++) {
        if (all[i] != NULL && pl_requests_look(&all[i]->__return, who) == EAI_INPROGRESS)
            return false;
    }
    return true;
}

static int waited(enum pl_way way)
{
    return way == PL_WAY_NORMAL ? 0 : way == PL_WAY_TIMEOUT ? EAI_AGAIN : EAI_INTR;
}

#define READS(p, n) pl_access_argument(p, n, false, pl_entry())

PL_INTERPOSE(int, getaddrinfo_a, (int mode, struct gaicb **list, int n, struct sigevent *event))
{
    READS(list, (uint64_t)(n > 0 ? n : 0) * sizeof(*list));
    struct pl_thread *t;
    struct pl_call who;
    bool refused = false;

    if (!pl_requests_begin(&t, &who))
        return PL_FALLBACK(getaddrinfo_a)(mode, list, n, event);
    if (mode != GAI_WAIT && mode != GAI_NOWAIT) {
        errno = EINVAL;
        return EAI_SYSTEM;
    }
    unsigned asked = 0;

    for (int i = 0; i < n; i++)
        asked += list[i] != NULL;
    struct pl_request_group *group =
        pl_requests_group(mode == GAI_NOWAIT ? event : NULL, asked, who.pc);

    for (int i = 0; i < n; i++) {
        if (list[i] == NULL || submit(list[i], group, who))
            continue;
        refused = true;
        pl_requests_leave(group, SI_ASYNCNL, who);
    }
    pl_requests_leave(group, SI_ASYNCNL, who);
    for (int i = 0; mode == GAI_WAIT && i < n; i++) {
        enum pl_way way = list[i] == NULL ? PL_WAY_NORMAL
                                          : pl_requests_wait_one(&list[i]->__return, EAI_INPROGRESS,
                                                                 PL_NEVER, who);

        if (way != PL_WAY_NORMAL)
            return waited(way);
    }
    return refused ? EAI_AGAIN : 0;
}

PL_INTERPOSE(int, gai_error, (struct gaicb * request))
{
    struct pl_thread *t;
    struct pl_call who;

    return pl_requests_begin(&t, &who) ? pl_requests_look(&request->__return, who)
                                       : PL_FALLBACK(gai_error)(request);
}

PL_INTERPOSE(int, gai_suspend,
             (const struct gaicb *const *list, int n, const struct timespec *timeout))
{
    READS(list, (uint64_t)(n > 0 ? n : 0) * sizeof(*list));
    READS(timeout, sizeof(*timeout));
    struct pl_thread *t;
    struct pl_call who;
    uint64_t deadline;

    if (!pl_requests_begin(&t, &who))
        return PL_FALLBACK(gai_suspend)(list, n, timeout);
    if (!pl_requests_deadline(timeout, &deadline)) {
        errno = EINVAL;
        return EAI_SYSTEM;
    }
    if (are_all_over(list, n, who))
        return EAI_ALLDONE;
    const struct pl_request_list all = {(const void *const *)list, n,
                                        offsetof(struct gaicb, __return), EAI_INPROGRESS};

    return waited(pl_requests_wait(&all, deadline, who));
}

PL_INTERPOSE(int, gai_cancel, (struct gaicb * request))
{
    struct pl_thread *t;
    struct pl_call who;

    if (!pl_requests_begin(&t, &who))
        return PL_FALLBACK(gai_cancel)(request);
    use_lookups(who);
    struct pl_lookup *lookup = *first();

    while (lookup != NULL && lookup->request != request)
        lookup = lookup->next;
    if (lookup == NULL)
        return pl_requests_look(&request->__return, who) == EAI_INPROGRESS ? EAI_NOTCANCELED
                                                                           : EAI_ALLDONE;
    lookup->cancelled = true;
    take_out(lookup);
    pl_requests_over(&request->__return, EAI_CANCELED, who);
    return EAI_CANCELED;
}
