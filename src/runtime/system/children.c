/* SPDX-License-Identifier: MIT */
/* See children.h. */
#include "runtime/system/children.h"

#include "base/sys.h"
#include "base/text.h"
#include "runtime/core/clock.h"
#include "runtime/ground/maps.h"
#include "runtime/system/calls.h"

#include <signal.h>
#include <sys/wait.h>

static void note_shared(void *any, uint64_t start, uint64_t end, const char *access)
{
    if (access[1] == 'w' && access[3] == 's' && !pl_maps_own(start, access))
        *(bool *)any = true;
}

void pl_children_made(void)
{
    char text[4096] = {0}; /* so that the kernel may write there */
    bool shares = false;

    pl_stage->process.n_children++;
    pl_files_give();
    if (pl_children_matter() && pl_maps_walk(text, sizeof(text), note_shared, &shares) && shares)
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_OTHERS);
}

/* Of whose end the program has not learned: it could still run. */
static bool has_any(void)
{
    const struct pl_process_state *p = &pl_stage->process;

    return p->n_children > p->n_ended ||
           (uint64_t)pl_stage->signals.actions[SIGCHLD].handler == (uint64_t)SIG_IGN;
}

/* It may be told twice of one that it does not take away. */
static void learn_end(int32_t pid)
{
    struct pl_process_state *p = &pl_stage->process;

    for (unsigned i = 0; i < PL_CHILDREN; i++) {
        if (p->ended[i] == pid)
            return;
    }
    p->ended[p->n_ended % PL_CHILDREN] = pid;
    p->n_ended++;
    if (p->n_ended == p->n_children)
        pl_clock_meet();
}

void pl_children_called(long number, const uint64_t a[6], long result)
{
    const siginfo_t *info = (const siginfo_t *)a[2];

    if (!pl_stage->process.forked || result < 0)
        return;
    if (number == SYS_wait4 && result > 0) {
        learn_end((int32_t)result);
        if ((int32_t)a[0] <= 0 && a[1] != 0) /* whoever does not ask how does not mind who */
            pl_children_decide();
    } else if (number == SYS_waitid && (a[3] & WEXITED) != 0 && info != NULL && info->si_pid != 0) {
        learn_end(info->si_pid);
        if (a[0] == P_ALL || a[0] == P_PGID)
            pl_children_decide();
    }
}

void pl_children_decide(void)
{
    if (pl_children_matter() && has_any())
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_OTHERS);
}

void pl_children_looked(int fd)
{
    if (pl_children_matter() && pl_files_with_child(fd))
        pl_children_decide();
}

void pl_children_waited(const struct pl_thread *t, int fd)
{
    bool overtaken = t->io.late && pl_board->execution_events != t->io.late_since;

    if (overtaken && pl_stage->process.restless > 0 && (fd < 0 || pl_files_with_child(fd)))
        pl_children_decide();
}
