/* SPDX-License-Identifier: MIT */
/* Word lists, response files and shell quoting; words.h has the rules. */
#include "cli/words.h"

#include "base/assert.h"
#include "base/exit.h"
#include "base/file.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* gcc stops at 2,000 nested response files; nobody nests more than a few. */
#define NESTING_MAX 32

static void *or_die(void *memory)
{
    if (!memory) {
        fputs("plait: out of memory. Close something and try again.\n", stderr);
        exit(PL_EXIT_INTERNAL);
    }
    return memory;
}

static void add_owned(struct pl_words *words, char *word)
{
    if (words->n + 1 >= words->room) {
        words->room = words->room ? 2 * words->room : 32;
        words->at = or_die(realloc(words->at, (size_t)words->room * sizeof(*words->at)));
    }
    PL_ASSERT(word != NULL && words->n + 1 < words->room);
    words->at[words->n++] = word;
    words->at[words->n] = NULL;
}

void pl_words_add(struct pl_words *words, const char *word)
{
    add_owned(words, or_die(strdup(word)));
}

void pl_words_add_all(struct pl_words *words, const char *const *list)
{
    while (*list)
        pl_words_add(words, *list++);
}

void pl_words_free(struct pl_words *words)
{
    PL_ASSERT(words->n == 0 || words->at != NULL);
    for (int i = 0; i < words->n; i++)
        free(words->at[i]);
    free(words->at);
    *words = (struct pl_words){0};
}

/* Take one word from text into out, which has room for it; return where the next may begin. */
static const char *take_word(const char *text, char *out)
{
    char quote = 0;

    for (; *text && (quote || !isspace((unsigned char)*text)); text++) {
        if (*text == '\\' && text[1]) {
            *out++ = *++text;
        } else if (quote && *text == quote) {
            quote = 0;
        } else if (!quote && (*text == '"' || *text == '\'')) {
            quote = *text;
        } else {
            *out++ = *text;
        }
    }
    *out = '\0';
    return text;
}

void pl_words_split(struct pl_words *words, const char *text)
{
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (!*text)
            return;
        char *word = or_die(malloc(strlen(text) + 1));
        text = take_word(text, word);
        add_owned(words, word);
    }
}

/* The whole file as text, or NULL.  The caller frees it. */
static char *read_text(const char *path)
{
    FILE *file = pl_file_open(path, PL_FILE_MOST);
    char *text = NULL;
    size_t room = 0;

    if (!file)
        return NULL;
    ssize_t n = getdelim(&text, &room, '\0', file); /* no word holds a NUL */
    bool failed = ferror(file) != 0;
    fclose(file);
    if (failed) {
        free(text);
        return NULL;
    }
    return n >= 0 ? text : (free(text), or_die(strdup("")));
}

static void expand(struct pl_words *words, int argc, char **argv, int depth)
{
    PL_ASSERT(depth <= NESTING_MAX);
    for (int i = 0; i < argc; i++) {
        char *text = argv[i][0] == '@' && depth < NESTING_MAX ? read_text(argv[i] + 1) : NULL;

        if (!text) {
            pl_words_add(words, argv[i]);
            continue;
        }
        struct pl_words inner = {0};
        pl_words_split(&inner, text);
        free(text);
        expand(words, inner.n, inner.at, depth + 1);
        pl_words_free(&inner);
    }
}

void pl_words_expand(struct pl_words *words, int argc, char **argv)
{
    expand(words, argc, argv, 0);
}

static void print_word(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=+,./:@%^";

    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, to);
        return;
    }
    putc('\'', to);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", to);
        else
            putc(*word, to);
    }
    putc('\'', to);
}

void pl_words_print(FILE *to, char **argv)
{
    for (int i = 0; argv[i]; i++) {
        if (i > 0)
            putc(' ', to);
        print_word(to, argv[i]);
    }
    putc('\n', to);
}
