/* SPDX-License-Identifier: MIT */
/*
 * `plait cc --whole`: do what the compiler's command asks for, and keep the bitcode of what is
 * compiled with each object, for the analyser.
 *
 * clang says itself which commands it would run (-###), so whatever it is asked for is understood
 * as it understands it.  Those that make an object from source are done in three
 * steps: bitcode, labels (plait-static), object.  All others, the linker's too, are run as they
 * are.  In a program that has been linked, hooks that nobody needs are turned off.
 *
 * With gcc, clang compiles each source besides, without optimising, and what it makes is put into
 * the object that gcc has made (static/matched.h).
 */
#ifndef PL_CLI_WHOLE_H
#define PL_CLI_WHOLE_H

#include "base/err.h"
#include "cli/words.h"

#include <stdbool.h>

/* One line of what -### prints, as words; none if it is no command. */
void pl_whole_read_job(struct pl_words *job, const char *line);

/* From the command that makes an object: that for bitcode, and that for the object from bitcode. */
void pl_whole_first(const struct pl_words *job, const char *bitcode, struct pl_words *out);
void pl_whole_second(const struct pl_words *job, const char *bitcode, struct pl_words *out);

/* Whether it makes an object from source. */
bool pl_whole_is_compile(const struct pl_words *job);

/* Whether it makes a program, and of what name. */
const char *pl_whole_linked(const struct pl_words *job);

/*
 * Run clang's command so; `analyser` is plait-static; `keep`: all hooks stay.  Returns what the
 * compiler would exit with, or -1 with a sentence.
 */
int pl_whole_run(const struct pl_words *command, const char *analyser, bool keep,
                 struct pl_err *err);

/* From gcc's command: clang's for the bitcode of one of its sources, with all accesses. */
void pl_whole_other(const struct pl_words *command, const char *clang, const char *source,
                    const char *bitcode, struct pl_words *out);

/*
 * Run gcc's command, and keep with each object what clang makes of its source; `links`: the command
 * makes a program or a library.  Returns as pl_whole_run() does.
 */
int pl_whole_gcc(const struct pl_words *command, const char *clang, const char *analyser,
                 bool links, struct pl_err *err);

#endif /* PL_CLI_WHOLE_H */
