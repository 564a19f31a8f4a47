/* SPDX-License-Identifier: MIT */
/*
 * <string.h>: what is read, and what is written.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=54 exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=54 exit=0
 *
 * RUN    plait test -s dpor --detect race --section 1
 * EXPECT race location~@here exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "cases.h"

static char own[2048] = "own";

READS(strcoll_, result = strcoll(shared.text, "1")) /* @here */
READS(strncasecmp_, result = strncasecmp(shared.text, "12 AB", 5))
READS(strverscmp_, result = strverscmp(shared.text, "1"))
READS(strxfrm_from, result = (long)strxfrm(own, shared.text, 16))
WRITES(strxfrm_to, result = (long)strxfrm(shared.text, "ab", 16))
READS(strchrnul_, result = *strchrnul(shared.text, 'a'))
READS(memrchr_, result = memrchr(shared.text, '1', 4) != NULL)
READS(rawmemchr_, result = *(char *)rawmemchr(shared.text, 0))
READS(strcasestr_, result = strcasestr(shared.text, "AB") != NULL)
READS(memmem_, result = memmem(shared.text, 4, "12", 2) != NULL)
READS(strspn_, result = (long)strspn(shared.text, "12"))
READS(strcspn_, result = (long)strcspn(shared.text, "ab"))
READS(strpbrk_, result = strpbrk(shared.text, "ab") != NULL)
READS(stpncpy_from, result = *stpncpy(own, shared.text, 1024))
WRITES(stpncpy_to, result = *stpncpy(shared.text, "ab", 6))
WRITES(mempcpy_to, result = *(char *)mempcpy(shared.text, own, 6))
READS(memccpy_from, result = memccpy(own, shared.text, 'a', 6) != NULL)
WRITES(memccpy_to, result = memccpy(shared.text, own, 0, 6) != NULL)
WRITES(explicit_bzero_, explicit_bzero(shared.text, 8))
WRITES(swab_, swab("abcd", shared.text, 4))
WRITES(memfrob_, memfrob(shared.text, 4))
CASE(strtok_r_rest, shared.pointer = NULL, char text[] = "a b";
     strtok_r(text, " ", (char **)&shared.pointer), LOOK)
CASE(strtok_r_text, strcpy(shared.text, " a"), char *rest; strtok_r(shared.text, " ", &rest), TOUCH)
CASE(strtok_r_end, strcpy(shared.text, "a b"), char *rest;
     strtok_r(shared.text, " ", &rest), result = ((volatile char *)shared.text)[1])
CASE(strsep_place, shared.pointer = own, strsep((char **)&shared.pointer, " "), LOOK)
CASE(strsep_text, strcpy(shared.text, "ab"), char *s = shared.text; strsep(&s, " "), TOUCH)
WRITES(strerror_r_, result = *strerror_r(100000, shared.text, 64))

int main(void)
{
    RUN(strcoll_), RUN(strncasecmp_), RUN(strverscmp_), RUN(strxfrm_from), RUN(strxfrm_to);
    RUN(strchrnul_), RUN(memrchr_), RUN(rawmemchr_), RUN(strcasestr_), RUN(memmem_), RUN(strspn_);
    RUN(strcspn_), RUN(strpbrk_), RUN(stpncpy_from), RUN(stpncpy_to), RUN(mempcpy_to);
    RUN(memccpy_from), RUN(memccpy_to), RUN(explicit_bzero_), RUN(swab_), RUN(memfrob_);
    RUN(strtok_r_rest), RUN(strtok_r_text), RUN(strtok_r_end), RUN(strsep_place), RUN(strsep_text);
    RUN(strerror_r_);
    return 0;
}
