/* SPDX-License-Identifier: MIT */
/*
 * Functions of libc that cut a text into tokens.  Each reads the text, writes the end of the token
 * and says where it goes on, as steps of their own: what another thread changes in between is what
 * the next step finds, or loses.  Nothing is done by libc's own functions, which would do all of it
 * behind the last point.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/system/apart.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define LIBC_FUNCTIONS                                                \
    LIBC(char *, strtok, (char *, const char *))                      \
    LIBC(char *, strtok_r, (char *, const char *, char **))           \
    LIBC(char *, strsep, (char **, const char *))                     \
    LIBC(size_t, strspn, (const char *, const char *))                \
    LIBC(size_t, strcspn, (const char *, const char *))               \
    LIBC(int, strncmp, (const char *, const char *, size_t))          \
    LIBC(wchar_t *, wcstok, (wchar_t *, const wchar_t *, wchar_t **)) \
    LIBC(size_t, wcsspn, (const wchar_t *, const wchar_t *))          \
    LIBC(size_t, wcscspn, (const wchar_t *, const wchar_t *))         \
    LIBC(int, getsubopt, (char **, char *const *, char **))

static struct {
#define LIBC(ret, name, params) ret(*name##_) params;
    LIBC_FUNCTIONS
#undef LIBC
} libc;

void pl_tokens_init(void)
{
#define LIBC(ret, name, params) *(void **)&libc.name##_ = pl_real_find(#name);
    LIBC_FUNCTIONS
#undef LIBC
}

#define READS(p, n) pl_call_touches(p, n, false, who)

/* Of a text: where a token begins and ends. */
struct token {
    char *begin, *end;
    bool has_more; /* the text goes on behind its end, which becomes one */
};

/*
 * The text is read, and then the end of the token is written: a byte that another thread may have
 * changed meanwhile, and all the same.  `skips`: what comes before the token is skipped.
 */
static struct token cut_token(char *from, const char *set, bool skips, struct pl_call who)
{
    PL_APART(apart, who);
    const char *of = pl_apart_text(&apart, set, PL_TEXT_WHOLE);
    const char *text = pl_apart_text(&apart, from, PL_TEXT_WHOLE);
    size_t begin = skips ? PL_LIBC_OWN(strspn)(text, of) : 0;
    size_t end = begin + PL_LIBC_OWN(strcspn)(text + begin, of);
    struct token t = {from + begin, from + end, text[end] != '\0'};

    pl_apart_end(&apart);
    if (t.has_more)
        pl_apart_store(t.end, "", 1, who);
    return t;
}

/* What strtok_r() does where `rest` keeps what follows. */
static char *next_token(char *s, const char *set, char **rest, struct pl_call who)
{
    if (s == NULL)
        READS(rest, sizeof(*rest));
    struct token t = cut_token(s != NULL ? s : *rest, set, true, who);
    char *next = t.end + t.has_more;

    pl_apart_store(rest, &next, sizeof(next), who);
    return t.begin != t.end ? t.begin : NULL;
}

PL_INTERPOSE(char *, strtok, (char *s, const char *set))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_call_wanted(who))
        return PL_LIBC_OWN(strtok)(s, set);
    return next_token(s, set, &pl_stage->process.token, who);
}

#define PL_STRTOK_R(name)                                               \
    PL_INTERPOSE(char *, name, (char *s, const char *set, char **rest)) \
    {                                                                   \
        struct pl_call who = PL_CALL_ENTERED;                           \
        if (!pl_call_wanted(who))                                       \
            return PL_LIBC_OWN(strtok_r)(s, set, rest);                 \
        return next_token(s, set, rest, who);                           \
    }

PL_STRTOK_R(strtok_r)
PL_STRTOK_R(__strtok_r)

PL_INTERPOSE(char *, strsep, (char **at, const char *set))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_call_wanted(who))
        return PL_LIBC_OWN(strsep)(at, set);
    READS(at, sizeof(*at));
    if (*at == NULL)
        return NULL;
    struct token t = cut_token(*at, set, false, who);
    char *next = t.has_more ? t.end + 1 : NULL;

    pl_apart_store(at, &next, sizeof(next), who);
    return t.begin;
}

/* ---- wide characters ---- */

/* The first token of what is there; `rest` is told where the next one begins. */
static wchar_t *next_wide(wchar_t *s, const wchar_t *set, wchar_t **rest, struct pl_call who)
{
    if (s == NULL) {
        READS(rest, sizeof(*rest));
        s = *rest;
    }
    if (s == NULL)
        return NULL;
    PL_APART(apart, who);
    const wchar_t *of = pl_apart_text(&apart, set, PL_TEXT_WIDE);
    const wchar_t *text = pl_apart_text(&apart, s, PL_TEXT_WIDE);
    size_t begin = PL_LIBC_OWN(wcsspn)(text, of);
    size_t end = begin + PL_LIBC_OWN(wcscspn)(text + begin, of);
    bool has_more = text[end] != L'\0';
    wchar_t *next = has_more ? s + end + 1 : NULL;

    pl_apart_end(&apart);
    if (has_more)
        pl_apart_store(s + end, L"", sizeof(*s), who);
    pl_apart_store(rest, &next, sizeof(next), who);
    return begin != end ? s + begin : NULL;
}

PL_INTERPOSE(wchar_t *, wcstok, (wchar_t * s, const wchar_t *set, wchar_t **rest))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_call_wanted(who))
        return PL_LIBC_OWN(wcstok)(s, set, rest);
    return next_wide(s, set, rest, who);
}

/* ---- options ---- */

/* Which of the tokens the first n bytes are; -1 for none. */
static int option_of(const char *text, size_t n, char *const *tokens, struct pl_call who)
{
    for (int i = 0;; i++) {
        PL_APART(apart, who);
        READS(&tokens[i], sizeof(tokens[i]));
        if (tokens[i] == NULL)
            return -1;
        const char *token = pl_apart_text(&apart, tokens[i], PL_TEXT_WHOLE);

        if (PL_LIBC_OWN(strncmp)(text, token, n) == 0 && token[n] == '\0')
            return i;
    }
}

static int next_option(char **at, char *const *tokens, char **value, struct pl_call who)
{
    READS(at, sizeof(*at));
    char *from = *at, *next, *its;

    PL_APART(apart, who);
    const char *text = pl_apart_text(&apart, from, PL_TEXT_WHOLE);
    size_t end = PL_LIBC_OWN(strcspn)(text, ","), name = PL_LIBC_OWN(strcspn)(text, ",=");

    if (text[0] == '\0')
        return -1;
    int option = option_of(text, name, tokens, who);
    bool has_more = text[end] != '\0';

    pl_apart_end(&apart);
    next = from + end + has_more;
    its = option < 0 ? from : name < end ? from + name + 1 : NULL;
    pl_apart_store(value, &its, sizeof(its), who);
    if (has_more)
        pl_apart_store(from + end, "", 1, who);
    pl_apart_store(at, &next, sizeof(next), who);
    return option;
}

PL_INTERPOSE(int, getsubopt, (char **at, char *const *tokens, char **value))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_call_wanted(who))
        return PL_LIBC_OWN(getsubopt)(at, tokens, value);
    return next_option(at, tokens, value, who);
}
