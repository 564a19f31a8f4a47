/* SPDX-License-Identifier: MIT */
/* See told.h. */
#include "runtime/system/told.h"

#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/about.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/restart/proc_path.h"

enum { LONGEST = 64 }; /* path that is one of these */

/* Which file about the process, or one of its threads, it is; NULL: it is about somebody else. */
static const char *about_this(const char *path, struct pl_proc_path *p)
{
    return pl_proc_path_read(path, p) && p->own ? pl_proc_path_file(p) : NULL;
}

/* One of the names, whatever is below it. */
static bool is_one_of(const char *file, const char *const *names)
{
    for (; *names != NULL; names++) {
        size_t n = pl_text_length(*names);

        if (pl_text_starts(file, *names) && (file[n] == '\0' || file[n] == '/'))
            return true;
    }
    return false;
}

bool pl_told_to_libc(const char *path)
{
    return path != NULL && pl_text_starts(path, "/proc/") &&
           pl_place_in_module((uint64_t)path, "/libc.so");
}

enum pl_told pl_told_at(const char *path)
{
    static const char *const always_the_same[] = {
        "auxv",        "cgroup",     "cmdline",   "environ",    "exe", "gid_map",
        "loginuid",    "mounts",     "mountinfo", "mountstats", "net", "ns",
        "personality", "projid_map", "sessionid", "uid_map",    NULL};
    static const char *const by_calls[] = {"cwd", "fd", "fdinfo", "limits", "oom_score_adj", NULL};
    struct pl_proc_path p;
    const char *file = about_this(path, &p);

    if (file == NULL || *file == '\0' || pl_told_to_libc(path))
        return PL_TOLD_NOTHING;
    return is_one_of(file, always_the_same) ? PL_TOLD_NOTHING
           : is_one_of(file, by_calls)      ? PL_TOLD_CALLS
                                            : PL_TOLD_MORE;
}

enum pl_told pl_told_in(int fd)
{
    char path[LONGEST];

    return pl_told_at(pl_about_link(fd, path, sizeof(path)));
}

void pl_told_looked(const char *path, uint64_t pc)
{
    struct pl_proc_path p;
    char name[LONGEST];

    if (pl_stage->n_alive < 2 || pl_told_at(path) != PL_TOLD_MORE)
        return;
    pl_text_format(name, sizeof(name), "/proc/self/%s", about_this(path, &p));
    pl_unmodelled(name, PL_UNMODELLED_FILE, pc);
}

void pl_told_read(int fd, uint64_t pc)
{
    char path[LONGEST];

    pl_told_looked(pl_about_link(fd, path, sizeof(path)), pc);
}
