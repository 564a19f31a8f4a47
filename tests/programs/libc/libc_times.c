/* SPDX-License-Identifier: MIT */
/*
 * Times: <time.h> and <sys/time.h>.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=42 exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=42 exit=0
 *
 * RUN    plait test -s dpor --detect race --section 1
 * EXPECT race location~@here exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "cases.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>

static time_t now = 1000000000;
static struct tm day = {.tm_year = 100, .tm_mday = 1};
static char own[64];

static void begin(void)
{
    static int done;

    if (!done++) /* libc reads the time zone once */
        tzset();
    memset(&shared, 0, sizeof(shared));
}

#define TIME_WRITES(name, call) CASE(name, begin(), call, LOOK)
#define TIME_READS(name, call) CASE(name, begin(), call, TOUCH)

TIME_WRITES(mktime_, result = mktime((struct tm *)shared.text))
TIME_WRITES(timegm_, result = timegm((struct tm *)shared.text)) /* @here */
TIME_WRITES(localtime_r_, localtime_r(&now, (struct tm *)shared.text))
TIME_WRITES(gmtime_r_, gmtime_r(&now, (struct tm *)shared.text))
TIME_READS(gmtime_r_from, struct tm tm; gmtime_r(&shared.word, &tm))
TIME_WRITES(asctime_r_, asctime_r(&day, shared.text))
TIME_WRITES(ctime_r_, ctime_r(&now, shared.text))
TIME_WRITES(strftime_, result = (long)strftime(shared.text, 64, "%Y", &day))
TIME_READS(strftime_from, result = (long)strftime(own, 64, "%Y", (struct tm *)shared.text))
TIME_WRITES(strptime_, strptime("59", "%S", (struct tm *)shared.text))
TIME_WRITES(clock_gettime_, clock_gettime(CLOCK_MONOTONIC, (struct timespec *)shared.text))
TIME_WRITES(clock_getres_, clock_getres(CLOCK_MONOTONIC, (struct timespec *)shared.text))
TIME_WRITES(gettimeofday_, gettimeofday((struct timeval *)shared.text, NULL))
TIME_WRITES(time_, result = time(&shared.word))
/* Deprecated, not gone. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TIME_WRITES(ftime_, ftime((struct timeb *)shared.text))
TIME_WRITES(timespec_get_, timespec_get((struct timespec *)shared.text, TIME_UTC))
TIME_WRITES(getitimer_, getitimer(ITIMER_REAL, (struct itimerval *)shared.text))
TIME_WRITES(times_, result = times((struct tms *)shared.text))
TIME_WRITES(getrusage_, getrusage(RUSAGE_SELF, (struct rusage *)shared.text))

/* Not the seconds: without plait somebody would wait for them. */
#define TIME_SLEEPS(name, call) \
    CASE(name, begin(), call, ((volatile struct timespec *)shared.text)->tv_nsec = 7)

TIME_SLEEPS(nanosleep_, result = nanosleep((struct timespec *)shared.text, NULL))
TIME_SLEEPS(clock_nanosleep_,
            result = clock_nanosleep(CLOCK_MONOTONIC, 0, (struct timespec *)shared.text, NULL))

int main(void)
{
    RUN(timegm_), RUN(localtime_r_), RUN(gmtime_r_), RUN(gmtime_r_from), RUN(asctime_r_);
    RUN(ctime_r_), RUN(strftime_), RUN(strftime_from), RUN(strptime_), RUN(clock_gettime_);
    RUN(clock_getres_), RUN(gettimeofday_), RUN(ftime_), RUN(time_), RUN(timespec_get_),
        RUN(getitimer_);
    RUN(times_), RUN(getrusage_), RUN(mktime_);
    RUN(nanosleep_), RUN(clock_nanosleep_);
    return 0;
}
