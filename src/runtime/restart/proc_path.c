/* SPDX-License-Identifier: MIT */
/* See proc_path.h. */
#include "runtime/restart/proc_path.h"

#include "base/text.h"
#include "runtime/ground/look.h"
#include "runtime/restart/own.h"

/* What follows the word, which ends there. */
static const char *after(const char *s, const char *word)
{
    const char *rest = pl_text_starts(s, word) ? s + pl_text_length(word) : NULL;

    return rest != NULL && (*rest == '/' || *rest == '\0') ? rest : NULL;
}

/* The same of a number. */
static const char *number_at(const char *s, int32_t *n)
{
    const char *p = s;

    for (*n = 0; *p >= '0' && *p <= '9' && p - s < 9; p++)
        *n = *n * 10 + (*p - '0');
    return p > s && (*p == '/' || *p == '\0') ? p : NULL;
}

bool pl_proc_path_read(const char *path, struct pl_proc_path *p)
{
    const char *who, *task;
    int32_t n;

    if (!pl_look_has_text(path) || !pl_text_starts(path, "/proc/"))
        return false;
    who = path + pl_text_length("/proc/");
    *p = (struct pl_proc_path){.own = true, .thread = pl_thread_by_id(pl_stage->process.first)};
    if ((p->rest = after(who, "thread-self")) != NULL) {
        p->thread = pl_thread_self();
    } else if ((p->rest = after(who, "self")) == NULL && (p->rest = number_at(who, &n)) != NULL) {
        p->by_number = true;
        p->thread = pl_own_find(n);
        p->own = p->thread != NULL;
    }
    if (p->rest == NULL)
        return false;
    if (p->own && pl_text_starts(p->rest, "/task/") &&
        (task = number_at(p->rest + pl_text_length("/task/"), &n)) != NULL) {
        p->by_task = true;
        p->thread = pl_own_find(n);
        p->rest = task;
    }
    return true;
}

const char *pl_proc_path_file(const struct pl_proc_path *p)
{
    return *p->rest == '/' ? p->rest + 1 : p->rest;
}
