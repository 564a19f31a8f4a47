/* SPDX-License-Identifier: MIT */
/* Files of a process's own, which the next process gets again if they are as they were. */
#include "engine/worker/overlay.h"
#include "engine/worker/space.h"
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/plait-space-XXXXXX";

/* A process that covers its files.  False where the system does not allow that. */
static bool make(struct pl_space *space)
{
    int ends[2], said;

    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    pid_t pid = fork();

    if (pid == 0)
        _exit(!pl_overlay_enter(NULL, ends[1]));
    close(ends[1]);
    CHECK(!pl_space_hear(space, ends[0], &said, sizeof(said)));
    close(ends[0]);
    CHECK(waitpid(pid, &said, 0) == pid);
    return said == 0 && space->mounted >= 0;
}

/* What the next process may do there. */
static void nothing(void)
{
    CHECK(access("there", F_OK) == 0 && access("made", F_OK) != 0);
    CHECK(open("there", O_RDONLY) >= 0);
}

static void makes_a_file(void)
{
    CHECK(open("made", O_WRONLY | O_CREAT, 0600) >= 0);
}

static void removes_one(void)
{
    CHECK(unlink("there") == 0);
}

static void writes(void)
{
    CHECK(open("there", O_WRONLY | O_TRUNC) >= 0);
}

static void changes_the_folder(void)
{
    CHECK(chmod("/tmp", 0700) == 0);
}

static void mounts(void)
{
    CHECK(mount("none", folder, "tmpfs", 0, NULL) == 0);
}

static void is_noticed(void (*act)(void), bool untouched)
{
    struct pl_space space = pl_space_none;
    int status;

    if (!make(&space))
        return;
    CHECK(pl_space_is_untouched(&space));
    pid_t pid = fork();

    if (pid == 0) {
        CHECK(pl_space_enter(&space) && chdir(folder) == 0);
        act();
        _exit(unit_result());
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    CHECK(pl_space_is_untouched(&space) == untouched);
    pl_space_close(&space);
    CHECK(space.mounted < 0 && !pl_space_is_untouched(&space));
}

int main(void)
{
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    close(open("there", O_WRONLY | O_CREAT, 0600));
    is_noticed(nothing, true);
    is_noticed(makes_a_file, false);
    is_noticed(removes_one, false);
    is_noticed(writes, false);
    is_noticed(changes_the_folder, false);
    is_noticed(mounts, false);
    CHECK(access("there", F_OK) == 0 && access("made", F_OK) != 0);
    unlink("there");
    rmdir(folder);
    return unit_result();
}
