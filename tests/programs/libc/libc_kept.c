/* SPDX-License-Identifier: MIT */
/*
 * What libc keeps between calls: the environment, where strtok() goes on, what gmtime() and
 * asctime() return, and the generators of random numbers.  rand() has a lock, so nobody races,
 * but who is first gets the first number.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=28 exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=28 exit=0
 *
 * RUN    plait test -s dpor --detect race --section 1
 * EXPECT race location~@here exit=1
 *
 * RUN    plait test -s dpor --detect race --section 4
 * EXPECT race location~@there exit=1
 *
 * RUN    plait test -s dpor --detect race --section 6
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "cases.h"

#include <time.h>

static time_t now = 1000000000;
static struct tm day = {.tm_year = 100, .tm_mday = 1};
static struct tm *broken_down;

static void begin(void)
{
    broken_down = gmtime(&now);
}

static void begin_zone(void)
{
    setenv("TZ", "UTC0", 1);
    tzset();
}

static void new_zone(void)
{
    setenv("TZ", "UTC-5", 1);
    tzset();
}

CASE(setenv_getenv, setenv("N", "1", 1), setenv("N", "2", 1), result = *getenv("N")) /* @here */
CASE(getenv_getenv, , result = getenv("NAME") != NULL, result = getenv("NAME") != NULL)
CASE(getenv_name, strcpy(shared.text, "7"), result = getenv(shared.text) != NULL, TOUCH)
CASE(gmtime_, begin(), gmtime(&now), result = broken_down->tm_year) /* @there */
CASE(asctime_, , asctime(&day), asctime(&day))
CASE(rand_, , result = rand(), result = rand())
CASE(srand_, , srand(1), result = rand())
CASE(drand48_, , result = (long)drand48(), srand48(1))
CASE(timezone_, begin_zone(), new_zone(), result = timezone)
CASE(strtok_, , char a[] = "a b"; strtok(a, " "), char b[] = "c d"; strtok(b, " "))

CASE(setenv_value, strcpy(shared.text, "7"), setenv("N", shared.text, 1), TOUCH)
CASE(strtok_end, strcpy(shared.text, "a b"), strtok(shared.text, " "), result = shared.text[1])
CASE(localtime_, begin(), localtime(&now), result = broken_down->tm_year)
CASE(ctime_, begin(), ctime(&now), result = broken_down->tm_year)

int main(void)
{
    RUN(setenv_getenv), RUN(getenv_getenv), RUN(getenv_name), RUN(gmtime_), RUN(asctime_);
    RUN(rand_), RUN(srand_), RUN(drand48_), RUN(strtok_), RUN(timezone_);
    RUN(setenv_value), RUN(strtok_end), RUN(localtime_), RUN(ctime_);
    return 0;
}
