/* SPDX-License-Identifier: MIT */
/*
 * <wchar.h>: wide texts.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=64 exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=64 exit=0
 *
 * RUN    plait test -s dpor --detect race --section 1
 * EXPECT race location~@here exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "cases.h"

#include <iconv.h>
#include <wchar.h>

#define WIDE_READS(name, call) \
    CASE(name, wcscpy(shared.wide, L"12 ab"), call, shared.wide[0] = L'7')

static wchar_t own[64] = L"own";
static mbstate_t state;

static void convert(char *to)
{
    char from[] = "ab", *in = from;
    size_t n = 2, room = 16;
    iconv_t c = iconv_open("UTF-8", "ISO-8859-1");

    iconv(c, &in, &n, &to, &room);
    iconv_close(c);
}

WIDE_READS(wcslen_, result = (long)wcslen(shared.wide)) /* @here */
WIDE_READS(wcsnlen_, result = (long)wcsnlen(shared.wide, 3))
WRITES(wcscpy_to, wcscpy(shared.wide, own))
WIDE_READS(wcscpy_from, wcscpy(own, shared.wide))
WRITES(wcsncpy_to, wcsncpy(shared.wide, own, 8))
CASE(wcscat_to, wcscpy(shared.wide, L"ab"), wcscat(shared.wide, L"cd"), result = shared.wide[2])
CASE(wcsncat_to, wcscpy(shared.wide, L"ab"), wcsncat(shared.wide, L"cde", 2),
     result = shared.wide[2])
CASE(wcscat_both, memset(&shared, 0, sizeof(shared)), wcscat(shared.wide, L"a"),
     wcscat(shared.wide, L"b"))
WIDE_READS(wcscmp_, result = wcscmp(shared.wide, own))
WIDE_READS(wcsncmp_, result = wcsncmp(shared.wide, own, 2))
WIDE_READS(wcscoll_, result = wcscoll(shared.wide, own))
WIDE_READS(wcschr_, result = wcschr(shared.wide, L'a') != NULL)
WIDE_READS(wcsrchr_, result = wcsrchr(shared.wide, L'a') != NULL)
WIDE_READS(wcsstr_, result = wcsstr(shared.wide, L"ab") != NULL)
WIDE_READS(wcsspn_, result = (long)wcsspn(shared.wide, L"12"))
WIDE_READS(wcsdup_, free(wcsdup(shared.wide)))
WRITES(wmemcpy_to, wmemcpy(shared.wide, own, 4))
WRITES(wmemmove_to, wmemmove(shared.wide, own, 4))
WRITES(wmemset_, wmemset(shared.wide, L'a', 4))
WIDE_READS(wmemcmp_, result = wmemcmp(shared.wide, own, 4))
WIDE_READS(wmemchr_, result = wmemchr(shared.wide, L'z', 4) != NULL)
WIDE_READS(wcstol_, result = wcstol(shared.wide, NULL, 10))
WIDE_READS(wcstod_, result = (long)wcstod(shared.wide, NULL))
WRITES(mbrtowc_, mbstate_t own_state = {0}; result = (long)mbrtowc(shared.wide, "a", 1, &own_state))
READS(mbrtowc_from, mbstate_t own_state = {0};
      result = (long)mbrtowc(own, shared.text, 1, &own_state))
CASE(mbrtowc_state, , result = (long)mbrtowc(NULL, "a", 1, &state),
     result = *(volatile char *)&state)
WRITES(wcrtomb_, mbstate_t own_state = {0}; result = (long)wcrtomb(shared.text, L'a', &own_state))
WRITES(iconv_, convert(shared.text))

int main(void)
{
    RUN(wcslen_), RUN(wcsnlen_), RUN(wcscpy_to), RUN(wcscpy_from), RUN(wcsncpy_to), RUN(wcscat_to);
    RUN(wcsncat_to), RUN(wcscat_both);
    RUN(wcscmp_), RUN(wcsncmp_), RUN(wcscoll_), RUN(wcschr_), RUN(wcsrchr_), RUN(wcsstr_);
    RUN(wcsspn_), RUN(wcsdup_), RUN(wmemcpy_to), RUN(wmemmove_to), RUN(wmemset_), RUN(wmemcmp_);
    RUN(wmemchr_), RUN(wcstol_), RUN(wcstod_), RUN(mbrtowc_), RUN(mbrtowc_from);
    RUN(mbrtowc_state), RUN(wcrtomb_), RUN(iconv_);
    return 0;
}
