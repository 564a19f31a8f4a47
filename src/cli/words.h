/* SPDX-License-Identifier: MIT */
/*
 * Lists of words as a shell or a compiler sees them: an argument vector that
 * grows, the splitting of text into words, response files, and quoting.
 *
 * A list owns its words.  Running out of memory ends the process: the wrapper
 * has nothing to clean up.
 */
#ifndef PL_CLI_WORDS_H
#define PL_CLI_WORDS_H

#include <stdio.h>

struct pl_words {
    char **at; /* ends with NULL once something has been added */
    int n;
    int room;
};

void pl_words_add(struct pl_words *words, const char *word);
void pl_words_add_all(struct pl_words *words, const char *const *list); /* ends with NULL */
void pl_words_free(struct pl_words *words);

/*
 * Split text at white space and add the words.  Quotes of both kinds and
 * backslashes are taken away as gcc does it in response files; nothing is
 * expanded.
 */
void pl_words_split(struct pl_words *words, const char *text);

/*
 * Add the arguments, each @FILE replaced by the words in that file.  As for the
 * compilers, an @FILE that cannot be read is an ordinary argument.
 */
void pl_words_expand(struct pl_words *words, int argc, char **argv);

/* Print one line that a POSIX shell reads back as the same words. */
void pl_words_print(FILE *to, char **argv);

#endif /* PL_CLI_WORDS_H */
