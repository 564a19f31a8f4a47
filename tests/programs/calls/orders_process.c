/* SPDX-License-Identifier: MIT */
/*
 * What a process has besides files: children, limits, queues and semaphores of the kernel, time.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=31
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=31
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <linux/futex.h>
#include <mqueue.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

static int id;
static char queue_name[32];
static key_t key;
static struct timespec begun, two; /* seconds, where they take none */
static atomic_int word;

/* ---- children, limits ---- */

/* A child that has ended and is not waited for. */
static void have_child(void)
{
    siginfo_t info;
    pid_t child = fork();

    if (child == 0)
        _exit(3);
    MUST(child > 0 && waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) == 0);
}

static long wait_for_it(void)
{
    return syscall(SYS_wait4, -1, NULL, WNOHANG, NULL) > 0;
}

static long open_files(void)
{
    struct rlimit limit = {0};

    MUST(syscall(SYS_getrlimit, RLIMIT_NOFILE, &limit) == 0);
    return limit.rlim_cur == 100;
}

static long lower(void)
{
    struct rlimit limit = {0};

    MUST(syscall(SYS_getrlimit, RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = 100;
    return syscall(SYS_setrlimit, RLIMIT_NOFILE, &limit);
}

ORDER(wait4, have_child(), return wait_for_it(), return wait_for_it())
ORDER(waitid, have_child(), siginfo_t info = {0}; waitid(P_ALL, 0, &info, WEXITED | WNOHANG);
      return info.si_pid > 0, return wait_for_it())
ORDER(getrlimit, ;, return open_files(), return lower())
ORDER(setrlimit, ;, return lower(), return open_files())

ORDER(prlimit64, ;, struct rlimit limit; MUST(getrlimit(RLIMIT_NOFILE, &limit) == 0);
      limit.rlim_cur = 100; return setrlimit(RLIMIT_NOFILE, &limit), struct rlimit limit;
      MUST(getrlimit(RLIMIT_NOFILE, &limit) == 0); return limit.rlim_cur == 100)

/* ---- System V ---- */

struct letter {
    long type;
    char text[1];
};

static void remove_keyed(void)
{
    if ((id = semget(key, 1, 0)) >= 0)
        semctl(id, 0, IPC_RMID);
    if ((id = msgget(key, 0)) >= 0)
        msgctl(id, IPC_RMID, NULL);
    if ((id = shmget(key, 1, 0)) >= 0)
        shmctl(id, IPC_RMID, NULL);
}

static void remove_semaphore(void)
{
    semctl(id, 0, IPC_RMID);
}

static void remove_memory(void)
{
    shmctl(id, IPC_RMID, NULL);
}

static void remove_queue(void)
{
    msgctl(id, IPC_RMID, NULL);
}

static void remove_name(void)
{
    mq_unlink(queue_name);
}

static void remove_old(void)
{
    key = ftok("/proc/self/exe", 'p') ^ (int)time(NULL);
    remove_keyed();
    after = remove_keyed;
}

static void have_semaphore(void)
{
    id = semget(IPC_PRIVATE, 1, 0600);
    after = remove_semaphore;
    MUST(id >= 0 && semctl(id, 0, SETVAL, 1) == 0);
}

static void have_memory(void)
{
    id = shmget(IPC_PRIVATE, 1, 0600);
    after = remove_memory;
    MUST(id >= 0);
}

static void have_queue(void)
{
    id = msgget(IPC_PRIVATE, 0600);
    after = remove_queue;
    MUST(id >= 0);
}

static long take(void)
{
    struct sembuf change = {.sem_op = -1, .sem_flg = IPC_NOWAIT};

    return said(semop(id, &change, 1));
}

static long put(void)
{
    return msgsnd(id, &(struct letter){.type = 1}, 1, IPC_NOWAIT);
}

static long get(void)
{
    struct letter l;

    return said(msgrcv(id, &l, 1, 0, IPC_NOWAIT));
}

static long got(long result)
{
    return result < 0 ? -errno : 0;
}

ORDER(semget, remove_old(), return got(semget(key, 1, IPC_CREAT | IPC_EXCL | 0600)),
      return got(semget(key, 1, IPC_CREAT | IPC_EXCL | 0600)))
ORDER(semctl, have_semaphore(), return said(semctl(id, 0, GETVAL)), return take())
ORDER(semop, have_semaphore(), return take(), return take())
ORDER(semtimedop, have_semaphore(), struct sembuf change = {.sem_op = -1};
      change.sem_flg = IPC_NOWAIT; return said(semtimedop(id, &change, 1, NULL)), return take())
ORDER(shmget, remove_old(), return got(shmget(key, 1, IPC_CREAT | IPC_EXCL | 0600)),
      return got(shmget(key, 1, IPC_CREAT | IPC_EXCL | 0600)))
ORDER(shmctl, have_memory(), struct shmid_ds about;
      return said(shmctl(id, IPC_STAT, &about)), return said(shmctl(id, IPC_RMID, NULL)))
ORDER(msgget, remove_old(), return got(msgget(key, IPC_CREAT | IPC_EXCL | 0600)),
      return got(msgget(key, IPC_CREAT | IPC_EXCL | 0600)))
ORDER(msgctl, have_queue(), struct msqid_ds about; MUST(msgctl(id, IPC_STAT, &about) == 0);
      return (long)about.msg_qnum, return put())
ORDER(msgsnd, have_queue(), return put(), return get())
ORDER(msgrcv, have_queue(), return get(), return put())

/* ---- queues of POSIX ---- */

static mqd_t open_queue(int flags)
{
    struct mq_attr size = {.mq_maxmsg = 2, .mq_msgsize = 1};

    return mq_open(queue_name, O_RDWR | O_NONBLOCK | flags, 0600, &size);
}

static void no_name(void)
{
    snprintf(queue_name, sizeof(queue_name), "/plait-%d", (int)getppid());
    mq_unlink(queue_name);
    after = remove_name;
}

static void have_name(void)
{
    no_name();
    id = open_queue(O_CREAT);
    MUST(id >= 0);
}

static void have_unnamed(void)
{
    have_name();
    mq_unlink(queue_name);
}

static long queued(void)
{
    struct mq_attr now;

    MUST(mq_getattr(id, &now) == 0);
    return now.mq_curmsgs;
}

static long receive(void)
{
    char c;

    return said(mq_receive(id, &c, 1, NULL));
}

static long notify(void)
{
    struct sigevent nothing = {.sigev_notify = SIGEV_NONE};

    return said(mq_notify(id, &nothing));
}

ORDER(mq_open, no_name(), return got(open_queue(O_CREAT | O_EXCL)),
      return got(open_queue(O_CREAT | O_EXCL)))
ORDER(mq_unlink, have_name(), return mq_unlink(queue_name), return got(open_queue(0)))
ORDER(mq_timedsend, have_unnamed(), return mq_send(id, "x", 1, 0), return queued())
ORDER(mq_timedreceive, have_unnamed(), return receive(), return mq_send(id, "x", 1, 0))
ORDER(mq_notify, have_unnamed(), return notify(), return notify())
ORDER(mq_getsetattr, have_unnamed(), struct mq_attr waits = {0};
      return mq_setattr(id, &waits, NULL), struct mq_attr now; MUST(mq_getattr(id, &now) == 0);
      return now.mq_flags)

/* ---- how the first thread is treated ---- */

static long set_policy(int policy)
{
    return syscall(SYS_sched_setscheduler, getpid(), policy, &(struct sched_param){0});
}

static long policy(void)
{
    return syscall(SYS_sched_getscheduler, getpid());
}

static int nice_before;

ORDER(setpriority, nice_before = getpriority(PRIO_PROCESS, 0),
      return setpriority(PRIO_PROCESS, (id_t)getpid(), 19),
      return getpriority(PRIO_PROCESS, (id_t)getpid()))
ORDER(getpriority, nice_before = getpriority(PRIO_PROCESS, 0),
      return getpriority(PRIO_PROCESS, (id_t)getpid()) - nice_before,
      return setpriority(PRIO_PROCESS, (id_t)getpid(), 19))
ORDER(sched_setscheduler, (void)0, return set_policy(SCHED_BATCH), return policy())
ORDER(sched_getscheduler, (void)0, return policy(), return set_policy(SCHED_BATCH))

/* ---- time, and who waits ---- */

static void begin(void)
{
    word = 0;
    two.tv_sec = plait_active() ? 2 : 0;
    clock_gettime(CLOCK_REALTIME, &begun);
}

static long sleep_two(void)
{
    return syscall(SYS_nanosleep, &two, NULL);
}

static long has_passed(void)
{
    return time(NULL) - begun.tv_sec >= 2;
}

ORDER(futex, begin(), return syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0),
      struct timespec limit = {.tv_nsec = 1000};
      return got(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &limit, NULL, 0)))
ORDER(nanosleep, begin(), return sleep_two(), return has_passed())
ORDER(clock_nanosleep, begin(), return clock_nanosleep(CLOCK_MONOTONIC, 0, &two, NULL),
      return has_passed())
ORDER(clock_gettime, begin(), struct timespec now; syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
      return now.tv_sec - begun.tv_sec >= 2, return sleep_two())
ORDER(gettimeofday, begin(), struct timeval now; syscall(SYS_gettimeofday, &now, NULL);
      return now.tv_sec - begun.tv_sec >= 2, return sleep_two())
ORDER(time, begin(), return syscall(SYS_time, NULL) - begun.tv_sec >= 2, return sleep_two())

ORDERS(&order_wait4, &order_waitid, &order_getrlimit, &order_setrlimit, &order_prlimit64,
       &order_semget, &order_semctl, &order_semop, &order_semtimedop, &order_shmget, &order_shmctl,
       &order_msgget, &order_msgctl, &order_msgsnd, &order_msgrcv, &order_mq_open, &order_mq_unlink,
       &order_mq_timedsend, &order_mq_timedreceive, &order_mq_notify, &order_mq_getsetattr,
       &order_futex, &order_setpriority, &order_getpriority, &order_sched_setscheduler,
       &order_sched_getscheduler, &order_nanosleep, &order_clock_nanosleep, &order_clock_gettime,
       &order_gettimeofday, &order_time)
