/* SPDX-License-Identifier: MIT */
/*
 * The program under test as a file: where it is, whether it can be taken under
 * control, and what identifies this build of it.
 */
#ifndef PL_ENGINE_WORKER_PROGRAM_H
#define PL_ENGINE_WORKER_PROGRAM_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_program {
    char path[4096];      /* what execve() gets */
    uint8_t build_id[20]; /* of the linker's note; longer ones are cut */
    unsigned build_id_size;
    bool libtsan; /* loads libtsan.so.2, which plait replaces */
    bool code;    /* carries what the analyser reads: `plait cc --whole` */
    bool library; /* is none: it needs one */
};

/*
 * Find `name` as execvp() would and look into it.  What plait cannot run
 * (scripts, static, foreign and set-user-id programs, ...) is refused with
 * PL_ERR_TARGET and a sentence that says what to do.
 */
int pl_program_open(struct pl_program *program, const char *name, struct pl_err *err);

/* Whether the file is a shared library, which is executable as often as not. */
bool pl_program_is_library(const char *path);

/* The folder with libplait.so, beside the running tool: ../lib/plait. */
int pl_program_libdir(char *to, size_t size, struct pl_err *err);

/* "0123abcd..." of a build id; `to` holds at least 41 bytes. */
void pl_program_hex(const uint8_t *id, unsigned n, char *to);

#endif /* PL_ENGINE_WORKER_PROGRAM_H */
