/* SPDX-License-Identifier: MIT */
/*
 * Results folders.
 *
 * A program has a home, .plait/NAME unless the user says otherwise.  Each campaign has a folder of
 * its own there, 001, 002, ..., which no other campaign ever writes to, and `latest` is a link to
 * the newest that has come to a result.  Where the user named the home, the first campaign is in
 * the home itself, where who named it looks.  What belongs to all of them, coverage, is in the home
 * itself.  No start removes anything; whoever ends a campaign may make room, and says so.
 *
 * Folders and files of others may lie there.  Links are never followed on the way to a file that
 * is written or removed; only what pl_folder_is_ours() knows is.
 */
#ifndef PL_ENGINE_SHARED_FOLDER_H
#define PL_ENGINE_SHARED_FOLDER_H

#include "base/err.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* What the tool looks for, and writes into, unless the user says otherwise. */
#define PL_FOLDER_ROOT ".plait"
#define PL_FOLDER_RESULT "result.json"
#define PL_FOLDER_LATEST "latest"
#define PL_FOLDER_PROGRAM "program" /* in a home: whose it is */
#define PL_FOLDER_MARK "campaign"   /* in a campaign's folder: what it is of */
/* How these two begin: users have files of such names. */
#define PL_FOLDER_HOME_LINE "home of results of plait\n"
#define PL_FOLDER_MARK_LINE "campaign of plait\n"

/* The folder of a campaign that is under way. */
struct pl_folder {
    char home[PATH_MAX], path[PATH_MAX];
    int fd, mark;   /* of path, and of the file in it that says so */
    bool published; /* `latest` leads here */
};

/* Make the folder and its parents, and see that files can be made there. */
int pl_folder_make(const char *path, struct pl_err *err);

/*
 * The home of the program with this path, which is made: .plait/NAME, or .plait/NAME-2 and so on
 * where that is the home of another program of this name.
 */
int pl_folder_home(char to[PATH_MAX], const char *program, struct pl_err *err);

/* The same for a suite that has no folder of its own; .plait/suite as a rule. */
int pl_folder_suite(char to[PATH_MAX], struct pl_err *err);

/* A suite is in this folder, which no program is to take for its home. */
void pl_folder_reserve(const char *path);

/*
 * Make a new folder for a campaign in this home, which the user may have named, with lines about
 * it; pl_folder_end() is due even after a failure.
 */
int pl_folder_begin(struct pl_folder *folder, const char *home, bool named, const char *about,
                    struct pl_err *err);

/* From now on `latest` leads here. */
void pl_folder_publish(struct pl_folder *folder);

/* The campaign is over.  A folder that nothing was written to goes, unless it was published. */
void pl_folder_end(struct pl_folder *folder);

/* What was removed, or would be. */
struct pl_folder_removed {
    unsigned campaigns, findings;
};

/*
 * So that a home does not grow for ever: remove the oldest campaigns beyond what is kept, but none
 * that is under way.
 */
struct pl_folder_removed pl_folder_bound(const char *home);

/*
 * Remove campaigns below this folder, all but the newest `keep` of each home, and coverage as well
 * if asked to.  Folders that become empty go too.
 */
struct pl_folder_removed pl_folder_clean(const char *path, unsigned keep, bool coverage);

/*
 * Call `found` for each schedule of a finding below this folder, in the order of their names;
 * stops when it returns false.
 */
void pl_folder_each_finding(const char *path, bool (*found)(void *context, const char *path),
                            void *context);

/* "DIR/finding-001-deadlock.plait" */
void pl_folder_schedule(const char *path, unsigned number, const char *kind, char *to, size_t size);

/* "DIR/shown-001-order.plait": the execution that shows the order with this number. */
void pl_folder_shown(const char *path, unsigned number, char *to, size_t size);

/* "DIR/passing-001-deadlock.plait": like the finding's, but it passes. */
void pl_folder_passing(const char *path, unsigned number, const char *kind, char *to, size_t size);

/* "DIR/first-001-race.plait", "DIR/second-001-race.plait": with this access first. */
void pl_folder_order(const char *path, unsigned number, const char *kind, unsigned which, char *to,
                     size_t size);

/* Whether nothing of a campaign is in its folder but the mark; what others left may be. */
bool pl_folder_is_bare(int fd);

/* Whether a file in a campaign's folder is one of ours; exposed for its test. */
bool pl_folder_is_ours(const char *name);

/* The number of a campaign's folder; 0 when the name is none of one.  Exposed for its test. */
unsigned pl_folder_number(const char *name);

#endif /* PL_ENGINE_SHARED_FOLDER_H */
