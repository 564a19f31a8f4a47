/* SPDX-License-Identifier: MIT */
/*
 * Queues, semaphores and shared memory of System V: what a program is told about them, and what it
 * sets.  The calls themselves are rows of ground/calls.def.
 */
#include "base/sys.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/slot.h"
#include "runtime/restart/own_calls.h"
#include "runtime/system/apart.h"
#include "runtime/system/calls.h"
#include "runtime/system/functions.h"

#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

/* What is said about all objects of a kind, and about one; and how much that is. */
struct kind {
    int info, stat, stat_any;
    uint64_t limits_size, info_size, one_size;
};

static const struct kind queues = {MSG_INFO,
                                   MSG_STAT,
                                   MSG_STAT_ANY,
                                   sizeof(struct msginfo),
                                   sizeof(struct msginfo),
                                   sizeof(struct msqid_ds)};
static const struct kind sets = {SEM_INFO,
                                 SEM_STAT,
                                 SEM_STAT_ANY,
                                 sizeof(struct seminfo),
                                 sizeof(struct seminfo),
                                 sizeof(struct semid_ds)};
static const struct kind segments = {SHM_INFO,
                                     SHM_STAT,
                                     SHM_STAT_ANY,
                                     sizeof(struct shminfo),
                                     sizeof(struct shm_info),
                                     sizeof(struct shmid_ds)};

/* What a command reads, or writes, at the address that it is given. */
static void *argument(struct pl_apart *a, const struct kind *k, int command, void *value)
{
    if (command == IPC_SET)
        return pl_apart(a, value, k->one_size, PL_APART_IN);
    if (command == IPC_STAT || command == k->stat || command == k->stat_any)
        return pl_apart(a, value, k->one_size, PL_APART_OUT);
    if (command == IPC_INFO)
        return pl_apart(a, value, k->limits_size, PL_APART_OUT);
    return command == k->info ? pl_apart(a, value, k->info_size, PL_APART_OUT) : value;
}

/* Of queues and segments, whose records tell of processes. */
#define PL_CONTROL(name, kind, record)                                                            \
    PL_INTERPOSE(int, name, (int id, int command, struct record *about))                          \
    {                                                                                             \
        PL_CALL_LASTS who = PL_CALL_ENTERED;                                                      \
        struct pl_thread *t;                                                                      \
        uint64_t pc;                                                                              \
        bool operates = pl_functions_recorded() && pl_begin(&t, &pc);                             \
                                                                                                  \
        PL_APART(apart, who);                                                                     \
        apart.operates = operates;                                                                \
        if (pl_call_wanted(who))                                                                  \
            about = argument(&apart, kind, command, about);                                       \
        long rc = operates ? pl_functions_operate(PL_SYSCALL(SYS_##name, (uint64_t)id,            \
                                                             (uint64_t)command, (uint64_t)about), \
                                                  pc)                                             \
                           : PL_FALLBACK(name)(id, command, about);                               \
                                                                                                  \
        rc = pl_own_passed(SYS_##name, (uint64_t)id, (uint64_t)command, (uint64_t)about, 0, rc);  \
        apart.fails = rc < 0;                                                                     \
        return (int)rc;                                                                           \
    }
PL_CONTROL(msgctl, &queues, msqid_ds)
PL_CONTROL(shmctl, &segments, shmid_ds)

/* Of all semaphores together: two bytes each. */
static size_t values_of(int id)
{
    struct semid_ds about = {.sem_nsems = 0}; /* so that the kernel may write there */

    return pl_sys(SYS_semctl, id, 0, IPC_STAT, &about) < 0 ? 0 : about.sem_nsems * sizeof(short);
}

static void *argument_of_set(struct pl_apart *a, int id, int command, void *value)
{
    return command == SETALL   ? pl_apart(a, value, values_of(id), PL_APART_IN)
           : command == GETALL ? pl_apart(a, value, values_of(id), PL_APART_OUT)
                               : argument(a, &sets, command, value);
}

/* The last argument is a union of a number and an address. */
PL_INTERPOSE(int, semctl, (int id, int which, int command, void *value))
{
    PL_CALL_LASTS who = PL_CALL_ENTERED;
    struct pl_thread *t;
    uint64_t pc;
    bool operates = pl_functions_recorded() && pl_begin(&t, &pc);

    PL_APART(apart, who);
    apart.operates = operates;
    if (pl_call_wanted(who))
        value = argument_of_set(&apart, id, command, value);
    long rc = operates ? pl_functions_operate(PL_SYSCALL(SYS_semctl, (uint64_t)id, (uint64_t)which,
                                                         (uint64_t)command, (uint64_t)value),
                                              pc)
                       : PL_FALLBACK(semctl)(id, which, command, value);

    rc = pl_own_passed(SYS_semctl, (uint64_t)id, (uint64_t)which, (uint64_t)command, 0, rc);
    apart.fails = rc < 0;
    return (int)rc;
}
