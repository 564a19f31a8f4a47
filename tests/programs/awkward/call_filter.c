/* SPDX-License-Identifier: MIT */
/*
 * A program that confines itself to the system calls it needs (seccomp), before its first thread
 * and in a thread: what plait does beside it goes on, and what the filter refuses is refused.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    plait test -s random -n 20 --carrier thread
 * EXPECT clean executions=20
 *
 * RUN    plait test -s random -n 5 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s noise -n 10
 * EXPECT clean executions=10
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

/* Whatever is not in the list kills. */
static void confine(void)
{
    static const int allowed[] = {
        SYS_read,           SYS_write,   SYS_close,      SYS_mmap,         SYS_munmap,
        SYS_mprotect,       SYS_madvise, SYS_brk,        SYS_futex,        SYS_exit,
        SYS_exit_group,     SYS_clone,   SYS_clone3,     SYS_rseq,         SYS_set_robust_list,
        SYS_rt_sigprocmask, SYS_prctl,   SYS_newfstatat, SYS_rt_sigaction, SYS_seccomp,
        SYS_gettid,
    };
    enum { N = sizeof(allowed) / sizeof(allowed[0]) };
    struct sock_filter filter[2 * N + 7];
    unsigned k = 0;

#define ADD(...) filter[k++] = (struct sock_filter)__VA_ARGS__
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    for (unsigned i = 0; i < N; i++) {
        ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i], 0, 1));
        ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 1, 0));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1));
    ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    struct sock_fprog program = {(unsigned short)k, filter};

    assert(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    assert(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static void *add(void *arg)
{
    if (arg != NULL)
        confine();
    assert(syscall(SYS_getppid) == -1 && errno == EPERM);
    assert(open("/dev/null", O_RDONLY) == -1 && errno == EPERM);
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    confine();
    pthread_create(&t, NULL, add, &n);
    add(NULL);
    pthread_join(t, NULL);
    assert(n == 2);
    return 0;
}
