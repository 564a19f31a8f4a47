/* SPDX-License-Identifier: MIT */
/*
 * What the arguments of a system call are, as its row of calls.def says.
 *
 * The same facts serve whoever notes, translates, plans or undoes a call: nobody else says which
 * argument of which call is a descriptor or a path.
 */
#ifndef PL_RUNTIME_GROUND_ARGUMENTS_H
#define PL_RUNTIME_GROUND_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

/* The size of a table whose rows are those of calls.def, by number: the kernel's are below. */
enum { PL_CALL_NUMBERS = 512 };

/* Where in such a table; the last row is empty, and that of a number that no call has. */
static inline unsigned pl_arguments_row(long number)
{
    return number >= 0 && number < PL_CALL_NUMBERS ? (unsigned)number : PL_CALL_NUMBERS - 1;
}

enum { PL_ARGUMENTS_PATHS = 2 };

/* An argument is its number plus 1; 0: there is none. */
struct pl_arguments {
    const char *name;         /* NULL: nobody has heard of it */
    uint8_t descriptors;      /* arguments that are descriptors, a bit each */
    uint8_t processes;        /* numbers of processes or threads, a bit each; */
    bool or_self;             /* 0 is the caller */
    bool nofollow;            /* of a link it means the link itself */
    bool pieces;              /* the second is a list of buffers, the third how many */
    uint8_t place;            /* where in the file it begins; -1: where the open file stands */
    uint8_t flags;            /* of an opening or a path, */
    uint32_t implied;         /* and what goes without saying */
    uint8_t nowait;           /* where it is told not to wait, */
    uint32_t nowait_flag;     /* by this flag */
    uint32_t at_once;         /* or that it need not, by these */
    uint8_t limit, moment;    /* for how long it waits at most; until when */
    bool interrupted;         /* by every handler, also one that was set with SA_RESTART */
    uint8_t status, extended; /* a struct stat, or statx, that it fills */
    struct {
        uint8_t folder, path; /* without a folder it is the working one */
    } names[PL_ARGUMENTS_PATHS];
};

/* Never NULL: of a call without a row nothing is known. */
const struct pl_arguments *pl_arguments_of(long number);

/* Its flags, 0 if it has none; and those of a path that is looked up: AT_SYMLINK_NOFOLLOW, too,
 * where the call says that without flags. */
uint64_t pl_arguments_flags(long number, const uint64_t a[6]);
int pl_arguments_lookup(long number, const uint64_t a[6]);

/* Whether all of its paths are texts, or none where the folder itself may be meant; if not, the
 * kernel says so. */
bool pl_arguments_has_paths(long number, const uint64_t a[6]);

/* One of its paths, NULL also if there is no such memory, and the folder that it is below. */
const char *pl_arguments_path(long number, const uint64_t a[6], unsigned which, int *folder);

#endif /* PL_RUNTIME_GROUND_ARGUMENTS_H */
