/* SPDX-License-Identifier: MIT */
/*
 * Functions whose results depend on the locale, on the time zone or on a variable of the
 * environment, which another thread sets: both orders.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=19
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <fnmatch.h>
#include <getopt.h>
#include <glob.h>
#include <iconv.h>
#include <langinfo.h>
#include <locale.h>
#include <regex.h>
#include <time.h>
#include <wchar.h>

static const char letter[] = "\303\244"; /* one in UTF-8 */
static const wchar_t small[] = L"\u00e4", large[] = L"\u00c4";

/* ---- the locale ---- */

static void in_c(void)
{
    setlocale(LC_ALL, "C");
}

static long speak(void)
{
    return setlocale(LC_ALL, "C.UTF-8") != NULL;
}

static long match(void)
{
    regex_t r;

    MUST(regcomp(&r, "^.$", 0) == 0);
    int result = regexec(&r, letter, 0, NULL, 0);

    regfree(&r);
    return result;
}

static long print(void)
{
    char to[8];

    return snprintf(to, sizeof(to), "%ls", small);
}

static long print_wide(void)
{
    wchar_t to[8];

    return swprintf(to, 8, L"%s", letter);
}

static long scan(void)
{
    wchar_t to[8] = L"";

    return sscanf(letter, "%7ls", to) == 1 ? to[0] : -1;
}

static long convert(void)
{
    const char *from = letter;
    mbstate_t state = {0};

    return (long)mbsrtowcs(NULL, &from, 0, &state);
}

static long converter(void)
{
    iconv_t to = iconv_open("", "UTF-8");
    char from[] = "\303\244", bytes[8], *in = from, *out = bytes;
    size_t n = 2, room = sizeof(bytes);

    MUST(to != (iconv_t)-1);
    size_t result = iconv(to, &in, &n, &out, &room);

    iconv_close(to);
    return result != (size_t)-1;
}

#define BY_LOCALE(function, call) ORDER(function, in_c(), return call, return speak())

BY_LOCALE(regcomp, match())
BY_LOCALE(fnmatch, fnmatch("?", letter, 0))
BY_LOCALE(snprintf, print())
BY_LOCALE(swprintf, print_wide())
BY_LOCALE(sscanf, scan())
BY_LOCALE(wcscasecmp, wcscasecmp(small, large) != 0)
BY_LOCALE(wcsncasecmp, wcsncasecmp(small, large, 1) != 0)
BY_LOCALE(mbsrtowcs, convert())
BY_LOCALE(iconv_open, converter())

/* ---- the time zone ---- */

static const struct tm second_day = {.tm_year = 70, .tm_mday = 2};

static void at_home(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
}

static long go_east(void)
{
    return setenv("TZ", "UTC-3", 1);
}

static long arrive(void)
{
    go_east();
    tzset();
    return 0;
}

static long hour(const char *date)
{
    return date[11] * 10 + date[12];
}

static long hour_of(char *(*as_text)(const time_t *, char *))
{
    const time_t zero = 0;
    char text[32];

    return hour(as_text(&zero, text));
}

static long hour_printed(void)
{
    const time_t zero = 0;

    return hour(ctime(&zero));
}

static long hour_now(void)
{
    const time_t zero = 0;

    return localtime(&zero)->tm_hour;
}

static long seconds(void)
{
    char text[32];

    return (long)strftime(text, sizeof(text), "%-s", &second_day) > 0 ? atol(text) : -1;
}

static long wide_seconds(void)
{
    wchar_t text[32];

    return (long)wcsftime(text, 32, L"%-s", &second_day) > 0 ? wcstol(text, NULL, 10) : -1;
}

static long scanned_hour(void)
{
    struct tm to = {0};

    MUST(strptime("0", "%s", &to) != NULL);
    return to.tm_hour;
}

ORDER(localtime, at_home(), return hour_now(), return go_east())
ORDER(ctime, at_home(), return hour_printed(), return go_east())
ORDER(ctime_r, at_home(), return hour_of(ctime_r), return arrive())
ORDER(strftime, at_home(), return seconds(), return go_east())
ORDER(wcsftime, at_home(), return wide_seconds(), return go_east())
ORDER(strptime, at_home(), return scanned_hour(), return arrive())

/* ---- variables of the environment ---- */

static long find_home(void)
{
    glob_t found = {0};
    long result = glob("~", GLOB_TILDE, NULL, &found) == 0 ? found.gl_pathv[0][1] : -1;

    globfree(&found);
    return result;
}

static long new_codes(void)
{
    locale_t made = newlocale(LC_ALL_MASK, "", NULL);
    long result = nl_langinfo_l(CODESET, made)[0];

    freelocale(made);
    return result;
}

static long option(void)
{
    char *words[] = {"program", "file", "-a", NULL};

    return getopt(3, words, "a");
}

static void before_options(void)
{
    unsetenv("POSIXLY_CORRECT");
    optind = 0;
}

ORDER(glob, setenv("HOME", "/tmp", 1), return find_home(), return setenv("HOME", "/usr", 1))
ORDER(setlocale, setenv("LC_ALL", "C", 1), return setlocale(LC_ALL, "")[1],
      return setenv("LC_ALL", "C.UTF-8", 1))
ORDER(newlocale, setenv("LC_ALL", "C", 1), return new_codes(),
      return setenv("LC_ALL", "C.UTF-8", 1))
ORDER(getopt, before_options(), return option(), return setenv("POSIXLY_CORRECT", "1", 1))

ORDERS(&order_regcomp, &order_fnmatch, &order_snprintf, &order_swprintf, &order_sscanf,
       &order_wcscasecmp, &order_wcsncasecmp, &order_mbsrtowcs, &order_iconv_open, &order_localtime,
       &order_ctime, &order_ctime_r, &order_strftime, &order_wcsftime, &order_strptime, &order_glob,
       &order_setlocale, &order_newlocale, &order_getopt)
