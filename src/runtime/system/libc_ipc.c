/* SPDX-License-Identifier: MIT */
/*
 * Queues and semaphores of System V: what a program is told about them, and what it sets.  The
 * calls themselves are rows of ground/calls.def.
 */
#include "base/sys.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/slot.h"
#include "runtime/restart/own_calls.h"
#include "runtime/system/apart.h"
#include "runtime/system/functions.h"

#include <sys/msg.h>
#include <sys/sem.h>

/* A command reads, or writes, so much at the address that it is given. */
static void *argument(struct pl_apart *a, void *value, uint64_t in, uint64_t out)
{
    return in > 0    ? pl_apart(a, value, in, PL_APART_IN)
           : out > 0 ? pl_apart(a, value, out, PL_APART_OUT)
                     : value;
}

static void *queue_argument(struct pl_apart *a, int command, void *value)
{
    switch (command) {
    case IPC_SET:
        return argument(a, value, sizeof(struct msqid_ds), 0);
    case IPC_STAT:
    case MSG_STAT:
    case MSG_STAT_ANY:
        return argument(a, value, 0, sizeof(struct msqid_ds));
    case IPC_INFO:
    case MSG_INFO:
        return argument(a, value, 0, sizeof(struct msginfo));
    default:
        return value;
    }
}

PL_INTERPOSE(int, msgctl, (int id, int command, struct msqid_ds *about))
{
    PL_CALL_LASTS who = PL_CALL_ENTERED;

    PL_APART(apart, who);
    if (pl_call_wanted(who))
        about = queue_argument(&apart, command, about);
    int rc = PL_FALLBACK(msgctl)(id, command, about);

    pl_own_made_in_child(SYS_msgctl, (uint64_t)id, (uint64_t)command, (uint64_t)about, 0, rc);
    apart.fails = rc < 0;
    return rc;
}

/* Of all semaphores together: two bytes each. */
static size_t values_of(int id)
{
    struct semid_ds about = {.sem_nsems = 0}; /* so that the kernel may write there */

    return pl_sys(SYS_semctl, id, 0, IPC_STAT, &about) < 0 ? 0 : about.sem_nsems * sizeof(short);
}

static void *semaphore_argument(struct pl_apart *a, int id, int command, void *value)
{
    switch (command) {
    case SETALL:
        return argument(a, value, values_of(id), 0);
    case IPC_SET:
        return argument(a, value, sizeof(struct semid_ds), 0);
    case GETALL:
        return argument(a, value, 0, values_of(id));
    case IPC_STAT:
    case SEM_STAT:
    case SEM_STAT_ANY:
        return argument(a, value, 0, sizeof(struct semid_ds));
    case IPC_INFO:
    case SEM_INFO:
        return argument(a, value, 0, sizeof(struct seminfo));
    default:
        return value;
    }
}

/* The last argument is a union of a number and an address. */
PL_INTERPOSE(int, semctl, (int id, int which, int command, void *value))
{
    PL_CALL_LASTS who = PL_CALL_ENTERED;

    PL_APART(apart, who);
    if (pl_call_wanted(who))
        value = semaphore_argument(&apart, id, command, value);
    long rc = PL_FALLBACK(semctl)(id, which, command, value);

    if (pl_in_child() && rc >= 0)
        pl_own_made(SYS_semctl,
                    (const uint64_t[6]){(uint64_t)id, (uint64_t)which, (uint64_t)command}, NULL,
                    &rc);
    apart.fails = rc < 0;
    return (int)rc;
}
