/* SPDX-License-Identifier: MIT */
/*
 * Which programs a process under control may become and stay so (model/company.h): those that
 * `plait cc` has built, and the way to them through the shell of system() and popen().  All others
 * are on their own.
 */
#ifndef PL_RUNTIME_SYSTEM_FOLLOWED_H
#define PL_RUNTIME_SYSTEM_FOLLOWED_H

enum pl_followed {
    PL_FOLLOWED_NOT,
    PL_FOLLOWED_THROUGH, /* it is on its own, and what it becomes is asked again */
    PL_FOLLOWED_IS,
};

/* Of the file that `path` leads to, when it is executed. */
enum pl_followed pl_followed_program(const char *path);

#endif /* PL_RUNTIME_SYSTEM_FOLLOWED_H */
