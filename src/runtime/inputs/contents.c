/* SPDX-License-Identifier: MIT */
/*
 * Contents of files that executions have opened, each once.  They stay for later
 * executions, which open the same files again and again: one that is as it was
 * need not be read again.  Only an image leaves out what its execution did not open.
 *
 * A file may change without its times changing if that happens within a tick of
 * the kernel's clock; so times say something only when they are old enough.
 */
#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/inputs.h"
#include "runtime/ground/entry.h"
#include "runtime/inputs/inputs.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { SETTLED_S = 2 }; /* after so many seconds times say that nothing has changed */

static struct pl_inputs *const log = &pl_board->inputs;

static struct pl_input_content identity_of(const struct stat *st)
{
    return (struct pl_input_content){
        .size = (uint64_t)st->st_size,
        .device = st->st_dev,
        .file = st->st_ino,
        .changed =
            pl_hash_add(pl_hash_add((uint64_t)st->st_mtim.tv_sec, (uint64_t)st->st_mtim.tv_nsec),
                        pl_hash_add((uint64_t)st->st_ctim.tv_sec, (uint64_t)st->st_ctim.tv_nsec)),
    };
}

static bool is_settled(const struct stat *st)
{
    struct timespec now = {0, 0};

    pl_sys(SYS_clock_gettime, CLOCK_REALTIME, &now);
    return st->st_mtim.tv_sec + SETTLED_S < now.tv_sec &&
           st->st_ctim.tv_sec + SETTLED_S < now.tv_sec;
}

static const struct pl_input_content *find_file(const struct pl_input_content *file)
{
    for (uint32_t i = 0; i < log->n_contents; i++) {
        const struct pl_input_content *c = &log->contents[i];

        if (c->size == file->size && c->device == file->device && c->file == file->file &&
            c->changed == file->changed)
            return c;
    }
    return NULL;
}

/* The same bytes as those that lie at `at`. */
static const struct pl_input_content *find_bytes(uint64_t at, uint64_t size)
{
    for (uint32_t i = 0; i < log->n_contents; i++) {
        const struct pl_input_content *c = &log->contents[i];

        if (c->size == size && pl_memory_compare(log->area + c->at, log->area + at, size) == 0)
            return c;
    }
    return NULL;
}

static bool read_all(int in, unsigned char *to, uint64_t size)
{
    uint64_t done = 0;

    while (done < size) {
        long got = pl_sys(SYS_pread64, in, to + done, size - done, done);

        if (got <= 0)
            return false;
        done += (uint64_t)got;
    }
    return true;
}

/* Read it to the end of what there is; NULL when it does not fit. */
static const struct pl_input_content *add(int in, struct pl_input_content *file)
{
    uint64_t at = PL_INPUTS_HALF + log->contents_used, whole = (file->size + 7) & ~UINT64_C(7);

    PL_ASSERT(at <= PL_INPUTS_AREA && log->n_contents <= PL_INPUT_CONTENTS);
    if (log->n_contents == PL_INPUT_CONTENTS || file->size > PL_INPUTS_HALF ||
        whole > PL_INPUTS_AREA - at) {
        log->contents_full = true;
        return NULL;
    }
    if (!read_all(in, log->area + at, file->size))
        return NULL;
    const struct pl_input_content *same = find_bytes(at, file->size);

    file->at = same != NULL ? same->at : at;
    log->contents[log->n_contents] = *file;
    log->contents_used += same != NULL ? 0 : whole;
    return &log->contents[log->n_contents++];
}

static const struct pl_input_content *keep(int in, const struct stat *st)
{
    struct pl_input_content file = identity_of(st);
    const struct pl_input_content *known = is_settled(st) ? find_file(&file) : NULL;

    return known != NULL ? known : add(in, &file);
}

/*
 * By the program's own descriptor if that can be read: closing another one of the file would give
 * back the record locks that the process has on it.
 */
bool pl_contents_keep(struct pl_input_record *r, int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */
    char path[40];

    pl_text_format(path, sizeof(path), "/proc/self/fd/%d", fd);
    bool readable = (pl_sys(SYS_fcntl, fd, F_GETFL) & (O_ACCMODE | O_PATH)) != O_WRONLY;
    long in = readable ? fd : pl_sys(SYS_open, path, O_RDONLY | O_CLOEXEC);
    bool good = in >= 0 && pl_sys(SYS_fstat, in, &st) == 0 && st.st_size >= 0;
    const struct pl_input_content *c = NULL;

    pl_enter();
    if (good && st.st_size > 0)
        c = keep((int)in, &st);
    pl_leave();
    if (in >= 0 && !readable)
        pl_sys(SYS_close, in);
    if (good && (c != NULL || st.st_size == 0)) {
        r->bytes = c != NULL ? c->at : 0;
        r->size = c != NULL ? c->size : 0;
        return true;
    }
    log->flags |= PL_INPUTS_INCOMPLETE;
    return false;
}

void pl_contents_root(void)
{
    log->root_contents = log->n_contents;
    log->root_contents_used = log->contents_used;
}

/* Where there was no more room, everything that is not from before the root goes. */
void pl_contents_begin(void)
{
    if (!log->contents_full)
        return;
    log->contents_full = false;
    PL_ASSERT(log->root_contents <= log->n_contents);
    log->n_contents = log->root_contents;
    log->contents_used = log->root_contents_used;
}

/* Where each content that is wanted begins in an image; returns the bytes of all of them. */
uint64_t pl_contents_place(uint64_t places[PL_INPUT_CONTENTS], uint64_t start)
{
    uint64_t at = start;

    for (uint32_t i = 0; i < log->n_contents; i++) {
        if (places[i] == 0)
            continue;
        places[i] = at;
        at += (log->contents[i].size + 7) & ~UINT64_C(7);
    }
    return at - start;
}

/* The first one with these bytes. */
uint32_t pl_contents_index(uint64_t at)
{
    uint32_t i = 0;

    while (i + 1 < log->n_contents && log->contents[i].at != at)
        i++;
    return i;
}

void pl_contents_copy(const uint64_t places[PL_INPUT_CONTENTS], unsigned char *area)
{
    for (uint32_t i = 0; i < log->n_contents; i++) {
        uint64_t size = log->contents[i].size, whole = (size + 7) & ~UINT64_C(7);

        if (places[i] == 0)
            continue;
        *(uint64_t *)(area + places[i] + whole - 8) = 0;
        pl_memory_copy(area + places[i], log->area + log->contents[i].at, size);
    }
}
