/* SPDX-License-Identifier: MIT */
/*
 * See worker.h.  Between fork and exec only system calls are made; a step that
 * fails is reported through a socket that a successful exec closes.
 */
#include "engine/worker/worker.h"

#include "base/assert.h"
#include "base/file.h"
#include "engine/worker/overlay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum step { STEP_LIMIT, STEP_FILES, STEP_PERSONALITY, STEP_OVERLAY, STEP_EXEC };

struct failure {
    enum step step;
    int error;
};

static _Noreturn void fail(int socket, enum step step)
{
    struct failure f = {step, errno};

    if (write(socket, &f, sizeof(f)) < 0)
        _exit(126);
    _exit(127);
}

/* Run on one processor only. */
static void pin(unsigned number)
{
    cpu_set_t allowed, one;

    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
        return;
    int n = CPU_COUNT(&allowed), wanted = n > 0 ? (int)(number % (unsigned)n) : 0;

    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &allowed) && wanted-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof(one), &one);
            return;
        }
    }
}

/* The runtime knows the first 4,096 descriptors; a table of more would make each fork slower. */
enum { HIGHEST = 4096, LEAST = 2 * PL_WORKER_FD_OWN };

int pl_worker_fd(unsigned which)
{
    struct rlimit files;
    rlim_t end = getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_max < HIGHEST ? files.rlim_max
                                                                                   : HIGHEST;

    PL_ASSERT(which < PL_WORKER_FD_OWN);
    return (int)(end < LEAST ? LEAST : end) - PL_WORKER_FD_OWN + (int)which;
}

static bool has_room(void)
{
    struct rlimit files;
    bool room = getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_max >= LEAST;

    if (!room)
        errno = EMFILE;
    return room;
}

static bool copy_files(const struct pl_worker_files *files, int input, int client)
{
    return (client < 0 || dup2(client, pl_worker_fd(PL_WORKER_FD_CLIENT)) >= 0) &&
           dup2(files->board, pl_worker_fd(PL_WORKER_FD_BOARD)) >= 0 &&
           dup2(files->out, pl_worker_fd(PL_WORKER_FD_STDOUT)) >= 0 &&
           dup2(files->err, pl_worker_fd(PL_WORKER_FD_STDERR)) >= 0 &&
           dup2(files->common, pl_worker_fd(PL_WORKER_FD_COMMON)) >= 0 &&
           dup2(files->bell, pl_worker_fd(PL_WORKER_FD_BELL)) >= 0 &&
           dup2(input, STDIN_FILENO) >= 0 && dup2(files->out, STDOUT_FILENO) >= 0 &&
           dup2(files->err, STDERR_FILENO) >= 0;
}

/* Those of plait are above the program's limit, which holds for what is opened from then on. */
static bool place_files(const struct pl_worker_files *files, int input, int client)
{
    struct rlimit before, raised;
    bool below = getrlimit(RLIMIT_NOFILE, &before) == 0 &&
                 before.rlim_cur < (rlim_t)pl_worker_fd(0) + PL_WORKER_FD_OWN;

    raised = before;
    raised.rlim_cur = raised.rlim_max;
    if (below && setrlimit(RLIMIT_NOFILE, &raised) != 0)
        return false;
    return copy_files(files, input, client) && (!below || setrlimit(RLIMIT_NOFILE, &before) == 0);
}

/* A FIFO below an overlay would not lead to whoever is at its other end. */
static bool has_fifo(void)
{
    DIR *here = opendir(".");
    bool any = false;

    for (const struct dirent *e; here != NULL && !any && (e = readdir(here)) != NULL;)
        any = e->d_type == DT_FIFO;
    if (here != NULL)
        closedir(here);
    return any;
}

/* In a folder that was asked for, changes of each worker apart. */
static bool keep_in(const char *files, unsigned number)
{
    char folder[PATH_MAX];

    if (number == 0)
        return pl_overlay_enter(files, -1);
    snprintf(folder, sizeof(folder), "%s/worker-%u", files, number + 1);
    if (mkdir(folder, 0755) != 0 && errno != EEXIST)
        return false;
    return pl_overlay_enter(folder, -1);
}

/* Where the system does not allow that, files are real, unless something else was asked for. */
static bool keep_apart(const struct pl_target *target, unsigned number,
                       const struct pl_space *space, int socket)
{
    if (strcmp(target->files, "real") == 0)
        return true;
    if (strcmp(target->files, "overlay") != 0)
        return keep_in(target->files, number);
    if (target->client < 0 && has_fifo()) { /* a client is at its other end itself */
        pl_overlay_objects();
        return true;
    }
    if (space->mounted >= 0) {
        if (!pl_space_enter(space))
            return false;
        pl_overlay_objects(); /* which leave no trace among files */
        return true;
    }
    pl_overlay_enter(NULL, socket);
    return true;
}

static _Noreturn void become(const struct pl_target *target, unsigned number,
                             const struct pl_worker_files *files, int input, int cpu,
                             const struct pl_space *space, int socket, pid_t tool)
{
    struct rlimit cores = {0};

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != tool)
        _exit(0); /* the tool died before we could ask to die with it */
    if (!has_room())
        fail(socket, STEP_LIMIT);
    getrlimit(RLIMIT_CORE, &cores);
    cores.rlim_cur = 0; /* the program may want some, and then gets them */
    setrlimit(RLIMIT_CORE, &cores);
    if (!place_files(files, input, target->client))
        fail(socket, STEP_FILES);
    int old = personality(0xffffffff);

    if (old < 0 || personality((unsigned long)old | ADDR_NO_RANDOMIZE) < 0)
        fail(socket, STEP_PERSONALITY);
    if (cpu != PL_WORKER_ANY_CPU)
        pin((unsigned)cpu);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (!keep_apart(target, number, space, socket))
        fail(socket, STEP_OVERLAY);
    if (target->client >= 0 || target->apart)
        pl_overlay_network(); /* where that is not allowed, ports are everybody's */
    pl_file_mask_user();
    execve(target->program.path, target->argv, target->environment);
    fail(socket, STEP_EXEC);
}

static int explain(const struct pl_target *target, const struct failure *f, struct pl_err *err)
{
    const char *why = strerror(f->error);

    switch (f->step) {
    case STEP_LIMIT:
    case STEP_FILES:
        return pl_err_set(err, PL_ERR_SYSTEM,
                          "file descriptors could not be set up: %s. "
                          "`ulimit -n 1024` allows as many as plait needs.",
                          why);
    case STEP_PERSONALITY:
        return pl_err_set(err, PL_ERR_SYSTEM,
                          "address randomisation could not be turned off: %s. Allow "
                          "personality(2); containers do with --security-opt seccomp=unconfined.",
                          why);
    case STEP_OVERLAY:
        return pl_err_set(
            err, PL_ERR_USER,
            "files could not be kept apart in %s: %s. Give a folder that is there, on "
            "a disk, or leave --files out.",
            target->files, why);
    case STEP_EXEC:
    default:
        if (f->error == ENOENT)
            return pl_err_set(err, PL_ERR_TARGET,
                              "%s could not be started: its dynamic linker is missing. "
                              "Was it built for another system?",
                              target->program.path);
        return pl_err_set(err, PL_ERR_TARGET, "%s could not be started: %s. Try it by itself.",
                          target->program.path, why);
    }
}

static unsigned n_running; /* workers that have been started and not waited for */

/*
 * Whether the tool has no children but them: whatever lives on of a worker has become the tool's.
 * Where the kernel does not say so, nobody knows.
 */
static bool has_no_others(void)
{
    char text[4096];
    int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, text, sizeof(text)) : -1;
    unsigned n = 0;

    if (fd >= 0)
        close(fd);
    for (ssize_t i = 0; i < size; i++)
        n += text[i] == ' ';
    return size >= 0 && size < (ssize_t)sizeof(text) && n == n_running;
}

struct pl_worker pl_worker_none(void)
{
    return (struct pl_worker){.pid = 0, .pidfd = -1, .space = pl_space_none};
}

static int no_process(struct pl_err *err)
{
    return pl_err_set(err, PL_ERR_SYSTEM, "no process could be started: %s. End some others.",
                      strerror(errno));
}

/*
 * Files carry the time of the kernel's last tick.  What was written before the tool began must
 * not have the tick in which the program begins, or it would count as written by the program.
 */
static void let_tick_pass(void)
{
    static const struct timespec moment = {.tv_nsec = 500000};
    static bool passed;
    struct timespec begun, now;

    if (passed || clock_gettime(CLOCK_REALTIME_COARSE, &begun) != 0)
        return;
    do {
        nanosleep(&moment, NULL);
        clock_gettime(CLOCK_REALTIME_COARSE, &now);
    } while (now.tv_sec == begun.tv_sec && now.tv_nsec == begun.tv_nsec);
    passed = true;
}

int pl_worker_start(struct pl_worker *worker, const struct pl_target *target, unsigned number,
                    const struct pl_worker_files *files, int cpu, struct pl_err *err)
{
    struct failure f;
    int ends[2];

    PL_ASSERT(worker->pid == 0);
    PL_ASSERT(target->environment != NULL && target->argv[0] != NULL);
    PL_ASSERT(files->board >= 0 && files->common >= 0 && files->bell >= 0);
    PL_ASSERT(cpu == PL_WORKER_ANY_CPU || cpu >= 0);
    let_tick_pass();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return no_process(err);
    if (!has_no_others() || !pl_space_is_untouched(&worker->space))
        pl_space_close(&worker->space);
    int input = pl_stdin_fresh(&target->input);
    pid_t tool = getpid();
    pid_t pid = input < 0 ? -1 : fork();

    if (pid == 0)
        become(target, number, files, input, cpu, &worker->space, ends[1], tool);
    close(ends[1]);
    if (input >= 0)
        close(input);
    if (pid < 0) {
        close(ends[0]);
        return no_process(err);
    }
    setpgid(pid, pid); /* both do it, so that it is done whoever comes first */
    worker->pid = pid;
    worker->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    n_running++;
    bool failed = pl_space_hear(&worker->space, ends[0], &f, sizeof(f));

    close(ends[0]);
    if (failed) {
        pl_worker_reap(worker);
        return explain(target, &f, err);
    }
    if (worker->pidfd < 0) {
        pl_worker_reap(worker);
        return pl_err_set(err, PL_ERR_SYSTEM, "pidfd_open failed: %s. plait needs Linux 5.3.",
                          strerror(errno));
    }
    return 0;
}

int pl_worker_reap(struct pl_worker *worker)
{
    int status = 0, s;
    pid_t pid = worker->pid, got;

    if (pid == 0)
        return 0;
    PL_ASSERT(pid > 1 && pid != getpid()); /* its group is killed */
    /* The leader has not been waited for, so the group's number is still ours. */
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    for (;;) {
        got = waitpid(-pid, &s, 0);
        if (got == pid)
            status = s;
        if (got < 0 && errno != EINTR)
            break;
    }
    if (worker->pidfd >= 0)
        close(worker->pidfd);
    worker->pid = 0;
    worker->pidfd = -1;
    n_running--;
    return status;
}

void pl_worker_close(struct pl_worker *worker)
{
    pl_worker_reap(worker);
    pl_space_close(&worker->space);
}
