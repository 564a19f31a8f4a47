/* SPDX-License-Identifier: MIT */
/*
 * Characters of several bytes: in the middle of which one a conversion is, which libc keeps for
 * those who give it no state of their own, or within what iconv_open() has made; what wide
 * characters are, by the locale; variables of libc that a function sets; and which modules are
 * loaded.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=16
 *
 * RUN    -DLOADED plait test -s dpor --outputs
 * EXPECT clean orders=3
 *
 * RUN    -DCLOSED plait test -s dpor
 * EXPECT crash
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <dlfcn.h>
#include <error.h>
#include <getopt.h>
#include <iconv.h>
#include <limits.h>
#include <link.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

static iconv_t to;

static __attribute__((unused)) void in_two_bytes(void)
{
    MUST(setlocale(LC_ALL, "C.UTF-8") != NULL);
}

static __attribute__((unused)) long speak(void)
{
    return setlocale(LC_ALL, "C.UTF-8") != NULL;
}

static __attribute__((unused)) void open_converter(void)
{
    to = iconv_open("UTF-8", "UTF-7");
    MUST(to != (iconv_t)-1);
}

/* How many bytes come of it. */
static __attribute__((unused)) long convert(const char *text)
{
    char in[8], out[16], *from = in, *at = out;
    size_t n = strlen(text), room = sizeof(out);

    strcpy(in, text);
    iconv(to, &from, &n, &at, &room);
    return at - out;
}

#ifdef LOADED
static int look(struct dl_phdr_info *info, size_t size, void *count)
{
    (void)info, (void)size;
    ++*(int *)count;
    return 0;
}

static int modules(void)
{
    int n = 0;

    dl_iterate_phdr(look, &n);
    return n;
}

static int look_how_many(struct dl_phdr_info *info, size_t size, void *count)
{
    (void)size;
    *(int *)count = (int)info->dlpi_adds;
    return 1;
}

/* In all name spaces. */
static int ever_loaded(void)
{
    int n = 0;

    dl_iterate_phdr(look_how_many, &n);
    return n;
}

static long is_loaded(const char *name)
{
    return dlopen(name, RTLD_NOW | RTLD_NOLOAD) != NULL;
}

static int made(void *library)
{
    return library != NULL;
}

static void *library;

ORDER(dl_iterate_phdr, (void)0, return modules(), return made(dlopen("libresolv.so.2", RTLD_NOW)))
ORDER(dlclose, library = dlopen("libanl.so.1", RTLD_NOW);
      MUST(library != NULL), return dlclose(library), return is_loaded("libanl.so.1"))
ORDER(dlmopen, (void)0, return made(dlmopen(LM_ID_NEWLM, "libutil.so.1", RTLD_NOW)),
      return ever_loaded())
ORDERS(&order_dl_iterate_phdr, &order_dlclose, &order_dlmopen)
#elif defined(CLOSED)
ORDER(iconv_close, open_converter(), return iconv_close(to), return convert("A"))
ORDERS(&order_iconv_close)
#else
static void in_c(void)
{
    setlocale(LC_ALL, "C");
}

/* The first byte of two, and the second. */
#define FIRST "\303"
#define SECOND "\244"

static long by_byte(const char *byte)
{
    wchar_t c;

    return (long)mbrtowc(&c, byte, 1, NULL);
}

static long by_byte_16(const char *byte)
{
    char16_t c;

    return (long)mbrtoc16(&c, byte, 1, NULL);
}

static long by_byte_32(const char *byte)
{
    char32_t c;

    return (long)mbrtoc32(&c, byte, 1, NULL);
}

static long several(const char *bytes)
{
    wchar_t c[4];

    return (long)mbsnrtowcs(c, &bytes, 1, 4, NULL);
}

/* Two halves of one character. */
static long half(char16_t c)
{
    char bytes[MB_LEN_MAX];

    return (long)c16rtomb(bytes, c, NULL);
}

static long whole(char32_t c)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};

    return (long)c32rtomb(bytes, c, &state);
}

static long option(void)
{
    char *words[] = {"program", "-x", NULL};

    return getopt(2, words, "a");
}

static void silently(void)
{
    error_message_count = 0;
    opterr = 0;
    optind = 1;
    optopt = 0;
    MUST(freopen("/dev/null", "w", stderr) != NULL);
}

ORDER(mbtowc, in_two_bytes();
      mbtowc(NULL, NULL, 0), return mbtowc(NULL, FIRST, 1), return mbtowc(NULL, SECOND, 1))
ORDER(mbrtowc, in_two_bytes(), return by_byte(FIRST), return by_byte(SECOND))
ORDER(mbrlen, in_two_bytes(), return (long)mbrlen(FIRST, 1, NULL),
      return (long)mbrlen(SECOND, 1, NULL))
ORDER(mbrtoc16, in_two_bytes(), return by_byte_16(FIRST), return by_byte_16(SECOND))
ORDER(mbrtoc32, in_two_bytes(), return by_byte_32(FIRST), return by_byte_32(SECOND))
ORDER(mbsnrtowcs, in_two_bytes(), return several(FIRST), return several(SECOND))
ORDER(c16rtomb, in_two_bytes(), return half(0xd83d), return half(0xde00))
ORDER(c32rtomb, in_c(), return whole(0xe4), return speak())
ORDER(iconv, open_converter(), return convert("+AOk"), return convert("A"))
ORDER(iswalpha, in_c(), return iswalpha(0xe9) != 0, return speak())
ORDER(iswctype, in_c(), return iswctype(0xe9, wctype("alpha")) != 0, return speak())
ORDER(towupper, in_c(), return towupper(0xe9), return speak())
ORDER(wcwidth, in_c(), return wcwidth(0xe4), return speak())
ORDER(optopt, silently(), return option(), return optopt)
ORDER(error, silently(), error(0, 0, "it"); return 0, return error_message_count)
ORDER(error_at_line, silently(), error_at_line(0, 0, "file", 1, "it");
      return 0, return error_message_count)
ORDERS(&order_mbtowc, &order_mbrtowc, &order_mbrlen, &order_mbrtoc16, &order_mbrtoc32,
       &order_mbsnrtowcs, &order_c16rtomb, &order_c32rtomb, &order_iconv, &order_iswalpha,
       &order_iswctype, &order_towupper, &order_wcwidth, &order_optopt, &order_error,
       &order_error_at_line)
#endif
