/* SPDX-License-Identifier: MIT */
/* See users.h. */
#include "runtime/ground/users.h"

#include "base/sys.h"

enum { REAL, EFFECTIVE, SAVED };

void pl_users_changed(void)
{
    struct pl_users now = {0}; /* so that the kernel may write there */
    struct pl_users *u = &pl_stage->process.users;

    now.changes = u->changes + 1;
    pl_sys(SYS_getresuid, &now.user[REAL], &now.user[EFFECTIVE], &now.user[SAVED]);
    pl_sys(SYS_getresgid, &now.group[REAL], &now.group[EFFECTIVE], &now.group[SAVED]);
    long n = pl_sys(SYS_getgroups, PL_USERS_GROUPS, now.groups);

    now.n_groups = n >= 0 ? (int)n : -1;
    *u = now;
    pl_thread_self()->users = now.changes;
}

static void set_users(const struct pl_users *u)
{
    pl_sys(SYS_setresuid, u->user[REAL], u->user[EFFECTIVE], u->user[SAVED]);
}

bool pl_users_are_followed(void)
{
    return pl_thread_self()->users == pl_stage->process.users.changes;
}

void pl_users_follow(void)
{
    const struct pl_users *u = &pl_stage->process.users;

    if (pl_users_are_followed())
        return;
    pl_thread_self()->users = u->changes;
    if (u->user[EFFECTIVE] == 0) /* who may change groups again does so after that */
        set_users(u);
    if (u->n_groups >= 0)
        pl_sys(SYS_setgroups, u->n_groups, u->groups);
    pl_sys(SYS_setresgid, u->group[REAL], u->group[EFFECTIVE], u->group[SAVED]);
    set_users(u);
}
