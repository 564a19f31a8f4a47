/* SPDX-License-Identifier: MIT */
/*
 * Files that are read as a whole, whoever made them: to open one does not wait for anybody, and
 * what has no end, or none that memory has room for, is refused.
 */
#ifndef PL_BASE_FILE_H
#define PL_BASE_FILE_H

#include <stdio.h>

enum { PL_FILE_MOST = 128 << 20 }; /* bytes of a list, or of JSON */

/*
 * A regular file of at most `most` bytes, or a pipe, for reading; NULL with errno.  A pipe that
 * nobody writes to is empty.  Of devices only terminals and the empty one are opened.
 */
FILE *pl_file_open(const char *path, long long most);

/*
 * A new file beside `path`, to be renamed to it when it is whole: a descriptor, and its name in
 * `draft`; -1 with errno.  Nobody else can read it, no link is followed, and pl_folder_is_ours()
 * knows its name should it be left over.
 */
int pl_file_draft(const char *path, char *draft, size_t size);

/*
 * What the tool makes it can also read and write, whatever the user's umask takes away from him:
 * called once at its start.  What it starts gets the user's umask back.
 */
void pl_file_mask_own(void);
void pl_file_mask_user(void);

#endif /* PL_BASE_FILE_H */
