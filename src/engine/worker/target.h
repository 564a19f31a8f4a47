/* SPDX-License-Identifier: MIT */
/*
 * The program under test with all that is needed to start it any number of
 * times in the same way: file, arguments, environment, standard input.
 */
#ifndef PL_ENGINE_WORKER_TARGET_H
#define PL_ENGINE_WORKER_TARGET_H

#include "base/err.h"
#include "engine/worker/program.h"
#include "engine/worker/stdin.h"

struct pl_target {
    struct pl_program program;
    char **argv; /* the caller's */
    char **environment;
    char libdir[4096];
    struct pl_stdin input;
    const char *files; /* the caller's: "overlay", "real", or a folder; see overlay.h */
    int client;        /* memory file of the program that runs beside it, or -1; see client.h */
    bool may_cover;    /* files are real, and need not be if that slows executions down */
    bool beside;       /* others of the campaign are there, who may have its addresses */
    bool apart;        /* so it has a network of its own */
    bool kept;         /* what the first process changes stays in that folder */
};

/*
 * With the tool's standard input and environment, unless an image says what the program read.  The
 * client is that of the settings, as a path; "" if there is none.
 */
int pl_target_open(struct pl_target *target, char **argv, const char *files, const char *client,
                   const void *inputs, struct pl_err *err);
void pl_target_close(struct pl_target *target);

/*
 * The environment of the program under test: the given one with the runtime in
 * front of LD_PRELOAD and what determinism asks for.  Exposed for its test.
 */
char **pl_target_environment(char **from, const char *libdir, bool libtsan);

#endif /* PL_ENGINE_WORKER_TARGET_H */
