/* SPDX-License-Identifier: MIT */
/*
 * Notes are taken back last first.  So each path leads to the same thing as when it was noted, and
 * need not be looked at more closely.
 */
#include "runtime/restart/journal.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/config.h"
#include "runtime/ground/maps.h"
#include "runtime/ground/stage.h"
#include "runtime/restart/ends.h"
#include "runtime/restart/renew.h"
#include "runtime/restart/shared.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum {
    NOTES = 4096,
    AGAIN = 64,
    AREA = 1 << 30, /* for paths and contents; memory only as far as it is used */
    PATH = 4096,
    CONTENT_MAX = 1 << 28,
    KEPT = 1 << 22, /* of the area after an execution */
};

enum kind {
    NAME,
    OTHER_NAME, /* of a file that has one already */
    CONTENT,
    ABOUT,
    REMOVED,
    FOLDER_REMOVED,
    LINK_REMOVED,
    OTHER_REMOVED, /* another name of it stays */
    RENAMED,
    PUT_ASIDE, /* instead of being removed */
    EXCHANGED,
    LOCKED,
};

struct note {
    uint8_t kind;
    bool follow;
    bool own;   /* made by this execution, and gone when all is taken back */
    bool whole; /* a removal of such: nothing else has happened to the name since it appeared */
    int32_t fd; /* from before the root, instead of a path; -1: none */
    uint32_t mode, owner, group;
    uint64_t device, inode, first; /* and the one that it had in the first execution */
    struct timespec times[2];
    uint64_t size, data; /* content, or where a link leads, in the area */
    uint64_t holes;      /* in the content: struct hole, in the area */
    uint32_t n_holes;
    uint64_t path, other; /* there, too */
};

/* Bytes of a file that it has no room for, from one to before another. */
struct hole {
    uint64_t from, to;
};

/* What was removed and made again. */
struct again {
    uint64_t device, was, is; /* the inode before the first execution that removed it, and now */
};

struct journal {
    uint32_t n, n_again;
    struct again again[AGAIN];
    uint64_t used;
    struct note notes[NOTES];
    struct stat st; /* the kernel may write here, and not to every stack */
    _Alignas(struct dirent64) char text[PATH];
    _Alignas(4096) unsigned char area[AREA];
};

static struct journal *const journal = (struct journal *)PL_MAPS_JOURNAL;
static bool started;
static uint64_t root_folder[2]; /* where the program was at the root: device, inode */

bool pl_journal_start(void)
{
    if (started)
        return true;
    long at = pl_sys(SYS_mmap, PL_MAPS_JOURNAL, sizeof(struct journal), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    started = (uint64_t)at == PL_MAPS_JOURNAL;
    if (started && pl_sys(SYS_stat, ".", &journal->st) == 0) {
        root_folder[0] = journal->st.st_dev;
        root_folder[1] = journal->st.st_ino;
    }
    return started;
}

bool pl_journal_on(void)
{
    return started && pl_board->restart != PL_RESTART_EXEC;
}

uint32_t pl_journal_mark(void)
{
    return started ? journal->n : 0;
}

static void take_back(const struct note *n);

void pl_journal_forget(uint32_t mark)
{
    while (started && journal->n > mark) {
        journal->n--;
        if (journal->notes[journal->n].kind == PUT_ASIDE)
            take_back(&journal->notes[journal->n]);
    }
}

/* ---- notes ---- */

/* Room in the area; UINT64_MAX when there is none. */
static uint64_t room(uint64_t size)
{
    uint64_t at = journal->used;

    if (size > AREA - at)
        return UINT64_MAX;
    journal->used += (size + 15) & ~UINT64_C(15);
    return at;
}

static char *text_at(uint64_t at)
{
    PL_ASSERT(at < AREA);
    return (char *)journal->area + at;
}

/* The path from the root folder on, as text in the area. */
static uint64_t keep_path(int folder, const char *path)
{
    uint64_t at = room(2 * PATH), n = 0;
    char link[40];
    long got;

    if (at == UINT64_MAX || pl_text_length(path) >= PATH)
        return UINT64_MAX;
    char *to = text_at(at);

    if (path[0] != '/') {
        if (folder == AT_FDCWD) {
            got = pl_sys(SYS_getcwd, to, PATH);
            n = got > 0 ? (uint64_t)got - 1 : 0;
        } else {
            pl_text_format(link, sizeof(link), "/proc/self/fd/%d", folder);
            got = pl_sys(SYS_readlink, link, to, PATH - 1);
            n = got > 0 ? (uint64_t)got : 0;
        }
        if (n == 0 || to[0] != '/')
            return UINT64_MAX;
        to[n++] = '/';
    }
    pl_text_copy(to + n, PATH, path);
    journal->used = (at + n + pl_text_length(path) + 1 + 15) & ~UINT64_C(15);
    return at;
}

static struct note *add(enum kind kind, const struct stat *st)
{
    if (journal->n == NOTES)
        return NULL;
    struct note *n = &journal->notes[journal->n];

    *n = (struct note){.kind = (uint8_t)kind, .fd = -1};
    if (st != NULL) {
        n->mode = st->st_mode;
        n->owner = st->st_uid;
        n->group = st->st_gid;
        n->device = st->st_dev;
        n->inode = st->st_ino;
        n->times[0] = st->st_atim;
        n->times[1] = st->st_mtim;
    }
    return n;
}

static bool done(struct note *n)
{
    PL_ASSERT(n == &journal->notes[journal->n]);
    journal->n++;
    return true;
}

/* Whether this execution has made the file, or what is in it is kept already. */
static bool is_known(const struct stat *st)
{
    for (uint32_t i = 0; i < journal->n; i++) {
        const struct note *n = &journal->notes[i];

        if ((n->kind == NAME || n->kind == CONTENT) && n->inode == st->st_ino &&
            n->device == st->st_dev)
            return true;
    }
    return false;
}

static bool is_made(const struct stat *st)
{
    for (uint32_t i = 0; i < journal->n; i++) {
        const struct note *n = &journal->notes[i];

        if (n->kind == NAME && n->inode == st->st_ino && n->device == st->st_dev)
            return true;
    }
    return false;
}

/* Where the file has holes, which may be looked for; its position stays. */
static bool keep_holes(struct note *n, int fd, uint64_t size)
{
    long position = pl_sys(SYS_lseek, fd, 0, SEEK_CUR);
    bool kept = true;

    for (uint64_t at = 0; kept && at < size;) {
        long from = pl_sys(SYS_lseek, fd, at, SEEK_HOLE);
        long to = from < 0 ? from : pl_sys(SYS_lseek, fd, from, SEEK_DATA);

        if (from < 0 || (uint64_t)from >= size)
            break;
        if (to < 0 || (uint64_t)to > size)
            to = (long)size; /* nothing behind it */
        uint64_t place = room(sizeof(struct hole));

        kept = place != UINT64_MAX;
        if (!kept)
            break;
        n->holes = n->n_holes++ == 0 ? place : n->holes;
        *(struct hole *)text_at(place) = (struct hole){(uint64_t)from, (uint64_t)to};
        at = (uint64_t)to;
    }
    pl_sys(SYS_lseek, fd, position, SEEK_SET);
    return kept;
}

static struct hole *hole_at(const struct note *n, uint32_t i)
{
    PL_ASSERT(i < n->n_holes);
    return (struct hole *)text_at(n->holes) + i;
}

/* The next bytes from *at on that are in no hole: how many, 0 when there are no more. */
static uint64_t next_data(const struct note *n, uint64_t *at, uint64_t size)
{
    uint64_t end = size;

    for (uint32_t i = 0; i < n->n_holes && end == size; i++) {
        const struct hole *h = hole_at(n, i);

        if (*at >= h->from && *at < h->to)
            *at = h->to;
        else if (*at < h->from)
            end = h->from;
    }
    return *at < end ? end - *at : 0;
}

/* What is in the file, from an open one. */
static bool keep_content(struct note *n, int fd, const struct stat *st)
{
    uint64_t size = (uint64_t)st->st_size, at, left;

    if (size > CONTENT_MAX || ((uint64_t)st->st_blocks * 512 < size && !keep_holes(n, fd, size)) ||
        (at = room(size + 1)) == UINT64_MAX)
        return false;
    n->data = at;
    n->size = size;
    for (at = 0; (left = next_data(n, &at, size)) > 0;) {
        long got = pl_sys(SYS_pread64, fd, journal->area + n->data + at, left, at);

        if (got < 0)
            return false;
        if (got == 0) { /* it has become shorter */
            n->size = at;
            return true;
        }
        at += (uint64_t)got;
    }
    return true;
}

/* ---- before a call ---- */

static bool look(int folder, const char *path, int flags)
{
    return pl_sys(SYS_newfstatat, folder, path, &journal->st, flags) == 0;
}

bool pl_journal_name(int folder, const char *path)
{
    struct note *n = add(NAME, NULL);

    if (n == NULL || (n->path = keep_path(folder, path)) == UINT64_MAX)
        return false;
    return done(n);
}

bool pl_journal_link(int folder, const char *path, int to_folder, const char *to)
{
    struct note *n = add(OTHER_NAME, NULL);

    if (n == NULL || (n->path = keep_path(to_folder, to)) == UINT64_MAX)
        return false;
    n->other = path[0] != '\0' ? keep_path(folder, path) : 0;
    return n->other != UINT64_MAX && done(n);
}

void pl_journal_appeared(uint32_t mark)
{
    for (uint32_t i = mark; i < pl_journal_mark(); i++) {
        struct note *n = &journal->notes[i];

        if (n->kind > OTHER_NAME || !look(AT_FDCWD, text_at(n->path), AT_SYMLINK_NOFOLLOW))
            continue;
        n->device = journal->st.st_dev;
        n->inode = journal->st.st_ino;
        n->mode = journal->st.st_mode;
    }
}

static bool note_content(int fd, uint64_t path, int before)
{
    const struct stat st = journal->st;
    struct note *n = add(CONTENT, &st);

    if (n == NULL || !pl_shared_file(&st) || !keep_content(n, fd, &st))
        return false;
    n->path = path;
    n->fd = before;
    return done(n);
}

bool pl_journal_content_at(int folder, const char *path)
{
    if (!look(folder, path, 0))
        return true; /* there is nothing that could change */
    if (!S_ISREG(journal->st.st_mode) || is_known(&journal->st))
        return true;
    uint64_t kept = keep_path(folder, path);
    long fd = kept == UINT64_MAX ? -1 : pl_sys(SYS_open, text_at(kept), O_RDONLY | O_CLOEXEC, 0);
    bool noted = fd >= 0 && note_content((int)fd, kept, -1);

    if (fd >= 0)
        pl_sys(SYS_close, fd);
    return noted;
}

bool pl_journal_content(int fd, bool from_before)
{
    char link[40];

    if (pl_sys(SYS_fstat, fd, &journal->st) != 0 || !S_ISREG(journal->st.st_mode) ||
        is_known(&journal->st))
        return true;
    if (!from_before && journal->st.st_nlink == 0)
        return true; /* it goes with the descriptor */
    pl_text_format(link, sizeof(link), "/proc/self/fd/%d", fd);
    uint64_t path = 0;

    if (!from_before) {
        long n = pl_sys(SYS_readlink, link, journal->text, PATH - 1);

        if (n <= 0)
            return false;
        journal->text[n] = '\0';
        path = keep_path(AT_FDCWD, journal->text);
        if (path == UINT64_MAX)
            return false;
    }
    /* By itself if it can be read: closing another one would give back the file's locks. */
    bool readable = (pl_sys(SYS_fcntl, fd, F_GETFL) & (O_ACCMODE | O_PATH)) != O_WRONLY;
    long in = readable ? fd : pl_sys(SYS_open, link, O_RDONLY | O_CLOEXEC, 0);
    bool noted = in >= 0 && note_content((int)in, path, from_before ? fd : -1);

    if (in >= 0 && !readable)
        pl_sys(SYS_close, in);
    return noted;
}

bool pl_journal_about_at(int folder, const char *path, bool follow)
{
    if (!look(folder, path, follow ? 0 : AT_SYMLINK_NOFOLLOW) || is_made(&journal->st))
        return true;
    struct note *n = add(ABOUT, &journal->st);

    if (n == NULL || (n->path = keep_path(folder, path)) == UINT64_MAX)
        return false;
    n->follow = follow;
    return done(n);
}

/*
 * Whoever has had it open since before would have another file than the path leads to later; so
 * would who has closed it, for the next execution has it open again, and who has it mapped.
 */
static bool is_open_before(const struct stat *of)
{
    for (int fd = 0; fd < PL_FDS_MAX; fd++) {
        if (pl_stage->root_fds[fd].open && pl_stage->root_fds[fd].inode == of->st_ino &&
            pl_stage->root_fds[fd].device == of->st_dev)
            return true;
    }
    return pl_shared_is_file(of);
}

bool pl_journal_about(int fd)
{
    char link[40];

    if (pl_sys(SYS_fstat, fd, &journal->st) != 0 || is_made(&journal->st))
        return true;
    if (journal->st.st_nlink == 0) /* nobody can get at it but who has it open */
        return !is_open_before(&journal->st);
    struct note *n = add(ABOUT, &journal->st);

    pl_text_format(link, sizeof(link), "/proc/self/fd/%d", fd);
    long got = n == NULL ? -1 : pl_sys(SYS_readlink, link, journal->text, PATH - 1);

    if (got <= 0)
        return false;
    journal->text[got] = '\0';
    n->path = keep_path(AT_FDCWD, journal->text);
    n->follow = true;
    return n->path != UINT64_MAX && done(n);
}

/* How much of the path is its folder, with the slash behind it. */
static uint64_t folder_length(const char *path)
{
    uint64_t n = pl_text_length(path);

    while (n > 0 && path[n - 1] != '/')
        n--;
    return n;
}

/* What folder the path leads through last. */
static bool look_folder(const char *path, struct stat *st)
{
    uint64_t n = folder_length(path);

    pl_memory_copy(journal->text, path, n);
    pl_text_copy(journal->text + n, PATH - n, ".");
    bool there = look(AT_FDCWD, journal->text, 0);

    *st = journal->st;
    return there;
}

/* Whether both, paths of one file, are one name of it: the same word in the same folder. */
static bool is_same_name(const char *a, const char *b)
{
    struct stat of_a, of_b;

    if (!pl_text_equal(a + folder_length(a), b + folder_length(b)))
        return false;
    return !look_folder(a, &of_a) || !look_folder(b, &of_b) ||
           (of_a.st_ino == of_b.st_ino && of_a.st_dev == of_b.st_dev);
}

/* Whether the file, which is about to lose a name, keeps this one. */
static bool keeps_name(const struct note *of, uint64_t name)
{
    return look(AT_FDCWD, text_at(name), AT_SYMLINK_NOFOLLOW) && journal->st.st_ino == of->inode &&
           journal->st.st_dev == of->device && !is_same_name(text_at(name), text_at(of->path));
}

/* Another name of the file, of those that this execution has made, used or kept. */
static bool find_name(struct note *of)
{
    for (uint32_t i = 0; i < journal->n; i++) {
        const struct note *n = &journal->notes[i];
        bool has_other =
            (n->kind == OTHER_NAME || n->kind == OTHER_REMOVED || n->kind == RENAMED) &&
            n->other != 0;

        if (n->kind == OTHER_NAME && keeps_name(of, n->path))
            of->other = n->path;
        else if (has_other && keeps_name(of, n->other))
            of->other = n->other;
        else
            continue;
        return true;
    }
    return false;
}

static bool note_removal(int folder, const char *path, const struct stat *st)
{
    struct note *n = add(S_ISDIR(st->st_mode)   ? FOLDER_REMOVED
                         : S_ISLNK(st->st_mode) ? LINK_REMOVED
                                                : REMOVED,
                         st);
    long fd;

    if (n != NULL)
        n->first = pl_journal_first_inode(st->st_dev, st->st_ino);
    if (n == NULL || (n->path = keep_path(folder, path)) == UINT64_MAX)
        return false;
    if (S_ISDIR(st->st_mode))
        return done(n);
    if (S_ISLNK(st->st_mode)) {
        if ((n->data = room(PATH)) == UINT64_MAX)
            return false;
        long got = pl_sys(SYS_readlink, text_at(n->path), text_at(n->data), PATH - 1);

        if (got <= 0)
            return false;
        text_at(n->data)[got] = '\0';
        return done(n);
    }
    if (st->st_nlink > 1) {
        n->kind = OTHER_REMOVED;
        return find_name(n) && done(n);
    }
    if (!S_ISREG(st->st_mode))
        return S_ISFIFO(st->st_mode) && done(n);
    if ((fd = pl_sys(SYS_open, text_at(n->path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0)) < 0)
        return false;
    bool kept = keep_content(n, (int)fd, st);

    pl_sys(SYS_close, fd);
    return kept && done(n);
}

/* Whether the note is about this name. */
static bool is_about(const struct note *n, const char *name)
{
    return pl_text_equal(text_at(n->path), name) ||
           (n->other != 0 && pl_text_equal(text_at(n->other), name));
}

/* Whether the last note about the name that disappears is how it has appeared. */
static bool is_whole(const struct note *removal)
{
    const char *name = text_at(removal->path);

    for (uint32_t i = journal->n; i-- > 0;) {
        const struct note *n = &journal->notes[i];

        if (n->kind == NAME && n->inode == removal->inode && n->device == removal->device &&
            pl_text_equal(text_at(n->path), name))
            return true;
        if (is_about(n, name))
            return false;
    }
    return false;
}

/* A file that this execution has made is put back empty, only to be removed again; or not at all,
 * where nothing else happened to its name. */
static bool note_removal_of_own(int folder, const char *path)
{
    struct note *n = add(REMOVED, &journal->st);

    if (n == NULL || (n->path = keep_path(folder, path)) == UINT64_MAX)
        return false;
    n->own = true;
    n->whole = is_whole(n);
    n->mode = S_ISDIR(n->mode) ? n->mode : S_IFREG | 0600;
    n->kind = S_ISDIR(n->mode) ? FOLDER_REMOVED : REMOVED;
    return done(n);
}

/* ---- put aside ---- */

static char covers[16][256]; /* folders whose changes nobody else sees */
static unsigned n_covers;
static bool covers_known;

/* "36 35 98:0 / /point rw ... - overlay plait rw,...": one of the tool's. */
static void find_covers(void)
{
    long fd = pl_sys(SYS_open, "/proc/self/mountinfo", O_RDONLY | O_CLOEXEC, 0), n;
    uint64_t have = 0;

    covers_known = true;
    if (fd < 0)
        return;
    while ((n = pl_sys(SYS_read, fd, journal->text + have, PATH - 1 - have)) > 0) {
        uint64_t line = 0;

        have += (uint64_t)n;
        journal->text[have] = '\0';
        for (uint64_t i = 0; i < have; i++) {
            if (journal->text[i] != '\n')
                continue;
            journal->text[i] = '\0';
            const char *s = journal->text + line;

            line = i + 1;
            if (!pl_text_contains(s, " - overlay plait ") || n_covers == 16)
                continue;
            for (unsigned words = 0; words < 4; s++)
                words += *s == ' ';
            uint64_t size = 0;

            while (s[size] != ' ' && size < sizeof(covers[0]) - 1) {
                covers[n_covers][size] = s[size];
                size++;
            }
            covers[n_covers++][size] = '\0';
        }
        pl_memory_move(journal->text, journal->text + line, have - line);
        have -= line;
    }
    pl_sys(SYS_close, fd);
}

/* The cover that the path is below, the innermost one. */
static const char *cover_of(const char *path)
{
    const char *best = NULL;

    if (!covers_known)
        find_covers();
    for (unsigned i = 0; i < n_covers; i++) {
        uint64_t n = pl_text_length(covers[i]);

        if (pl_text_starts(path, covers[i]) && path[n] == '/' &&
            (best == NULL || n > pl_text_length(best)))
            best = covers[i];
    }
    return best;
}

/* As the kernel calls it.  What leads to a folder must not lead through it, which it will not be
 * there for. */
static uint64_t keep_own_path(int folder, const char *path)
{
    uint64_t kept = keep_path(folder, path);
    char link[40];
    long fd =
        kept == UINT64_MAX ? -1 : pl_sys(SYS_open, text_at(kept), O_PATH | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0)
        return kept;
    pl_text_format(link, sizeof(link), "/proc/self/fd/%d", (int)fd);
    long n = pl_sys(SYS_readlink, link, journal->text, PATH - 1);

    pl_sys(SYS_close, fd);
    if (n > 0 && n < PATH - 1) {
        journal->text[n] = '\0';
        kept = room((uint64_t)n + 1);
        if (kept != UINT64_MAX)
            pl_text_copy(text_at(kept), (uint64_t)n + 1, journal->text);
    }
    return kept;
}

bool pl_journal_is_covered(const char *path)
{
    if (!pl_journal_start())
        return false;
    uint64_t used = journal->used, kept = keep_path(AT_FDCWD, path);
    bool covered = kept != UINT64_MAX && cover_of(text_at(kept)) != NULL;

    journal->used = used;
    return covered;
}

/*
 * A file that somebody has had open since before the root must be the same one afterwards, which it
 * cannot be once it is removed; nor can the name of a socket be made again.  So it gets another
 * name, where nobody but the program could see it.
 */
static bool put_aside(int folder, const char *path, const struct stat *st)
{
    struct note *n = add(PUT_ASIDE, st);
    const char *cover;

    if (n == NULL || (n->path = keep_own_path(folder, path)) == UINT64_MAX ||
        (cover = cover_of(text_at(n->path))) == NULL || (n->other = room(512)) == UINT64_MAX)
        return false;
    char *aside = text_at(n->other);

    pl_text_format(aside, 512, "%s/.plait-kept", cover);
    pl_sys(SYS_mkdir, aside, 0700);
    pl_text_format(aside, 512, "%s/.plait-kept/%u", cover, (unsigned)journal->n);
    return pl_sys(SYS_rename, text_at(n->path), aside) == 0 && done(n);
}

/* How many of the names of a file, or of a folder, there are for the program. */
static uint64_t names_left(uint64_t names, uint64_t device, uint64_t inode)
{

    for (uint32_t i = 0; i < journal->n; i++) {
        const struct note *n = &journal->notes[i];

        if (n->kind == PUT_ASIDE && n->inode == inode && n->device == device)
            names -= S_ISDIR(n->mode) ? names : 1;
    }
    return names;
}

const char *pl_journal_link_told(const char *link)
{
    static const char gone[] = " (deleted)";
    long got = started && journal->n > 0 ? pl_sys(SYS_readlink, link, journal->text, PATH - 1) : -1;

    if (got <= 0)
        return NULL;
    journal->text[got] = '\0';
    for (uint32_t i = 0; i < journal->n; i++) {
        const struct note *n = &journal->notes[i];

        if (n->kind != PUT_ASIDE || !pl_text_equal(journal->text, text_at(n->other)))
            continue;
        pl_text_copy(journal->text, PATH - sizeof(gone), text_at(n->path));
        pl_text_copy(journal->text + pl_text_length(journal->text), sizeof(gone), gone);
        return journal->text;
    }
    return NULL;
}

bool pl_journal_is_removed(int folder)
{
    struct stat st = {0}; /* so that the kernel may write there */
    bool any = false;

    for (uint32_t i = 0; started && i < journal->n; i++)
        any |= journal->notes[i].kind == PUT_ASIDE && S_ISDIR(journal->notes[i].mode);
    if (!any || pl_sys(SYS_newfstatat, folder, folder == AT_FDCWD ? "." : "", &st,
                       folder == AT_FDCWD ? 0 : AT_EMPTY_PATH) != 0)
        return false;
    for (uint32_t i = 0; i < journal->n; i++) {
        const struct note *n = &journal->notes[i];

        if (n->kind == PUT_ASIDE && n->inode == st.st_ino && n->device == st.st_dev)
            return true;
    }
    return false;
}

void pl_journal_told(long number, const uint64_t a[6])
{
    if (!started || (journal->n == 0 && journal->n_again == 0))
        return;
    const struct pl_arguments *c = pl_arguments_of(number);

    if (c->extended != 0) {
        struct statx *x = (struct statx *)a[c->extended - 1];
        uint64_t device = makedev(x->stx_dev_major, x->stx_dev_minor);

        x->stx_nlink = (uint32_t)names_left(x->stx_nlink, device, x->stx_ino);
        x->stx_ino = pl_journal_first_inode(device, x->stx_ino);
    } else if (c->status != 0) {
        struct stat *st = (struct stat *)a[c->status - 1];

        st->st_nlink = names_left(st->st_nlink, st->st_dev, st->st_ino);
        st->st_ino = pl_journal_first_inode(st->st_dev, st->st_ino);
    }
}

/* A folder with nothing in it. */
static bool is_empty(int folder, const char *path)
{
    long fd = pl_sys(SYS_openat, folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), n = -1;
    unsigned entries = 0;

    if (fd >= 0) {
        n = pl_sys(SYS_getdents64, fd, journal->text, PATH);
        pl_sys(SYS_close, fd);
    }
    for (long at = 0; at < n; entries++)
        at += ((const struct dirent64 *)(journal->text + at))->d_reclen;
    return n >= 0 && entries <= 2;
}

bool pl_journal_removal(int folder, const char *path, bool of_folder, bool *removed)
{
    if (!look(folder, path, AT_SYMLINK_NOFOLLOW))
        return true;
    if (is_made(&journal->st))
        return note_removal_of_own(folder, path);
    const struct stat st = journal->st;
    const char *why = pl_ends_by_removing(&st);

    if (why != NULL)
        pl_renew_throw_away(why);
    bool socket = S_ISSOCK(st.st_mode); /* who connects later finds it by what the name led to */

    if (!socket && !is_open_before(&st) &&
        !(st.st_ino == root_folder[1] && st.st_dev == root_folder[0]))
        return note_removal(folder, path, &st);
    if (S_ISDIR(st.st_mode) != of_folder || (of_folder && !is_empty(folder, path)))
        return true; /* it will fail */
    *removed = (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) || S_ISFIFO(st.st_mode) || socket) &&
               put_aside(folder, path, &st);
    if (!*removed && n_covers == 0)
        pl_board->covered = pl_board->may_cover; /* there it can be */
    return *removed;
}

bool pl_journal_rename(int folder, const char *path, int to_folder, const char *to, unsigned flags)
{
    if (!look(folder, path, AT_SYMLINK_NOFOLLOW))
        return true; /* it will fail */
    uint64_t inode = journal->st.st_ino, device = journal->st.st_dev;
    bool removed = false, of_folder = S_ISDIR(journal->st.st_mode);

    if ((flags & RENAME_EXCHANGE) == 0 && look(to_folder, to, AT_SYMLINK_NOFOLLOW)) {
        if ((flags & RENAME_NOREPLACE) != 0)
            return true; /* it will fail */
        if (journal->st.st_ino == inode && journal->st.st_dev == device)
            return true; /* two names of one file: nothing happens */
        if (!pl_journal_removal(to_folder, to, of_folder, &removed))
            return false;
    }
    struct note *n = add((flags & RENAME_EXCHANGE) != 0 ? EXCHANGED : RENAMED, NULL);

    if (n == NULL || (n->path = keep_path(folder, path)) == UINT64_MAX ||
        (n->other = keep_path(to_folder, to)) == UINT64_MAX)
        return false;
    return done(n);
}

bool pl_journal_lock(int fd)
{
    for (uint32_t i = 0; i < journal->n; i++) {
        if (journal->notes[i].kind == LOCKED && journal->notes[i].fd == fd)
            return true;
    }
    struct note *n = add(LOCKED, NULL);

    if (n == NULL)
        return false;
    n->fd = fd;
    return done(n);
}

/* ---- taken back ---- */

static void put_times(const struct note *n, const char *path, bool follow)
{
    pl_sys(SYS_utimensat, AT_FDCWD, path, n->times, follow ? 0 : AT_SYMLINK_NOFOLLOW);
}

static void put_owner(const struct note *n, const char *path, bool follow)
{
    if (look(AT_FDCWD, path, follow ? 0 : AT_SYMLINK_NOFOLLOW) &&
        (journal->st.st_uid != n->owner || journal->st.st_gid != n->group))
        pl_sys(SYS_fchownat, AT_FDCWD, path, n->owner, n->group, follow ? 0 : AT_SYMLINK_NOFOLLOW);
}

static void write_data(const struct note *n, long fd)
{
    uint64_t left;

    for (uint64_t at = 0; (left = next_data(n, &at, n->size)) > 0;) {
        long put = pl_sys(SYS_pwrite64, fd, journal->area + n->data + at, left, at);

        if (put <= 0)
            break;
        at += (uint64_t)put;
    }
    pl_sys(SYS_ftruncate, fd, n->size);
}

/* Whether the file could be given its holes. */
static bool make_holes(const struct note *n, long fd)
{
    bool made = true;

    for (uint32_t i = 0; i < n->n_holes; i++) {
        const struct hole *h = hole_at(n, i);

        made &= pl_sys(SYS_fallocate, fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, h->from,
                       h->to - h->from) == 0;
    }
    return made;
}

static void write_content(const struct note *n, const char *path, int flags)
{
    long fd = pl_sys(SYS_open, path, O_WRONLY | O_CLOEXEC | flags, n->mode & 07777);

    if (fd < 0)
        return;
    write_data(n, fd);
    if (!make_holes(n, fd)) {
        pl_sys(SYS_ftruncate, fd, 0);
        write_data(n, fd);
    }
    if ((flags & O_CREAT) != 0)
        pl_sys(SYS_fchmod, fd, n->mode & 07777);
    pl_sys(SYS_close, fd);
    put_times(n, path, true);
}

static struct again *find_again(uint64_t device, uint64_t inode, bool now)
{
    for (uint32_t i = 0; i < journal->n_again; i++) {
        struct again *a = &journal->again[i];

        if (a->device == device && (now ? a->is : a->was) == inode)
            return a;
    }
    return NULL;
}

static void note_again(const struct note *n, const char *path)
{
    struct again *a = find_again(n->device, n->first, false);

    if (n->own || (a == NULL && journal->n_again == AGAIN) ||
        pl_sys(SYS_lstat, path, &journal->st) != 0)
        return;
    if (a == NULL) {
        a = &journal->again[journal->n_again++];
        *a = (struct again){n->device, n->first, 0};
    }
    a->is = journal->st.st_ino;
}

uint64_t pl_journal_first_inode(uint64_t device, uint64_t inode)
{
    const struct again *a;

    if (!started || journal->n_again == 0)
        return inode;
    if ((a = find_again(device, inode, true)) != NULL)
        return a->was;
    while ((a = find_again(device, inode, false)) != NULL) /* it has the number of another now */
        inode = a->is;
    return inode;
}

static void take_back(const struct note *n)
{
    char *path = text_at(n->path);
    char link[40];

    if (n->whole) /* it would be made only to be removed again */
        return;
    switch ((enum kind)n->kind) {
    case NAME:
    case OTHER_NAME:
        if (pl_sys(SYS_unlink, path) == -EISDIR)
            pl_sys(SYS_rmdir, path);
        break;
    case CONTENT:
        if (n->fd >= 0) {
            pl_text_format(link, sizeof(link), "/proc/self/fd/%d", n->fd);
            path = link;
        }
        write_content(n, path, 0);
        break;
    case ABOUT:
        put_owner(n, path, n->follow);
        if (n->follow || !S_ISLNK(n->mode))
            pl_sys(SYS_chmod, path, n->mode & 07777);
        put_times(n, path, n->follow);
        break;
    case REMOVED:
        if (S_ISFIFO(n->mode)) {
            pl_sys(SYS_mknod, path, n->mode, 0);
            pl_sys(SYS_chmod, path, n->mode & 07777);
        } else {
            write_content(n, path, O_CREAT | O_EXCL);
        }
        note_again(n, path);
        put_owner(n, path, false);
        break;
    case FOLDER_REMOVED:
        pl_sys(SYS_mkdir, path, n->mode & 07777);
        pl_sys(SYS_chmod, path, n->mode & 07777);
        note_again(n, path);
        put_owner(n, path, false);
        break;
    case LINK_REMOVED:
        pl_sys(SYS_symlink, text_at(n->data), path);
        note_again(n, path);
        put_owner(n, path, false);
        break;
    case OTHER_REMOVED:
        pl_sys(SYS_link, text_at(n->other), path);
        break;
    case RENAMED:
    case PUT_ASIDE:
        pl_sys(SYS_rename, text_at(n->other), path);
        break;
    case EXCHANGED:
        pl_sys(SYS_renameat2, AT_FDCWD, text_at(n->other), AT_FDCWD, path, RENAME_EXCHANGE);
        break;
    case LOCKED: {
        struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET};

        pl_sys(SYS_fcntl, n->fd, F_SETLK, &all);
        pl_sys(SYS_fcntl, n->fd, F_OFD_SETLK, &all);
        pl_sys(SYS_flock, n->fd, LOCK_UN);
        break;
    }
    }
}

void pl_journal_undo(void)
{
    if (!started || journal->n == 0)
        return;
    while (journal->n > 0) {
        take_back(&journal->notes[journal->n - 1]);
        journal->n--;
    }
    if (journal->used > KEPT)
        pl_sys(SYS_madvise, journal->area, (journal->used + 4095) & ~UINT64_C(4095), MADV_REMOVE);
    journal->used = 0;
}
