/* SPDX-License-Identifier: MIT */
/*
 * Functions that return the address of what the next call changes: who has an answer finds another
 * one there when somebody else has asked in between.  Half of them look something up in files;
 * -DLOST claims that an answer stays.
 *
 * RUN    -DMATH -Wl,--no-as-needed -lm plait test -s dpor
 * EXPECT clean complete classes=26 exit=0
 *
 * RUN    -DMATH -Wl,--no-as-needed -lm plait test -s dfs
 * EXPECT clean complete classes=26 exit=0
 *
 * RUN    -DLOOKUPS=1 plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    -DLOST=1 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DLOST=1 plait test -s dpor --detect race
 * EXPECT race
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "cases.h"

#include <assert.h>
#include <fcntl.h>
#include <grp.h>
#include <locale.h>
#include <math.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pwd.h>
#include <sys/prctl.h>

static char *volatile answer;
static const struct ether_addr station = {{1, 2, 3, 4, 5, 6}};
static int point, sign;
static int own_point, own_sign;

#define KEEP(x) (answer = (char *)(x))
#define ASK(name, first, second) CASE(name, KEEP(first), (void)(second), result = *answer)

ASK(l64a_, l64a(5), l64a(70))
ASK(ecvt_, ecvt(1.5, 3, &point, &sign), ecvt(2.5, 3, &own_point, &own_sign))
ASK(fcvt_, fcvt(1.5, 3, &point, &sign), fcvt(2.5, 3, &own_point, &own_sign))
ASK(ether_ntoa_, ether_ntoa(&station), ether_ntoa(&station))
ASK(ether_aton_, ether_aton("1:2:3:4:5:6"), ether_aton("2:2:3:4:5:6"))
CASE(ecvt_point, , ecvt(1.5, 3, (int *)shared.text, &own_sign), LOOK)
READS(a64l_, result = a64l(shared.text))
WRITES(prctl_, prctl(PR_GET_NAME, shared.text))
#ifdef MATH
static volatile double minus = -0.5;

CASE(lgamma_, , (void)lgamma(minus), result = signgam)
CASE(lgammaf_, , (void)lgammaf((float)minus), result = signgam)
CASE(lgammal_, , (void)lgammal(minus), result = signgam)
CASE(gamma_, , (void)gamma(minus), result = signgam)
#endif
CASE(localeconv_, setlocale(LC_ALL, "C"), result = *localeconv()->decimal_point,
     setlocale(LC_ALL, "C"))

ASK(getpwnam_, getpwuid(0), getpwnam("daemon"))
ASK(getpwuid_, getpwnam("root"), getpwuid(1))
ASK(getgrnam_, getgrgid(0), getgrnam("daemon"))
ASK(getgrgid_, getgrnam("root"), getgrgid(1))
CASE(getpwent_, setpwent(), result = getpwent() != NULL, result = getpwent() != NULL)
CASE(endpwent_, setpwent(), result = getpwent() != NULL, endpwent())
CASE(getgrent_, setgrent(), result = getgrent() != NULL, result = getgrent() != NULL)
CASE(endgrent_, setgrent(), result = getgrent() != NULL, endgrent())
ASK(getprotobyname_, "", getprotobyname("tcp"))
ASK(getprotobynumber_, "", getprotobynumber(6))
ASK(getservbyname_, "", getservbyname("http", "tcp"))
ASK(getservbyport_, "", getservbyport(5, "tcp"))
ASK(gethostbyname_, gethostbyname("127.0.0.1"), gethostbyname("127.0.0.2"))
ASK(ttyname_, "", ttyname(0))
ASK(ptsname_, "", ptsname(0))
ASK(getlogin_, "", getlogin())
CASE(tmpnam_, memset(&shared, 0, sizeof(shared)), (void)(tmpnam(shared.text)), LOOK)

#ifndef LOOKUPS
#define LOOKUPS 0
#endif
#ifndef LOST
#define LOST 0
#endif

static void *ask(void *arg)
{
    l64a(70);
    return arg;
}

static void lose(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, ask, NULL);
    const char *mine = l64a(5);

    assert(a64l(mine) == 5);
    pthread_join(thread, NULL);
}

int main(void)
{
    if (LOST) {
        lose();
    } else if (LOOKUPS) {
        RUN(getpwnam_), RUN(getpwuid_), RUN(getgrnam_), RUN(getgrgid_), RUN(getprotobyname_);
        RUN(getpwent_), RUN(endpwent_), RUN(getgrent_), RUN(endgrent_);
        RUN(getprotobynumber_), RUN(getservbyname_), RUN(getservbyport_), RUN(gethostbyname_);
        RUN(ttyname_), RUN(ptsname_), RUN(getlogin_), RUN(tmpnam_);
    } else {
        RUN(l64a_), RUN(ecvt_), RUN(fcvt_), RUN(ether_ntoa_), RUN(ether_aton_), RUN(ecvt_point);
        RUN(a64l_), RUN(localeconv_), RUN(prctl_);
#ifdef MATH
        RUN(lgamma_), RUN(lgammaf_), RUN(lgammal_), RUN(gamma_);
#endif
    }
    return 0;
}
