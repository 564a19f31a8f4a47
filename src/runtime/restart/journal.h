/* SPDX-License-Identifier: MIT */
/*
 * Files as part of the state: what an execution does to them is noted before it is done, and taken
 * back before the next one begins.
 *
 * What can be taken back: contents, names, modes, owners and times of files, folders and links.  A
 * file is the same inode afterwards, unless it was removed; then the program is told the old one.
 * The notes are in memory that keeper and runner share, so that a runner may die at any moment.
 *
 * Each function says before a call whether what it does can be taken back; then it is noted.  Who
 * finds that the call was not made, or has failed, forgets the note.
 */
#ifndef PL_RUNTIME_RESTART_JOURNAL_H
#define PL_RUNTIME_RESTART_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

bool pl_journal_start(void); /* in the keeper */
bool pl_journal_on(void);

/* How much was noted: what to forget later. */
uint32_t pl_journal_mark(void);
void pl_journal_forget(uint32_t mark);
void pl_journal_undo(void);
/* The inode that it had before it was removed and made again; or the one that it has, if no such
 * one had that before. */
uint64_t pl_journal_first_inode(uint64_t device, uint64_t inode);

/* A name appears, with what it stands for or of something that has another name; after the call
 * pl_journal_appeared() looks what that is. */
bool pl_journal_name(int folder, const char *path);
bool pl_journal_link(int folder, const char *path, int to_folder, const char *to);
void pl_journal_appeared(uint32_t mark);
/* The content of the file changes. */
bool pl_journal_content_at(int folder, const char *path);
bool pl_journal_content(int fd, bool from_before);
/* Mode, owner or times do; `follow`: of what a link leads to. */
bool pl_journal_about_at(int folder, const char *path, bool follow);
bool pl_journal_about(int fd);
/* The name disappears: of an empty folder, or of anything else.  `removed`: it has already */
bool pl_journal_removal(int folder, const char *path, bool of_folder, bool *removed);
/* The folder, or the working one, is there only for who has it open: nothing is found in it. */
bool pl_journal_is_removed(int folder);
/* The path that the link, below /proc, is to say of what has been removed; NULL: what it says. */
const char *pl_journal_link_told(const char *link);
/* A call has told something about a file: it is not to say that a name is left of one that has been
 * removed, nor that one that was made again is another. */
void pl_journal_told(long number, const uint64_t a[6]);
bool pl_journal_rename(int folder, const char *path, int to_folder, const char *to, unsigned flags);
/* Whether nobody else sees what is done there (engine/worker/overlay.h). */
bool pl_journal_is_covered(const char *path);
/* A descriptor from before the root locks its file. */
bool pl_journal_lock(int fd);

#endif /* PL_RUNTIME_RESTART_JOURNAL_H */
