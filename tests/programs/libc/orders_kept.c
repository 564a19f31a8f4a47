/* SPDX-License-Identifier: MIT */
/*
 * Functions without a row that keep something between calls: which of two threads comes first
 * matters.  Where functions that say nothing look at it, the verdict names who changes it.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=6
 *
 * RUN    -DUNSEEN plait test -s dpor
 * EXPECT clean incomplete ended~but.for.the.function.register_printf_specifier.at.*orders_kept
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <grp.h>
#include <libintl.h>
#include <printf.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

char *re_comp(const char *pattern);
int re_exec(const char *text);

#ifdef UNSEEN
static int print(FILE *to, const struct printf_info *info, const void *const *arguments)
{
    (void)info, (void)arguments;
    return fputs("it", to) >= 0 ? 2 : -1;
}

static int describe(const struct printf_info *info, size_t n, int *types, int *sizes)
{
    (void)info, (void)n, (void)types, (void)sizes;
    return 0;
}

ORDER(register_printf_specifier, (void)0, return register_printf_specifier('Y', print, describe),
      return 0)
ORDERS(&order_register_printf_specifier)
#else
static long user(void)
{
    char room[1024];
    struct passwd one, *found;

    return getpwent_r(&one, room, sizeof(room), &found) == 0 ? (long)one.pw_uid : -1;
}

static long group(void)
{
    char room[1024];
    struct group one, *found;

    return getgrent_r(&one, room, sizeof(room), &found) == 0 ? (long)one.gr_gid : -1;
}

static const char *before; /* what was there is gone with the change: only whether it is the same */

ORDER(textdomain, before = textdomain("one"), return textdomain("two") != NULL,
      return textdomain(NULL) == before)
ORDER(bindtextdomain, before = bindtextdomain("one", "/a"),
      return bindtextdomain("one", "/b") != NULL, return bindtextdomain("one", NULL) == before)
ORDER(re_comp, re_comp("a"), return re_comp("b") == NULL, return re_exec("a"))
ORDER(re_exec, re_comp("a"), return re_exec("b"), return re_comp("b") == NULL)
ORDER(getpwent_r, setpwent(), return user(), return user())
ORDER(getgrent_r, setgrent(), return group(), return group())
ORDERS(&order_textdomain, &order_bindtextdomain, &order_re_comp, &order_re_exec, &order_getpwent_r,
       &order_getgrent_r)
#endif
