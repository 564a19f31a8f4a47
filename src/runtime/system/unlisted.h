/* SPDX-License-Identifier: MIT */
/*
 * Functions of libc that have no row: what they do to the program's memory is not known.
 *
 * Code with hooks calls such a function by way of a word of its module, which the loader has filled
 * in.  It is made to lead here first: a call that gets memory which other threads use is named in
 * the result, and the search is complete but for it.  Members of streams and locales of
 * libstdc++.so are such functions: they access their object as a whole, and are named where another
 * thread is about to.  Calls of functions with a row, and all that is done without a call, cost
 * nothing.
 */
#ifndef PL_RUNTIME_SYSTEM_UNLISTED_H
#define PL_RUNTIME_SYSTEM_UNLISTED_H

struct dl_phdr_info;

/* The module has hooks, and is about to run. */
void pl_unlisted_attach(const struct dl_phdr_info *info);

#endif /* PL_RUNTIME_SYSTEM_UNLISTED_H */
