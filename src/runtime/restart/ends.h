/* SPDX-License-Identifier: MIT */
/*
 * What comes of the end of an open file: with its last descriptor locks go and so do leases,
 * whoever has the other end of a pseudo-terminal is told, and so is who watches the file; a program
 * can be started.
 *
 * A copy never closes the last descriptor of a file that was open at the root, since the keeper has
 * it as well.  The same holds for memory that the file is mapped to.
 */
#ifndef PL_RUNTIME_RESTART_ENDS_H
#define PL_RUNTIME_RESTART_ENDS_H

struct stat;

/* The descriptor is about to be closed: why what comes then would not be what comes natively, or
 * NULL. */
const char *pl_ends_by_closing(int fd);
/* The same before a file loses its last name. */
const char *pl_ends_by_removing(const struct stat *file);
/* The same before files are locked, or a child is made, which may do so. */
const char *pl_ends_by_locking(void);

#endif /* PL_RUNTIME_RESTART_ENDS_H */
