/* SPDX-License-Identifier: MIT */
/*
 * Whether what the program printed is right: compared with a file, or shown to
 * a command of the user.  The worker waits meanwhile.
 */
#ifndef PL_ENGINE_WORKER_JUDGE_H
#define PL_ENGINE_WORKER_JUDGE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_verdict {
    PL_VERDICT_FINE,
    PL_VERDICT_BAD,
    PL_VERDICT_FAILED,
    PL_VERDICT_NONE, /* the time was over, or the user interrupted it */
};

struct pl_judge {
    const char *expect_path; /* --expect-output, or NULL */
    const char *command;     /* --check, or NULL */
    unsigned char *expected;
    size_t expected_size;
    uint64_t last_ms;     /* by pl_clock_ms(): from then on no command is waited for; 0: never */
    uint64_t patience_ms; /* for one command; longer, and it has failed; 0: as long as it takes */
};

/* Reads the expected output.  Both may be NULL: then there is nothing to judge. */
int pl_judge_open(struct pl_judge *judge, const char *expect_path, const char *command,
                  struct pl_err *err);
void pl_judge_close(struct pl_judge *judge);
bool pl_judge_wanted(const struct pl_judge *judge);

/*
 * Judge the content of the memory file `out`.  When it is not fine `text` gets the reason and
 * `which` a number for it.  What a command says may differ each time, with the names of its
 * temporary files or with which part of a pipe is faster, so it is in the text only.
 */
enum pl_verdict pl_judge_output(const struct pl_judge *judge, int out, char *text, size_t size,
                                uint64_t *which);

/* Compare; exposed for its test.  Returns true when equal, else fills text. */
bool pl_judge_compare(const unsigned char *expected, size_t n_expected, const unsigned char *actual,
                      size_t n_actual, char *text, size_t size);

#endif /* PL_ENGINE_WORKER_JUDGE_H */
