/* SPDX-License-Identifier: MIT */
/*
 * A child has what its parent had when it was made.  Each case: the first thread makes a child,
 * which looks at something that no other thread of the parent looks at; the second thread changes
 * that.  Only what the child does shows that both have an order.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=15
 *
 * RUN    [gcc] -DPROGRAMS plait test -s dpor --outputs
 * EXPECT clean complete orders=5
 *
 * Locks and keys that the thread itself had are the child's, and large memory is no reason to give
 * up.
 *
 * RUN    -DKEPT plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>

/* What the child says of that expression. */
#define IN_CHILD(what)                                                    \
    pid_t child = fork();                                                 \
    int status;                                                           \
    if (child == 0)                                                       \
        _exit((what) != 0);                                               \
    MUST(waitpid(child, &status, 0) == child && WEXITSTATUS(status) < 2); \
    return WEXITSTATUS(status)

static int number;
static char text[64];
static struct wide {
    long parts[6];
} wide;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

__attribute__((noinline, no_sanitize("thread"))) static int without_hook(const int *p)
{
    return *p;
}

__attribute__((noinline, no_sanitize("thread"))) static struct wide by_value(const struct wide *p)
{
    return *p;
}

static long part_of_value(void)
{
    return by_value(&wide).parts[5];
}

static long in_copy(void)
{
    char copy[sizeof(text)];

    memcpy(copy, text, sizeof(copy));
    return copy[40];
}

static long printed(void)
{
    char copy[sizeof(text)];

    return snprintf(copy, sizeof(copy), "%s", text) > 0;
}

static long written(void)
{
    int ends[2];
    char first = 0;

    MUST(pipe(ends) == 0 && write(ends[1], text, 1) == 1 && read(ends[0], &first, 1) == 1);
    return first;
}

static int compare(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

static long sorted(void)
{
    qsort(text, 4, 1, compare);
    return text[3];
}

static long become(void)
{
    return execl("/bin/sh", "sh", "-c", "exit $0", text, (char *)NULL);
}

static long become_with(void)
{
    char *const environment[] = {text, NULL};

    return execle("/bin/sh", "sh", "-c", "exit $V", (char *)NULL, environment);
}

static long spawn(void)
{
    char *const argv[] = {"sh", "-c", "exit $0", text, NULL};
    pid_t child;
    int status;

    MUST(posix_spawn(&child, "/bin/sh", NULL, NULL, argv, NULL) == 0);
    MUST(waitpid(child, &status, 0) == child);
    return WEXITSTATUS(status);
}

static long action(void)
{
    struct sigaction a;

    MUST(sigaction(SIGUSR1, NULL, &a) == 0);
    return a.sa_handler == SIG_IGN;
}

static void end(int signo)
{
    (void)signo;
    _exit(1);
}

static long next_token(void)
{
    const char *token = strtok(NULL, " ");

    return token != NULL && *token == 'c';
}

static long next_key(void)
{
    pthread_key_t key;

    MUST(pthread_key_create(&key, NULL) == 0);
    return key == (pthread_key_t)number;
}

static void make_key(void)
{
    pthread_key_t key;

    MUST(pthread_key_create(&key, NULL) == 0 && pthread_key_delete(key) == 0);
    number = (int)key;
}

static void hold_for_writing(void)
{
    MUST(pthread_rwlock_wrlock(&lock) == 0);
    MUST(pthread_rwlock_unlock(&lock) == 0);
}

ORDER(without_hook, number = 0, IN_CHILD(without_hook(&number)), return number = 1)
ORDER(by_value, wide.parts[5] = 0, IN_CHILD(part_of_value()), return wide.parts[5] = 1)
ORDER(strlen, text[0] = '\0', IN_CHILD(strlen(text)), return text[0] = 'a')
ORDER(memcpy, text[40] = '\0', IN_CHILD(in_copy()), return text[40] = 'a')
ORDER(snprintf, text[0] = '\0', IN_CHILD(printed()), return text[0] = 'a')
ORDER(write, text[0] = '\0', IN_CHILD(written()), return text[0] = 'a')
ORDER(qsort, memset(text, 0, 4), IN_CHILD(sorted()), return text[0] = 'a')
ORDER(execl, strcpy(text, "0"), IN_CHILD(become()), return text[0] = '1')
ORDER(execle, strcpy(text, "V=0"), IN_CHILD(become_with()), return text[2] = '1')
ORDER(system, unsetenv("V"), return WEXITSTATUS(system("exit ${V:-0}")), return setenv("V", "1", 1))
ORDER(popen, unsetenv("V"), return WEXITSTATUS(pclose(popen("exit ${V:-0}", "r"))),
      return setenv("V", "1", 1))
ORDER(posix_spawn, strcpy(text, "0"), return spawn(), return text[0] = '1')
ORDER(getenv, unsetenv("V"), IN_CHILD(getenv("V") != NULL), return setenv("V", "1", 1))
ORDER(rand, srand(1); number = rand(); srand(1), IN_CHILD(rand() == number), return rand() > 0)
ORDER(strtok, strtok(strcpy(text, "a b c d"), " "), IN_CHILD(next_token()),
      return strtok(NULL, " ") != NULL)
ORDER(sigaction, signal(SIGUSR1, SIG_DFL), IN_CHILD(action()),
      return signal(SIGUSR1, SIG_IGN) == SIG_ERR)
ORDER(raise, signal(SIGUSR1, SIG_IGN), IN_CHILD(raise(SIGUSR1)),
      return signal(SIGUSR1, end) == SIG_ERR)
ORDER(pthread_key_create, make_key(), IN_CHILD(next_key()), pthread_key_t key;
      return pthread_key_create(&key, NULL))
ORDER(pthread_rwlock_tryrdlock, ;
      , IN_CHILD(pthread_rwlock_tryrdlock(&lock) == 0), hold_for_writing(); return 0)
ORDER(timezone, setenv("TZ", "UTC0", 1); tzset(), IN_CHILD(timezone), setenv("TZ", "ABC5", 1);
      tzset(); return 0)

/* ---- what is the thread's own ---- */

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_key_t key;
static char large[1 << 20], copy_of_large[1 << 20];

/* Both are locked when it begins. */
static int be_child(void)
{
    memcpy(copy_of_large, large, sizeof(large));
    return pthread_getspecific(key) == &key && pthread_mutex_lock(&mutex) == 0 &&
           pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0 &&
           pthread_rwlock_unlock(&lock) == 0 && pthread_rwlock_wrlock(&lock) == 0 &&
           pthread_rwlock_unlock(&lock) == 0 && pthread_rwlock_rdlock(&lock) == 0;
}

static long fork_with_locks(void)
{
    MUST(pthread_setspecific(key, &key) == 0 && pthread_mutex_lock(&mutex) == 0);
    MUST((number != 0 ? pthread_rwlock_wrlock(&lock) : pthread_rwlock_rdlock(&lock)) == 0);
    pid_t child = fork();
    int status;

    if (child == 0)
        _exit(be_child());
    MUST(pthread_rwlock_unlock(&lock) == 0 && pthread_mutex_unlock(&mutex) == 0);
    MUST(waitpid(child, &status, 0) == child);
    return status;
}

static void use_both(void)
{
    MUST(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    hold_for_writing();
}

ORDER(kept, number = plait_choose(2);
      MUST(pthread_key_create(&key, NULL) == 0), MUST(fork_with_locks() == 1 << 8);
      return 0, use_both(); return 0)

#ifdef KEPT
ORDERS(&order_kept)
#elif defined PROGRAMS
ORDERS(&order_execl, &order_execle, &order_posix_spawn, &order_system, &order_popen)
#else
ORDERS(&order_without_hook, &order_by_value, &order_strlen, &order_memcpy, &order_snprintf,
       &order_write, &order_qsort, &order_getenv, &order_rand, &order_strtok, &order_sigaction,
       &order_raise, &order_pthread_key_create, &order_timezone, &order_pthread_rwlock_tryrdlock)
#endif
