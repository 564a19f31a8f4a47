/* SPDX-License-Identifier: MIT */
/*
 * Functions that remember something between calls, or look at what others set: which of two threads
 * comes first matters, though neither gives the other any memory.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=16
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <search.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static long option(int how)
{
    char *words[] = {"program", "-a", "-b", NULL};
    static const struct option names[] = {{0}};

    return how == 0   ? getopt(3, words, "ab")
           : how == 1 ? getopt_long(3, words, "ab", names, NULL)
                      : getopt_long_only(3, words, "ab", names, NULL);
}

static void in_c(void)
{
    setlocale(LC_ALL, "C");
}

static void begin(void)
{
    optind = 1;
    in_c();
    srandom(1);
    srand48(1);
}

static void empty_table(void)
{
    begin();
    hcreate(8);
}

static long speak(void)
{
    return setlocale(LC_ALL, "C.UTF-8") != NULL;
}

static long draw_state(void)
{
    static char state[2][64];

    initstate(2, state[0], sizeof(state[0]));
    return 0;
}

static char other_state[64];

static void two_states(void)
{
    begin();
    setstate(initstate(5, other_state, sizeof(other_state)));
}

static void at_home(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    setenv("TZ", "UTC+3", 1);
}

static long hour(void)
{
    const time_t day = 86400;
    struct tm date;

    localtime_r(&day, &date);
    return date.tm_hour;
}

static long wide(void)
{
    wchar_t c = 0;

    return mbtowc(&c, "\303\244", 2);
}

static long wide_state(void)
{
    mbstate_t state = {0};
    wchar_t c = 0;

    return (long)mbrtowc(&c, "\303\244", 2, &state);
}

static char *data_end;

ORDER(getopt, begin(), return option(0), return option(0))
ORDER(getopt_long, begin(), return option(1), return option(1))
ORDER(getopt_long_only, begin(), return option(2), return option(2))
ORDER(hcreate, hdestroy(); begin(), return hcreate(8), return hcreate(4) + 2)
ORDER(hdestroy, hdestroy(); empty_table(), hdestroy(); return 0, return hcreate(4))
ORDER(initstate, begin(), return draw_state(), return random())
ORDER(setstate, two_states(), setstate(other_state); return 0, return random())
ORDER(seed48, begin(), seed48((unsigned short[3]){1, 2, 3}); return 0, return lrand48())
ORDER(lcong48, begin(), lcong48((unsigned short[7]){1, 2, 3, 4, 5, 6, 7});
      return 0, return lrand48())
ORDER(tzset, at_home(), tzset(); return 0, return hour())
ORDER(setlogmask, begin(), return setlogmask(1), return setlogmask(2))
ORDER(sbrk, data_end = sbrk(0), return (char *)sbrk(16) - data_end,
      return (char *)sbrk(32) - data_end)
ORDER(brk, data_end = sbrk(0), return brk(data_end + 16), return (char *)sbrk(0) - data_end)
ORDER(nl_langinfo, begin(), return nl_langinfo(CODESET)[0], return speak())
ORDER(mbtowc, begin(), return wide(), return speak())
ORDER(mbrtowc, begin(), return wide_state(), return speak())
ORDERS(&order_getopt, &order_getopt_long, &order_getopt_long_only, &order_hcreate, &order_hdestroy,
       &order_initstate, &order_setstate, &order_seed48, &order_lcong48, &order_nl_langinfo,
       &order_tzset, &order_setlogmask, &order_mbtowc, &order_mbrtowc, &order_sbrk, &order_brk)
