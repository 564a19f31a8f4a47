/* SPDX-License-Identifier: MIT */
/* See line.h. */
#include "report/line.h"

#include "base/assert.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *pl_line(const char *text)
{
    static char *kept[PL_LINE_KEPT];
    static unsigned next;

    PL_ASSERT(text != NULL);
    if (strchr(text, '\n') == NULL)
        return text;
    char *line = pl_err_must(malloc(2 * strlen(text) + 1)), *to = line;

    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            *to++ = '\\';
            *to++ = 'n';
        } else {
            *to++ = *text;
        }
    }
    *to = '\0';
    free(kept[next % PL_LINE_KEPT]);
    kept[next++ % PL_LINE_KEPT] = line;
    return line;
}

static bool has_control(const char *word)
{
    for (; *word != '\0'; word++) {
        if ((unsigned char)*word < 0x20 || *word == 0x7f)
            return true;
    }
    return false;
}

static void print_controlled(FILE *to, const char *word)
{
    fputs("$'", to);
    for (; *word != '\0'; word++) {
        unsigned char c = (unsigned char)*word;

        if (c == '\n')
            fputs("\\n", to);
        else if (c < 0x20 || c == 0x7f)
            fprintf(to, "\\%03o", c);
        else
            fprintf(to, c == '\'' || c == '\\' ? "\\%c" : "%c", c);
    }
    fputc('\'', to);
}

void pl_line_quoted(FILE *to, const char *word)
{
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=:@%,";

    if (word[0] != '\0' && word[strspn(word, safe)] == '\0') {
        fputs(word, to);
        return;
    }
    if (has_control(word)) {
        print_controlled(to, word);
        return;
    }
    fputc('\'', to);
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    }
    fputc('\'', to);
}
