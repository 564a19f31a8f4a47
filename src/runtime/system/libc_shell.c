/* SPDX-License-Identifier: MIT */
/*
 * system(), popen() and pclose(): a shell is started, and waited for.
 *
 * Where several processes are tested together (settings.company) the shell may become a program
 * under control, which goes on only while the thread that waits for it does not hold up the others.
 * libc waits in one piece.  And a shell is to have the limits of a program for which they are only
 * remembered (restart/own.h).  So there all three are made of what the program could have called
 * itself, posix_spawn() and waitpid(), which are operations.  Elsewhere libc's own do it.
 */
#include "runtime/system/libc_shell.h"

#include "runtime/ground/entry.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/restart/own.h"

#include <errno.h>
#include <fcntl.h>
#include <paths.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const int heeded[] = {SIGINT, SIGQUIT};

enum { HEEDED = sizeof(heeded) / sizeof(heeded[0]) };

static struct pl_shells *shells(void)
{
    return &pl_stage->process.shells;
}

bool pl_shell_made(void)
{
    return pl_on() && !pl_inside() && (pl_board->settings.company || pl_own_limited(false));
}

/* As waitpid() does it, whoever interrupts. */
static int wait_for(pid_t pid)
{
    int status = -1;

    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return -1;
    }
    return status;
}

/* ---- system() ---- */

/*
 * All threads that are in it together ignore signals until the last of them has ended.  Each makes
 * the same calls, whoever comes first: a recording has as many events as its replay.
 */
static void ignore_signals(sigset_t *set)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;

    __atomic_add_fetch(&shells()->n, 1, __ATOMIC_SEQ_CST);
    sigemptyset(set);
    for (unsigned i = 0; i < HEEDED; i++) {
        struct pl_shell_signal *s = &shells()->signals[i];

        sigaction(heeded[i], &ignore, &before);
        if (before.sa_handler != SIG_IGN) { /* nobody else has come to this */
            s->action = before;
            s->known = true;
        }
        if (s->known)
            sigaddset(set, heeded[i]);
    }
}

static void heed_signals(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    bool last = __atomic_sub_fetch(&shells()->n, 1, __ATOMIC_SEQ_CST) == 0;

    for (unsigned i = 0; i < HEEDED; i++) {
        struct pl_shell_signal *s = &shells()->signals[i];
        bool again = last && s->known;

        s->known &= !last;
        sigaction(heeded[i], again ? &s->action : &ignore, NULL);
    }
}

static void end_shell(void *pid)
{
    kill(*(pid_t *)pid, SIGKILL);
    wait_for(*(pid_t *)pid);
    heed_signals();
}

static int wait_or_end(pid_t pid)
{
    int status;

    pthread_cleanup_push(end_shell, &pid);
    status = wait_for(pid);
    pthread_cleanup_pop(0);
    return status;
}

static pid_t start_shell(const char *command, const sigset_t *mask, const sigset_t *defaults)
{
    char *const words[] = {"sh", "-c", (char *)command, NULL};
    posix_spawnattr_t attributes;
    pid_t pid = -1;

    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setsigdefault(&attributes, defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (posix_spawn(&pid, _PATH_BSHELL, NULL, &attributes, words, environ) != 0)
        pid = -1;
    posix_spawnattr_destroy(&attributes);
    return pid;
}

/* Meanwhile SIGINT and SIGQUIT are ignored and SIGCHLD waits, as POSIX has it. */
int pl_shell_run(const char *command)
{
    sigset_t child, before, defaults;

    ignore_signals(&defaults);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &child, &before);
    pid_t pid = start_shell(command, &before, &defaults);
    int status = pid > 0 ? wait_or_end(pid) : 127 << 8;
    int error = errno;

    heed_signals();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return status;
}

/* ---- popen() ---- */

/*
 * A child must not have the streams to others: they would not end while it lives.  Not even at the
 * number of its own, which dup2() has put there.
 */
static void close_opened(posix_spawn_file_actions_t *actions, int but)
{
    for (unsigned i = 0; i < PL_PIPED; i++) {
        FILE *f = shells()->opened[i].file;

        if (f != NULL && fileno(f) != but)
            posix_spawn_file_actions_addclose(actions, fileno(f));
    }
}

FILE *pl_shell_open(const char *command, const char *type)
{
    const bool reads = type[0] == 'r', closes = type[1] == 'e';
    char *const words[] = {"sh", "-c", (char *)command, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2];
    pid_t pid = -1;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    int own = ends[reads ? 0 : 1], its = ends[reads ? 1 : 0];

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, its, reads ? STDOUT_FILENO : STDIN_FILENO);
    close_opened(&actions, reads ? STDOUT_FILENO : STDIN_FILENO);
    int rc = posix_spawn(&pid, _PATH_BSHELL, &actions, NULL, words, environ);

    posix_spawn_file_actions_destroy(&actions);
    close(its);
    if (!closes)
        fcntl(own, F_SETFD, 0);
    FILE *f = rc == 0 ? fdopen(own, reads ? "r" : "w") : NULL;

    for (unsigned i = 0; f != NULL && i < PL_PIPED; i++) {
        void *none = NULL;

        if (!atomic_compare_exchange_strong(&shells()->opened[i].file, &none, f))
            continue;
        shells()->opened[i].pid = pid;
        return f;
    }
    if (f != NULL)
        fclose(f);
    else
        close(own);
    errno = rc != 0 ? rc : EMFILE;
    return NULL;
}

/* What libc has opened it closes as any other FILE, which waits. */
PL_EXPOSE(int, pclose, (FILE * f))
{
    for (unsigned i = 0; f != NULL && i < PL_PIPED; i++) {
        if (shells()->opened[i].file != f)
            continue;
        pid_t pid = shells()->opened[i].pid;

        shells()->opened[i].file = NULL;
        fclose(f);
        return wait_for(pid);
    }
    return fclose(f);
}
