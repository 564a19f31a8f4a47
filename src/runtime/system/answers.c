/* SPDX-License-Identifier: MIT */
/*
 * Functions of libc that look something up, or turn it into a text, and return the address of what
 * the next call changes.  As in statics.c that is the execution's: the reentrant form makes it
 * elsewhere, with operations of its own on the way, and then it is stored behind a point.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "base/memory.h"
#include "base/text.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/system/apart.h"
#include "runtime/system/functions.h"
#include "runtime/system/texts.h"

#include <errno.h>
#include <grp.h>
#include <mntent.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pwd.h>
#include <shadow.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <utmp.h>
#include <utmpx.h>

enum { TEXT = 1024, RECORD = 96 };

/* What a function returns: a structure, and what that points to. */
struct pl_lookup_answer {
    char record[RECORD];
    char text[TEXT];
};

#define LIBC_FUNCTIONS                                                                          \
    LIBC(int, getpwent_r, (struct passwd *, char *, size_t, struct passwd **))                  \
    LIBC(int, getgrent_r, (struct group *, char *, size_t, struct group **))                    \
    LIBC(int, getpwnam_r, (const char *, struct passwd *, char *, size_t, struct passwd **))    \
    LIBC(int, getpwuid_r, (uid_t, struct passwd *, char *, size_t, struct passwd **))           \
    LIBC(int, getgrnam_r, (const char *, struct group *, char *, size_t, struct group **))      \
    LIBC(int, getgrgid_r, (gid_t, struct group *, char *, size_t, struct group **))             \
    LIBC(int, getservbyname_r,                                                                  \
         (const char *, const char *, struct servent *, char *, size_t, struct servent **))     \
    LIBC(int, getservbyport_r,                                                                  \
         (int, const char *, struct servent *, char *, size_t, struct servent **))              \
    LIBC(int, getprotobyname_r,                                                                 \
         (const char *, struct protoent *, char *, size_t, struct protoent **))                 \
    LIBC(int, getprotobynumber_r, (int, struct protoent *, char *, size_t, struct protoent **)) \
    LIBC(int, gethostbyname_r,                                                                  \
         (const char *, struct hostent *, char *, size_t, struct hostent **, int *))            \
    LIBC(int, gethostbyname2_r,                                                                 \
         (const char *, int, struct hostent *, char *, size_t, struct hostent **, int *))       \
    LIBC(int, gethostbyaddr_r,                                                                  \
         (const void *, socklen_t, int, struct hostent *, char *, size_t, struct hostent **,    \
          int *))                                                                               \
    LIBC(int, getservent_r, (struct servent *, char *, size_t, struct servent **))              \
    LIBC(int, getprotoent_r, (struct protoent *, char *, size_t, struct protoent **))           \
    LIBC(int, getnetent_r, (struct netent *, char *, size_t, struct netent **, int *))          \
    LIBC(int, getnetbyname_r,                                                                   \
         (const char *, struct netent *, char *, size_t, struct netent **, int *))              \
    LIBC(int, getspent_r, (struct spwd *, char *, size_t, struct spwd **))                      \
    LIBC(int, getspnam_r, (const char *, struct spwd *, char *, size_t, struct spwd **))        \
    LIBC(int, fgetpwent_r, (FILE *, struct passwd *, char *, size_t, struct passwd **))         \
    LIBC(int, fgetgrent_r, (FILE *, struct group *, char *, size_t, struct group **))           \
    LIBC(struct mntent *, getmntent_r, (FILE *, struct mntent *, char *, int))                  \
    LIBC(int, getutent_r, (struct utmp *, struct utmp **))                                      \
    LIBC(int, getutid_r, (const struct utmp *, struct utmp *, struct utmp **))                  \
    LIBC(int, getutline_r, (const struct utmp *, struct utmp *, struct utmp **))                \
    LIBC(int *, __h_errno_location, (void))                                                     \
    LIBC(int, ecvt_r, (double, int, int *, int *, char *, size_t))                              \
    LIBC(int, fcvt_r, (double, int, int *, int *, char *, size_t))                              \
    LIBC(int, ttyname_r, (int, char *, size_t))                                                 \
    LIBC(int, ptsname_r, (int, char *, size_t))                                                 \
    LIBC(int, getlogin_r, (char *, size_t))                                                     \
    LIBC(char *, tmpnam_r, (char *))                                                            \
    LIBC(char *, tmpnam, (char *))                                                              \
    LIBC(char *, l64a, (long))                                                                  \
    LIBC(char *, ether_ntoa_r, (const struct ether_addr *, char *))                             \
    LIBC(struct ether_addr *, ether_aton_r, (const char *, struct ether_addr *))

static struct {
#define LIBC(ret, name, params) ret(*name##_) params;
    LIBC_FUNCTIONS
#undef LIBC
} libc;

void pl_answers_init(void)
{
#define LIBC(ret, name, params) *(void **)&libc.name##_ = pl_real_find(#name);
    LIBC_FUNCTIONS
#undef LIBC
}

/* The words among these bytes that are addresses within `from` are to be the same ones within `to`.
 */
static void lead_elsewhere(void *bytes, uint64_t size, const struct pl_lookup_answer *from,
                           const struct pl_lookup_answer *to)
{
    uint64_t *words = bytes;

    for (uint64_t i = 0; i < size / sizeof(*words); i++) {
        if (words[i] - (uint64_t)from < sizeof(*from))
            words[i] += (uint64_t)to - (uint64_t)from;
    }
}

/* What was found is what functions of this kind return from now on: its record, or its text. */
static struct pl_lookup_answer *keep(enum pl_lookup_kind kind, struct pl_lookup_answer *found,
                                     struct pl_call who)
{
    struct pl_lookup_answer **kept = &pl_stage->process.answers[kind];
    int error = errno;

    if (*kept == NULL) {
        *kept = pl_heap_allocate(sizeof(**kept), 16, who.pc);
        if (*kept == NULL)
            return NULL;
        pl_memory_fill(*kept, 0, sizeof(**kept));
    }
    pl_call_touches(*kept, sizeof(**kept), true, who);
    lead_elsewhere(found, sizeof(*found), found, *kept);
    pl_memory_copy(*kept, found, sizeof(*found));
    errno = error;
    return *kept;
}

/*
 * A function that is made of the reentrant `call`, which fills `found` and says what it has got;
 * outside control of libc's own.
 */
#define FOUND(type, kind, name, params, args, accesses, call)                                \
    PL_INTERPOSE(type *, name, params)                                                       \
    {                                                                                        \
        PL_CALL_LASTS who = PL_CALL_ENTERED;                                                 \
        if (!pl_call_wanted(who))                                                            \
            return PL_FALLBACK(name) args;                                                   \
        struct pl_lookup_answer found __attribute__((aligned(16))) = {.record = {0}};        \
        type *at = NULL;                                                                     \
        PL_APART(apart, who);                                                                \
        accesses call;                                                                       \
        pl_apart_end(&apart);                                                                \
        return at != NULL ? (type *)(void *)keep(PL_LOOKUP_##kind, &found, who) : (type *)0; \
    }

#define READS_TEXT(s) pl_text_announce(s, PL_TEXT_WHOLE, who);

/* A record: the last arguments of the reentrant form are the same for all. */
#define INTO (void *)found.record, found.text, sizeof(found.text), &at

static void failed(int error)
{
    if (error != 0)
        errno = error;
}

FOUND(struct passwd, USER, getpwnam, (const char *name), (name), READS_TEXT(name),
      failed(PL_LIBC_OWN(getpwnam_r)(name, INTO)))
FOUND(struct passwd, USER, getpwuid, (uid_t uid), (uid), ,
      failed(PL_LIBC_OWN(getpwuid_r)(uid, INTO)))
FOUND(struct group, GROUP, getgrnam, (const char *name), (name), READS_TEXT(name),
      failed(PL_LIBC_OWN(getgrnam_r)(name, INTO)))
FOUND(struct group, GROUP, getgrgid, (gid_t gid), (gid), ,
      failed(PL_LIBC_OWN(getgrgid_r)(gid, INTO)))
/* Where a list of all goes on is state of libc, which reads files meanwhile. */
#define NEXT_OF(state) pl_apart_hold(&apart, &pl_stage->process.library[PL_STATE_##state]);

FOUND(struct passwd, USER, getpwent, (void), (), NEXT_OF(USERS),
      failed(PL_LIBC_OWN(getpwent_r)(INTO)))
FOUND(struct group, GROUP, getgrent, (void), (), NEXT_OF(GROUPS),
      failed(PL_LIBC_OWN(getgrent_r)(INTO)))
FOUND(struct servent, SERVICE, getservbyname, (const char *name, const char *protocol),
      (name, protocol), READS_TEXT(name) READS_TEXT(protocol),
      failed(PL_LIBC_OWN(getservbyname_r)(name, protocol, INTO)))
FOUND(struct servent, SERVICE, getservbyport, (int port, const char *protocol), (port, protocol),
      READS_TEXT(protocol), failed(PL_LIBC_OWN(getservbyport_r)(port, protocol, INTO)))
FOUND(struct protoent, PROTOCOL, getprotobyname, (const char *name), (name), READS_TEXT(name),
      failed(PL_LIBC_OWN(getprotobyname_r)(name, INTO)))
FOUND(struct protoent, PROTOCOL, getprotobynumber, (int number), (number), ,
      failed(PL_LIBC_OWN(getprotobynumber_r)(number, INTO)))
FOUND(struct hostent, HOST, gethostbyname, (const char *name), (name), READS_TEXT(name),
      failed(PL_LIBC_OWN(gethostbyname_r)(name, INTO, PL_LIBC_OWN(__h_errno_location)())))

#define WITH_ERROR INTO, PL_LIBC_OWN(__h_errno_location)()

FOUND(struct hostent, HOST, gethostbyname2, (const char *name, int family), (name, family),
      READS_TEXT(name), failed(PL_LIBC_OWN(gethostbyname2_r)(name, family, WITH_ERROR)))
FOUND(struct hostent, HOST, gethostbyaddr, (const void *from, socklen_t size, int family),
      (from, size, family), pl_call_touches(from, size, false, who);
      , failed(PL_LIBC_OWN(gethostbyaddr_r)(from, size, family, WITH_ERROR)))
FOUND(struct netent, NETWORK, getnetbyname, (const char *name), (name), READS_TEXT(name),
      failed(PL_LIBC_OWN(getnetbyname_r)(name, WITH_ERROR)))
FOUND(struct netent, NETWORK, getnetent, (void), (), NEXT_OF(NETWORKS),
      failed(PL_LIBC_OWN(getnetent_r)(WITH_ERROR)))
FOUND(struct servent, SERVICE, getservent, (void), (), NEXT_OF(SERVICES),
      failed(PL_LIBC_OWN(getservent_r)(INTO)))
FOUND(struct protoent, PROTOCOL, getprotoent, (void), (), NEXT_OF(PROTOCOLS),
      failed(PL_LIBC_OWN(getprotoent_r)(INTO)))
FOUND(struct spwd, SHADOW, getspnam, (const char *name), (name), READS_TEXT(name),
      failed(PL_LIBC_OWN(getspnam_r)(name, INTO)))
FOUND(struct spwd, SHADOW, getspent, (void), (), NEXT_OF(SHADOW),
      failed(PL_LIBC_OWN(getspent_r)(INTO)))
FOUND(struct passwd, USER_OF_FILE, fgetpwent, (FILE * f), (f), ,
      failed(PL_LIBC_OWN(fgetpwent_r)(f, INTO)))
FOUND(struct group, GROUP_OF_FILE, fgetgrent, (FILE * f), (f), ,
      failed(PL_LIBC_OWN(fgetgrent_r)(f, INTO)))
FOUND(struct mntent, MOUNT, getmntent, (FILE * f), (f), ,
      at = PL_LIBC_OWN(getmntent_r)(f, (void *)found.record, found.text, sizeof(found.text)))

/* Who has logged in: the form for utmpx is the same function by another name. */
_Static_assert(sizeof(struct utmp) == sizeof(struct utmpx) &&
                   sizeof(struct utmp) <= sizeof(struct pl_lookup_answer),
               "one is the other, and there is room for it");

#define RECORDED (void *)&found, (struct utmp **)&at

FOUND(struct utmp, LOGIN_RECORD, getutent, (void), (), NEXT_OF(LOGINS),
      PL_LIBC_OWN(getutent_r)(RECORDED))
FOUND(struct utmp, LOGIN_RECORD, getutid, (const struct utmp *id), (id), NEXT_OF(LOGINS),
      PL_LIBC_OWN(getutid_r)(id, RECORDED))
FOUND(struct utmp, LOGIN_RECORD, getutline, (const struct utmp *line), (line), NEXT_OF(LOGINS),
      PL_LIBC_OWN(getutline_r)(line, RECORDED))
FOUND(struct utmpx, LOGIN_RECORD, getutxent, (void), (), NEXT_OF(LOGINS),
      PL_LIBC_OWN(getutent_r)(RECORDED))
FOUND(struct utmpx, LOGIN_RECORD, getutxid, (const struct utmpx *id), (id), NEXT_OF(LOGINS),
      PL_LIBC_OWN(getutid_r)((const struct utmp *)id, RECORDED))
FOUND(struct utmpx, LOGIN_RECORD, getutxline, (const struct utmpx *line), (line), NEXT_OF(LOGINS),
      PL_LIBC_OWN(getutline_r)((const struct utmp *)line, RECORDED))

/* A text stands at the beginning, as a record does. */
#define ROOM (char *)&found, sizeof(found)

static char *unless(bool failed_, struct pl_lookup_answer *found)
{
    return failed_ ? NULL : (char *)found;
}

FOUND(char, NUMBER, ecvt, (double x, int n, int *point, int *sign), (x, n, point, sign),
      pl_call_touches(point, sizeof(*point), true, who);
      pl_call_touches(sign, sizeof(*sign), true, who);
      , at = unless(PL_LIBC_OWN(ecvt_r)(x, n, point, sign, ROOM) != 0, &found))
FOUND(char, NUMBER_AFTER, fcvt, (double x, int n, int *point, int *sign), (x, n, point, sign),
      pl_call_touches(point, sizeof(*point), true, who);
      pl_call_touches(sign, sizeof(*sign), true, who);
      , at = unless(PL_LIBC_OWN(fcvt_r)(x, n, point, sign, ROOM) != 0, &found))
FOUND(char, TERMINAL, ttyname, (int fd), (fd), ,
      at = unless(PL_LIBC_OWN(ttyname_r)(fd, ROOM) != 0, &found))
FOUND(char, PSEUDO_TERMINAL, ptsname, (int fd), (fd), ,
      at = unless(PL_LIBC_OWN(ptsname_r)(fd, ROOM) != 0, &found))
FOUND(char, LOGIN, getlogin, (void), (), , at = unless(PL_LIBC_OWN(getlogin_r)(ROOM) != 0, &found))
FOUND(char, DIGITS, l64a, (long n), (n), , {
    at = PL_LIBC_OWN(l64a)(n);
    pl_text_copy((char *)&found, sizeof(found), at);
})
FOUND(char, ETHER_TEXT, ether_ntoa, (const struct ether_addr *from), (from),
      pl_call_touches(from, sizeof(*from), false, who);
      , at = PL_LIBC_OWN(ether_ntoa_r)(from, (char *)&found))
FOUND(struct ether_addr, ETHER, ether_aton, (const char *from), (from), READS_TEXT(from),
      at = PL_LIBC_OWN(ether_aton_r)(from, (void *)&found))

static char *make_name(char *to, struct pl_call who)
{
    struct pl_lookup_answer found __attribute__((aligned(16))) = {.record = {0}};

    if (PL_LIBC_OWN(tmpnam_r)((char *)&found) == NULL)
        return NULL;
    if (to == NULL)
        return (char *)keep(PL_LOOKUP_NAME, &found, who);
    pl_call_touches(to, L_tmpnam, true, who);
    pl_memory_copy(to, &found, L_tmpnam);
    return to;
}

PL_INTERPOSE(char *, tmpnam, (char *to))
{
    PL_CALL_LASTS who = PL_CALL_ENTERED;

    return pl_call_wanted(who) ? make_name(to, who) : PL_LIBC_OWN(tmpnam)(to);
}
