/* SPDX-License-Identifier: MIT */
/*
 * Lists that libc goes through, one entry with each call, and what it returns the address of: two
 * threads get one entry each, in either order, and begin again for each other.  "lost" claims that
 * an entry stays where it is.
 *
 * RUN    plait test -s random -n 5
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dpor -- lost
 * EXPECT assertion
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "cases.h"

#include <assert.h>
#include <fcntl.h>
#include <grp.h>
#include <mntent.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pwd.h>
#include <shadow.h>
#include <sys/socket.h>
#include <utmp.h>
#include <utmpx.h>

static char name[] = "/tmp/plait-listed-XXXXXX";
static struct utmp wanted = {.ut_type = USER_PROCESS, .ut_line = "b"};
static struct utmpx wanted_too = {.ut_type = USER_PROCESS, .ut_line = "b"};
static FILE *users, *groups, *mounts;
static const struct in_addr here = {0x0100007f};

static void record(void)
{
    struct utmp all[2] = {{.ut_type = USER_PROCESS, .ut_line = "a", .ut_user = "one"},
                          {.ut_type = USER_PROCESS, .ut_line = "b", .ut_user = "two"}};
    int fd = mkstemp(name);

    if (fd < 0 || write(fd, all, sizeof(all)) != sizeof(all))
        abort();
    close(fd);
    utmpname(name);
    setutent();
}

static void open_all(void)
{
    static char user[] = "a:x:1:1::/:/\nb:x:2:2::/:/\n", group[] = "a:x:1:\nb:x:2:\n",
                mount[] = "a / a a 0 0\nb / b b 0 0\n";

    users = fmemopen(user, sizeof(user) - 1, "r");
    groups = fmemopen(group, sizeof(group) - 1, "r");
    mounts = fmemopen(mount, sizeof(mount) - 1, "r");
}

#define BOTH(which, before, call) \
    CASE(which, before, result = (call) != NULL, result = (call) != NULL)

BOTH(getutent_, setutent(), getutent())
BOTH(getutid_, setutent(), getutid(&wanted))
BOTH(getutline_, setutent(), getutline(&wanted))
BOTH(getutxent_, setutxent(), getutxent())
BOTH(getutxid_, setutxent(), getutxid(&wanted_too))
BOTH(getutxline_, setutxent(), getutxline(&wanted_too))
/* The next one, into memory of the caller. */
static __thread struct utmp into, *found;

BOTH(getutent_r_, setutent(), getutent_r(&into, &found) == 0 ? found : NULL)
BOTH(getutid_r_, setutent(), getutid_r(&wanted, &into, &found) == 0 ? found : NULL)
BOTH(getutline_r_, setutent(), getutline_r(&wanted, &into, &found) == 0 ? found : NULL)
BOTH(pututline_, setutent(), pututline(&wanted))
BOTH(pututxline_, setutxent(), pututxline(&wanted_too))
CASE(utmpxname_, setutxent(), result = getutxent() != NULL, utmpxname("/dev/null"))
CASE(endutent_, setutent(), result = getutent() != NULL, endutent())
CASE(endutxent_, setutxent(), result = getutxent() != NULL, endutxent())
CASE(utmpname_, setutent(), result = getutent() != NULL, utmpname("/dev/null"))
BOTH(getservent_, setservent(0), getservent())
CASE(endservent_, setservent(0), result = getservent() != NULL, endservent())
BOTH(getprotoent_, setprotoent(0), getprotoent())
CASE(endprotoent_, setprotoent(0), result = getprotoent() != NULL, endprotoent())
BOTH(getnetent_, setnetent(0), getnetent())
CASE(endnetent_, setnetent(0), result = getnetent() != NULL, endnetent())
BOTH(getnetbyname_, (void)0, getnetbyname("loopback"))
BOTH(getspent_, setspent(), getspent())
CASE(endspent_, setspent(), result = getspent() != NULL, endspent())
BOTH(getspnam_, (void)0, getspnam("root"))
BOTH(fgetpwent_, open_all(), fgetpwent(users))
BOTH(fgetgrent_, open_all(), fgetgrent(groups))
BOTH(getmntent_, open_all(), getmntent(mounts))
BOTH(gethostbyname2_, (void)0, gethostbyname2("127.0.0.1", AF_INET))
BOTH(gethostbyaddr_, (void)0, gethostbyaddr(&here, sizeof(here), AF_INET))

static void get_first(void)
{
    const struct utmp *u = getutent();

    assert(u != NULL && u->ut_user[0] == 'o');
}

CASE(lost, setutent(), get_first(), result = getutent() != NULL)

int main(int argc, char **argv)
{
    (void)argv;
    record();
    if (argc > 1) {
        RUN(lost);
        return 0;
    }
    RUN(getutent_), RUN(getutid_), RUN(getutline_), RUN(getutxent_), RUN(getutxid_);
    RUN(getutxline_), RUN(endutent_), RUN(endutxent_), RUN(utmpname_);
    RUN(getutent_r_), RUN(getutid_r_), RUN(getutline_r_), RUN(pututline_), RUN(pututxline_);
    RUN(utmpxname_);
    RUN(getservent_), RUN(endservent_), RUN(getprotoent_), RUN(endprotoent_), RUN(getnetent_);
    RUN(endnetent_), RUN(getnetbyname_), RUN(getspent_), RUN(endspent_), RUN(getspnam_);
    RUN(fgetpwent_), RUN(fgetgrent_), RUN(getmntent_), RUN(gethostbyname2_), RUN(gethostbyaddr_);
    unlink(name);
    return 0;
}
