/* SPDX-License-Identifier: MIT */
/*
 * Functions of <pthread.h>, threads and what belongs to them: each with one that depends on it, in
 * both orders.
 *
 * RUN    plait test -s dpor:source --outputs
 * EXPECT clean complete orders=23
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=23
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static pthread_t third;
/* A case natively begins while a thread of the last one may still stand at its gate. */
static sem_t gates[32], *gate;
static void *result;
static long value;

static struct timespec soon(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    t.tv_sec++;
    return t;
}

static void join_third(void)
{
    pthread_join(third, NULL);
}

static void new_gate(void)
{
    gate = gate == NULL ? gates : gate + 1;
    MUST(gate < gates + sizeof(gates) / sizeof(gates[0]) && sem_init(gate, 0, 0) == 0);
}

static void start(void *(*run)(void *))
{
    value = 0;
    result = NULL;
    new_gate();
    MUST(pthread_create(&third, NULL, run, gate) == 0);
}

static void start_joined(void *(*run)(void *))
{
    start(run);
    after = join_third;
}

/* ---- threads ---- */

static void *set_value_first(void *arg)
{
    value = 1;
    (void)arg;
    return NULL;
}

static void *pass_gate(void *arg)
{
    sem_wait(arg);
    return &value;
}

static void *exit_behind_gate(void *arg)
{
    sem_wait(arg);
    pthread_exit(&value);
}

static long create(void)
{
    value = 0;
    after = join_third;
    return pthread_create(&third, NULL, set_value_first, NULL);
}

static long ended(int rc)
{
    return rc != 0 && pthread_join(third, NULL) == 0 ? rc : 0;
}

static long join_until(clockid_t clock)
{
    struct timespec t = soon(clock);

    return ended(clock == CLOCK_REALTIME ? pthread_timedjoin_np(third, NULL, &t)
                                         : pthread_clockjoin_np(third, NULL, clock, &t));
}

static void detached_third(void)
{
    start(pass_gate);
}

static long is_detached(void)
{
    pthread_attr_t attr;
    int state = -1;

    MUST(pthread_getattr_np(third, &attr) == 0);
    pthread_attr_getdetachstate(&attr, &state);
    pthread_attr_destroy(&attr);
    return state;
}

static void let_go(void)
{
    sem_post(gate);
}

static pthread_attr_t shape;

static void see_shape(void)
{
    seen = is_detached();
    let_go();
    if (seen == PTHREAD_CREATE_JOINABLE)
        pthread_join(third, NULL);
}

static long create_shaped(void)
{
    after = see_shape;
    return pthread_create(&third, &shape, pass_gate, gate);
}

static void see_result(void)
{
    pthread_join(third, &result);
    seen = result == PTHREAD_CANCELED;
}

static void *test_cancel(void *arg)
{
    pthread_testcancel();
    value = 1;
    (void)arg;
    return NULL;
}

/* With the other type to be cancelled is to be so as soon as that is allowed. */
static void *allow_again(void *arg)
{
    int old;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    value = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    (void)arg;
    return NULL;
}

static void *wait_cancelled_anywhere(void *arg)
{
    int old;

    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    value = 1;
    pthread_setcanceltype(old, &old);
    (void)arg;
    return NULL;
}

static void start_cancelled(void *(*run)(void *))
{
    start(run);
    after = see_result;
}

static long post(void)
{
    return sem_post(gate);
}

static long name_third(void)
{
    return pthread_setname_np(third, "third");
}

static long is_named(void)
{
    char name[16];

    MUST(pthread_getname_np(third, name, sizeof(name)) == 0);
    return strcmp(name, "third") == 0;
}

static void let_go_and_join(void)
{
    sem_post(gate);
    pthread_join(third, NULL);
}

static void waiting_third(void)
{
    start(pass_gate);
    after = let_go_and_join;
}

ORDER(pthread_create, ;, return create(), return value)
ORDER(created_by_shape, pthread_attr_init(&shape);
      new_gate(), return create_shaped(),
      return pthread_attr_setdetachstate(&shape, PTHREAD_CREATE_DETACHED))
ORDER(pthread_join, start(set_value_first);
      after = NULL, return pthread_join(third, &result) + (result != NULL), result = &value;
      return 0)
ORDER(pthread_exit, start(exit_behind_gate), return post(),
      return ended(pthread_tryjoin_np(third, NULL)))
ORDER(pthread_tryjoin_np, start(pass_gate), return ended(pthread_tryjoin_np(third, NULL)),
      return post())
ORDER(pthread_timedjoin_np, start(pass_gate), return join_until(CLOCK_REALTIME), return post())
ORDER(pthread_clockjoin_np, start(pass_gate), return join_until(CLOCK_MONOTONIC), return post())
ORDER(pthread_detach, detached_third();
      after = let_go, return pthread_detach(third), return is_detached())
ORDER(pthread_getattr_np, detached_third();
      after = let_go, return is_detached(), return pthread_detach(third))
ORDER(pthread_cancel, start_cancelled(pass_gate), return pthread_cancel(third), return post())
ORDER(pthread_testcancel, start_cancelled(test_cancel), return pthread_cancel(third), return value)
ORDER(pthread_setcancelstate, start_cancelled(allow_again), return pthread_cancel(third),
      return value)
ORDER(pthread_setcanceltype, start_cancelled(wait_cancelled_anywhere), return pthread_cancel(third),
      return value)
ORDER(pthread_setname_np, waiting_third(), return name_third(), return is_named())
ORDER(pthread_getname_np, waiting_third(), return is_named(), return name_third())

/* ---- signals, scheduling ---- */

static void count_signal(int signo)
{
    (void)signo;
    value++;
}

static void *look_for_signal(void *arg)
{
    sigset_t pending;

    sigpending(&pending);
    seen = sigismember(&pending, SIGUSR1);
    (void)arg;
    return NULL;
}

static void *block_signal(void *arg)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    seen = value;
    (void)arg;
    return NULL;
}

static void start_signalled(void *(*run)(void *), int how)
{
    sigset_t set;

    signal(SIGUSR1, count_signal);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(how, &set, NULL);
    start_joined(run);
}

static long send(void)
{
    return pthread_kill(third, SIGUSR1);
}

static long queue(void)
{
    return pthread_sigqueue(third, SIGUSR1, (union sigval){.sival_int = 0});
}

static long to_one_processor(void)
{
    cpu_set_t set;

    pthread_getaffinity_np(third, sizeof(set), &set);
    for (int i = 0; i < CPU_SETSIZE; i++) {
        if (CPU_ISSET(i, &set)) {
            CPU_ZERO(&set);
            CPU_SET(i, &set);
            break;
        }
    }
    return pthread_setaffinity_np(third, sizeof(set), &set);
}

static long on_one_processor(void)
{
    cpu_set_t set;

    pthread_getaffinity_np(third, sizeof(set), &set);
    return CPU_COUNT(&set) == 1;
}

static long to_batch(void)
{
    struct sched_param none = {0};

    return pthread_setschedparam(third, SCHED_BATCH, &none);
}

static long is_batch(void)
{
    struct sched_param param;
    int policy;

    pthread_getschedparam(third, &policy, &param);
    return policy == SCHED_BATCH;
}

ORDER(pthread_kill, start_signalled(look_for_signal, SIG_BLOCK), return send(), return value)
ORDER(pthread_sigqueue, start_signalled(look_for_signal, SIG_BLOCK), return queue(), return value)
ORDER(pthread_sigmask, start_signalled(block_signal, SIG_UNBLOCK), return send(), return 0)
ORDER(pthread_setaffinity_np, waiting_third(), return to_one_processor(), return on_one_processor())
ORDER(pthread_getaffinity_np, waiting_third(), return on_one_processor(), return to_one_processor())
ORDER(pthread_setschedparam, waiting_third(), return to_batch(), return is_batch())
ORDER(pthread_getschedparam, waiting_third(), return is_batch(), return to_batch())

/* ---- children ---- */

static void count_fork(void)
{
    value++;
}

static long make_child(void)
{
    pid_t child = fork();

    if (child == 0)
        _exit(0);
    MUST(child > 0 && waitpid(child, NULL, 0) == child);
    return value;
}

ORDER(pthread_atfork, value = 0, return pthread_atfork(count_fork, NULL, NULL), return make_child())

ORDERS(&order_pthread_create, &order_created_by_shape, &order_pthread_join, &order_pthread_exit,
       &order_pthread_tryjoin_np, &order_pthread_timedjoin_np, &order_pthread_clockjoin_np,
       &order_pthread_detach, &order_pthread_getattr_np, &order_pthread_cancel,
       &order_pthread_testcancel, &order_pthread_setcancelstate, &order_pthread_setcanceltype,
       &order_pthread_setname_np, &order_pthread_getname_np, &order_pthread_kill,
       &order_pthread_sigqueue, &order_pthread_sigmask, &order_pthread_setaffinity_np,
       &order_pthread_getaffinity_np, &order_pthread_setschedparam, &order_pthread_getschedparam,
       &order_pthread_atfork)
