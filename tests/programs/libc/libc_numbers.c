/* SPDX-License-Identifier: MIT */
/*
 * <stdlib.h> and <math.h>: numbers from texts, random numbers, sorting, conversions, names.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=68 exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=68 exit=0
 *
 * RUN    plait test -s dpor --detect race --section 1
 * EXPECT race location~@here exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "cases.h"

#include <inttypes.h>
#include <math.h>
#include <search.h>

static char own[4096];
static struct drand48_data seeds;
static struct random_data states;
static char state_room[64];
static size_t count = 1;

static int compare(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

READS(atoi_, result = atoi(shared.text)) /* @here */
READS(atol_, result = atol(shared.text))
READS(atoll_, result = (long)atoll(shared.text))
READS(atof_, result = (long)atof(shared.text))
READS(strtol_, result = strtol(shared.text, NULL, 10))
READS(strtoll_, result = (long)strtoll(shared.text, NULL, 10))
READS(strtoul_, result = (long)strtoul(shared.text, NULL, 10))
READS(strtoull_, result = (long)strtoull(shared.text, NULL, 10))
READS(strtoimax_, result = strtoimax(shared.text, NULL, 10))
READS(strtod_, result = (long)strtod(shared.text, NULL))
READS(strtof_, result = (long)strtof(shared.text, NULL))
READS(strtold_, result = (long)strtold(shared.text, NULL))
WRITES(strtol_end, result = strtol("1", (char **)&shared.pointer, 10))
WRITES(strtod_end, result = (long)strtod("1", (char **)&shared.pointer))
WRITES(rand_r_, result = rand_r((unsigned *)shared.text))
WRITES(erand48_, result = (long)erand48((unsigned short *)shared.text))
WRITES(nrand48_, result = nrand48((unsigned short *)shared.text))
CASE(drand48_r_, srand48_r(1, &seeds), drand48_r(&seeds, &shared.real), LOOK)
CASE(random_r_, initstate_r(1, state_room, 64, &states), random_r(&states, &shared.number), LOOK)
WRITES(realpath_, result = realpath("/", shared.text) != NULL)
READS(mblen_, result = mblen(shared.text, 4))
WRITES(mbtowc_, result = mbtowc(shared.wide, "a", 1))
WRITES(wctomb_, result = wctomb(shared.text, L'a'))
WRITES(mbstowcs_, result = (long)mbstowcs(shared.wide, "ab", 4))
READS(mbstowcs_from, result = (long)mbstowcs((wchar_t *)own, shared.text, 4))
WRITES(wcstombs_, result = (long)wcstombs(shared.text, L"ab", 4))
CASE(lfind_, count = 1, char key = 1; lfind(&key, own, &count, 1, compare), count = 0)
CASE(lsearch_, count = 0, char key = 1;
     lsearch(&key, own, &count, 1, compare), result = (long)count)
WRITES(hcreate_r_, hcreate_r(1, (struct hsearch_data *)shared.text))
WRITES(ecvt_r_, int a; int b; ecvt_r(1.5, 4, &a, &b, shared.text, 16))
WRITES(frexp_, volatile double x = 3; result = (long)frexp(x, &shared.number))
WRITES(modf_, volatile double x = 3.5; result = (long)modf(x, &shared.real))
CASE(qsort_, memcpy(shared.text, "7b", 2), qsort(shared.text, 2, 1, compare), TOUCH)

int main(void)
{
    RUN(atoi_), RUN(atol_), RUN(atoll_), RUN(atof_), RUN(strtol_), RUN(strtoll_), RUN(strtoul_);
    RUN(strtoull_), RUN(strtoimax_), RUN(strtod_), RUN(strtof_), RUN(strtold_), RUN(strtol_end);
    RUN(strtod_end), RUN(rand_r_), RUN(erand48_), RUN(nrand48_), RUN(drand48_r_), RUN(random_r_);
    RUN(realpath_), RUN(mblen_), RUN(mbtowc_), RUN(wctomb_), RUN(mbstowcs_), RUN(mbstowcs_from);
    RUN(wcstombs_), RUN(lfind_), RUN(lsearch_), RUN(hcreate_r_), RUN(ecvt_r_), RUN(frexp_);
    RUN(modf_), RUN(qsort_);
    return 0;
}
