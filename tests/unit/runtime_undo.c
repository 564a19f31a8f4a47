/* SPDX-License-Identifier: MIT */
/*
 * What an execution did to the kernel's state is undone: with real files, pipes, memory and
 * signals.  What cannot be undone is said, with the restart that can.
 */
#include "unit.h"

#include "runtime_stage.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *why;

/* An execution that will be put back begins. */
static void begin(void)
{
    stage_set(1);
    pl_stage->rolling = true;
    why = NULL;
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

/* A file without a name, with so many bytes. */
static int make_file(unsigned size)
{
    char name[] = "/tmp/undo-XXXXXX";
    int fd = mkstemp(name);

    CHECK(fd >= 0 && unlink(name) == 0 && ftruncate(fd, size) == 0);
    return fd;
}

/* ---- descriptors ---- */

static void what_was_opened_is_closed(void)
{
    begin();
    int first = make_file(0), second = make_file(0), third = make_file(0);

    pl_undo_opened(first);
    pl_undo_opened(second);
    pl_undo_opened(second); /* closed and opened again */
    pl_undo_opened(-1);     /* it failed */
    pl_undo_all();
    CHECK(!is_open(first) && !is_open(second) && is_open(third));
    pl_undo_all(); /* there is nothing left */
    CHECK(is_open(third));
    close(third);
}

static void without_rollback_nothing_is_kept(void)
{
    begin();
    pl_stage->rolling = false;
    int fd = make_file(0);

    pl_undo_opened(fd);
    pl_undo_all();
    CHECK(is_open(fd));
    close(fd);
}

static void too_many_files_are_said(void)
{
    begin();
    pl_undo_opened(PL_VAULT_FDS);
    CHECK(stage_told.spoils == 1 && stage_told.restart == PL_RESTART_FORK);
    CHECK(strstr(stage_told.why, "files") != NULL);
}

/* ---- files from before ---- */

static void positions_are_put_back(void)
{
    begin();
    int fd = make_file(100);

    lseek(fd, 30, SEEK_SET);
    CHECK(pl_undo_use(fd, false, &why) == PL_RESTART_ROLLBACK);
    for (unsigned i = 0; i < 2 * PL_VAULT_FILES; i++) { /* it is remembered once */
        lseek(fd, i, SEEK_SET);
        CHECK(pl_undo_use(fd, false, &why) == PL_RESTART_ROLLBACK);
    }
    pl_undo_all();
    CHECK(lseek(fd, 0, SEEK_CUR) == 30);
    CHECK(pl_undo_use(fd, false, &why) == PL_RESTART_ROLLBACK); /* in the next execution again */
    lseek(fd, 50, SEEK_SET);
    pl_undo_all();
    CHECK(lseek(fd, 0, SEEK_CUR) == 30);
    close(fd);
}

static void writing_needs_another_restart(void)
{
    int ends[2];

    begin();
    int fd = make_file(10);

    CHECK(pl_undo_use(fd, true, &why) == PL_RESTART_EXEC);
    CHECK(strstr(why, "writes to files") != NULL);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    CHECK(pl_undo_use(ends[0], false, &why) == PL_RESTART_EXEC && strstr(why, "socket") != NULL);
    pl_undo_opened(fd); /* had it been opened in the execution, anything would do */
    CHECK(pl_undo_use(fd, true, &why) == PL_RESTART_ROLLBACK);
    CHECK(pl_undo_use(-1, true, &why) == PL_RESTART_ROLLBACK); /* it fails anyway */
    CHECK(pl_undo_use(PL_VAULT_FDS, false, &why) == PL_RESTART_FORK);
    int device = open("/dev/null", O_RDWR);

    CHECK(pl_undo_use(device, true, &why) == PL_RESTART_ROLLBACK); /* has no state */
    pl_undo_all();
    close(ends[0]);
    close(ends[1]);
    close(device);
}

static void more_files_than_can_be_remembered(void)
{
    int fds[PL_VAULT_FILES + 1];

    begin();
    for (unsigned i = 0; i <= PL_VAULT_FILES; i++) {
        fds[i] = make_file(1);
        CHECK((pl_undo_use(fds[i], false, &why) == PL_RESTART_ROLLBACK) == (i < PL_VAULT_FILES));
    }
    CHECK(strstr(why, "more files") != NULL);
    pl_undo_all();
    for (unsigned i = 0; i <= PL_VAULT_FILES; i++)
        close(fds[i]);
}

static void flags_are_put_back(void)
{
    begin();
    int fd = make_file(0), before = fcntl(fd, F_GETFL), own = fcntl(fd, F_GETFD);

    CHECK(pl_undo_flags(fd, true) && pl_undo_flags(fd, false));
    fcntl(fd, F_SETFL, before | O_APPEND | O_NONBLOCK);
    fcntl(fd, F_SETFD, own ^ FD_CLOEXEC);
    pl_undo_all();
    CHECK(fcntl(fd, F_GETFL) == before && fcntl(fd, F_GETFD) == own);
    close(fd);
}

/* ---- pipes ---- */

static void pipes_are_emptied(void)
{
    int ends[2];
    char byte;

    CHECK(pipe(ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    for (unsigned side = 0; side < 2; side++) { /* whichever end is seen to be used */
        begin();
        CHECK(pl_undo_use(ends[side], side == 1, &why) == PL_RESTART_ROLLBACK);
        CHECK(write(ends[1], "left", 4) == 4);
        CHECK(pl_undo_use(ends[1 - side], side == 0, &why) == PL_RESTART_ROLLBACK);
        CHECK(read(ends[0], &byte, 1) == 1);
        pl_undo_all();
        CHECK(read(ends[0], &byte, 1) < 0);
    }
    begin();
    CHECK(write(ends[1], "x", 1) == 1); /* before the first thread */
    CHECK(pl_undo_use(ends[0], false, &why) == PL_RESTART_EXEC && strstr(why, "pipe") != NULL);
    close(ends[0]);
    close(ends[1]);
}

/* ---- output ---- */

enum { BASE = 1000 };

/* What was printed before the first thread stays, what came after is cut off. */
static void captured_output_is_cut_off(void)
{
    begin();
    int out = make_file(5), err = make_file(0);

    pl_fd_place(out, PL_FD_STDOUT);
    pl_fd_place(err, PL_FD_STDERR);
    pl_board->root_output_size = 5;
    CHECK(pl_undo_use(out, true, &why) == PL_RESTART_ROLLBACK);
    CHECK(pwrite(out, "more", 4, 5) == 4 && pwrite(err, "error", 5, 0) == 5);
    pl_undo_all();
    CHECK(lseek(out, 0, SEEK_END) == 5 && lseek(err, 0, SEEK_END) == 0);
    close(pl_fd(PL_FD_STDOUT));
    close(pl_fd(PL_FD_STDERR));
    close(out);
    close(err);
}

/* ---- memory ---- */

static void mapped_memory_is_given_back(void)
{
    unsigned char in_core;

    begin();
    void *p = mmap(NULL, 2 * PL_PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    pl_vault->undo.maps[pl_vault->undo.n_maps++] = (struct pl_range){(uint64_t)p, 2 * PL_PAGE};
    CHECK(mincore(p, PL_PAGE, &in_core) == 0);
    pl_undo_all();
    CHECK(mincore(p, PL_PAGE, &in_core) != 0 && pl_vault->undo.n_maps == 0);
}

static bool may_write(const void *p)
{
    int zero = open("/dev/zero", O_RDONLY);
    bool may = read(zero, (void *)(uintptr_t)p, 1) == 1;

    close(zero);
    return may;
}

/* A guard page that moved down closes what it opened; one that moved up opens its page. */
static void guard_pages_move_back(void)
{
    begin();
    unsigned char *p =
        mmap(NULL, 4 * PL_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    pl_undo_guard((uint64_t)p, 2 * PL_PAGE); /* two pages above it were opened */
    p[PL_PAGE] = 1;
    pl_undo_all();
    CHECK(!may_write(p + PL_PAGE) && !may_write(p + 2 * PL_PAGE) && may_write(p + 3 * PL_PAGE));
    for (unsigned hot = 0; hot < 2; hot++) {
        unsigned char *page = p + 3 * PL_PAGE;

        CHECK(mprotect(page, PL_PAGE, PROT_NONE) == 0);
        pl_undo_guard((uint64_t)page, 0);
        stage_told.hot = hot ? (uint64_t)page : 0;
        pl_undo_all();
        CHECK(may_write(page) == (hot == 1)); /* else it is watched: a write must be seen */
        CHECK(*(volatile unsigned char *)page == 0);
    }
    CHECK(pl_vault->undo.n_guards == 0);
    munmap(p, 4 * PL_PAGE);
}

static void too_many_guards_are_said(void)
{
    begin();
    pl_vault->undo.n_guards = PL_VAULT_GUARDS;
    pl_undo_guard(PL_PAGE, 0);
    CHECK(stage_told.spoils == 1 && stage_told.restart == PL_RESTART_FORK);
}

/* ---- signals ---- */

static void handler(int number)
{
}

static void signals_are_as_before(void)
{
    struct sigaction now;
    sigset_t set;

    begin();
    sigemptyset(&set);
    sigprocmask(SIG_SETMASK, &set, NULL);
    pl_sys(SYS_rt_sigaction, SIGUSR1, NULL, &pl_vault->undo.old[SIGUSR1], 8);
    pl_vault->undo.actions = UINT64_C(1) << (SIGUSR1 - 1);
    pl_vault->undo.signalled = pl_vault->undo.mask = true;
    signal(SIGUSR1, handler);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_SETMASK, &set, NULL);
    raise(SIGUSR2); /* it stays pending */
    pl_undo_all();
    sigaction(SIGUSR1, NULL, &now);
    CHECK(now.sa_handler == SIG_DFL && pl_vault->undo.actions == 0);
    sigpending(&set);
    CHECK(!sigismember(&set, SIGUSR2)); /* or the test would have died with the mask */
    sigprocmask(SIG_SETMASK, NULL, &set);
    CHECK(!sigismember(&set, SIGUSR2));
}

int main(void)
{
    struct rlimit limit;

    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = BASE + PL_FD_OWN;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    pl_fd_begin(BASE);
    what_was_opened_is_closed();
    without_rollback_nothing_is_kept();
    too_many_files_are_said();
    positions_are_put_back();
    writing_needs_another_restart();
    more_files_than_can_be_remembered();
    flags_are_put_back();
    pipes_are_emptied();
    captured_output_is_cut_off();
    mapped_memory_is_given_back();
    guard_pages_move_back();
    too_many_guards_are_said();
    signals_are_as_before();
    return unit_result();
}
