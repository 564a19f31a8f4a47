/* SPDX-License-Identifier: MIT */
/*
 * Only memory that the program alone writes to can be put back: anonymous, of a memory file, or of
 * a file that the journal looks after.  Rings that the kernel writes to and devices cannot.  Nor
 * can what is mapped twice, since a change by one address would be seen by the other before the
 * page was kept.
 */
#include "runtime/restart/shared.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/table.h"
#include "base/text.h"
#include "runtime/ground/maps.h"
#include "runtime/ground/stage.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { MAPPINGS = 64, PAGES = 1 << 13, SLOTS_FIRST = 64, NAME = 256, PAGE = 4096 };

/* In memory that keeper and runners share. */
struct kept {
    uint32_t n;
    struct pl_table table; /* of the pages, by their addresses */
    uint64_t slots[PL_TABLE_ROOM(SLOTS_FIRST, 2 * PAGES)];
    uint64_t page[PAGES];
    _Alignas(PAGE) unsigned char image[PAGES][PAGE];
};

static struct kept *const kept = (struct kept *)PL_MAPS_KEPT;

static struct mapping {
    uint64_t start, end, offset;
    bool foreign;           /* somebody else writes there, too */
    uint64_t device, inode; /* 0: no file that could be opened */
    uint64_t place; /* what the kernel calls it: device and number, also if it has no file */
    char name[NAME];
} mappings[MAPPINGS];
static unsigned n_mappings;
static bool started, too_many;

/* ---- what there is ---- */

/* "rw-s 0001000 00:05 12   /name" */
static uint64_t offset_of(const char *access)
{
    uint64_t offset;

    pl_text_hex(pl_text_word(access, 1), &offset);
    return offset;
}

/* A number for the words of device and number, the same for the same memory. */
static uint64_t place_of(const char *access)
{
    const char *s = pl_text_word(access, 2), *end = pl_text_word(access, 4);
    uint64_t h = 0;

    for (; s < end && *s != '\0'; s++)
        h = *s == ' ' ? pl_hash_mix(h) : h * 31 + (unsigned char)*s;
    return h;
}

static bool is_anonymous(const char *name)
{
    return pl_text_equal(name, "/dev/zero (deleted)");
}

static bool is_foreign(const char *name)
{
    return name[0] != '/' || pl_text_length(name) >= NAME ||
           (pl_text_starts(name, "/dev/") && !pl_text_starts(name, "/dev/shm/") &&
            !is_anonymous(name));
}

static void add_shared(void *unused, uint64_t start, uint64_t end, const char *access)
{
    const char *name = pl_text_word(access, 4);

    if (access[1] != 'w' || access[3] != 's' || pl_maps_own(start, access))
        return;
    if (n_mappings == MAPPINGS) {
        too_many = true;
        return;
    }
    struct mapping *m = &mappings[n_mappings++];

    *m = (struct mapping){.start = start, .end = end, .offset = offset_of(access)};
    m->place = place_of(access);
    m->foreign = is_foreign(name);
    pl_text_copy(m->name, sizeof(m->name), name);
}

/* The same elsewhere in memory, where it can be written to. */
static void find_twice(void *unused, uint64_t start, uint64_t end, const char *access)
{
    uint64_t offset = offset_of(access), place = place_of(access);

    if (access[1] != 'w')
        return;
    for (unsigned i = 0; i < n_mappings; i++) {
        struct mapping *m = &mappings[i];

        m->foreign |= start != m->start && place == m->place &&
                      offset < m->offset + (m->end - m->start) &&
                      m->offset < offset + (end - start);
    }
}

static void identify(struct mapping *m)
{
    char path[40], target[NAME];
    struct stat st = {0};

    if (m->foreign || is_anonymous(m->name))
        return;
    bool found = pl_sys(SYS_stat, m->name, &st) == 0;

    for (int fd = 0; fd < PL_FDS_MAX && !found; fd++) {
        if (!pl_stage->root_fds[fd].open)
            continue;
        pl_text_format(path, sizeof(path), "/proc/self/fd/%d", fd);
        long n = pl_sys(SYS_readlink, path, target, sizeof(target) - 1);

        target[n > 0 ? n : 0] = '\0';
        found = pl_text_equal(target, m->name) && pl_sys(SYS_fstat, fd, &st) == 0;
    }
    if (found) {
        m->device = st.st_dev;
        m->inode = st.st_ino;
    }
}

static bool start(void)
{
    if (started)
        return true;
    long at = pl_sys(SYS_mmap, PL_MAPS_KEPT, sizeof(*kept), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    started = (uint64_t)at == PL_MAPS_KEPT;
    if (started)
        pl_table_start(&kept->table, kept->slots, SLOTS_FIRST, 2 * PAGES);
    return started;
}

void pl_shared_plan(char *text, uint64_t size)
{
    n_mappings = 0;
    too_many = !pl_maps_walk(text, size, add_shared, NULL);
    if (n_mappings == 0)
        return;
    too_many |= !start();
    pl_maps_walk(text, size, find_twice, NULL);
    for (unsigned i = 0; i < n_mappings; i++)
        identify(&mappings[i]);
}

void pl_shared_forget(void)
{
    if (!started)
        return;
    pl_table_clear(&kept->table);
    kept->n = 0;
}

bool pl_shared_any(void)
{
    return n_mappings > 0;
}

bool pl_shared_meets(uint64_t start, uint64_t size)
{
    for (unsigned i = 0; i < n_mappings; i++) {
        if (start < mappings[i].end && start + size > mappings[i].start)
            return true;
    }
    return false;
}

/* ---- kept and put back ---- */

static const struct mapping *mapping_of(uint64_t page)
{
    for (unsigned i = 0; i < n_mappings; i++) {
        if (page >= mappings[i].start && page < mappings[i].end)
            return &mappings[i];
    }
    return NULL;
}

const void *pl_shared_keep(uint64_t page)
{
    const struct mapping *m = mapping_of(page);
    uint64_t hash = pl_hash_mix(page);

    PL_ASSERT(page % PAGE == 0);
    if (m == NULL || m->foreign || too_many)
        return NULL;
    PL_TABLE_EACH(i, &kept->table, hash)
    {
        if (kept->page[i] == page)
            return kept->image[i];
    }
    if (kept->n == PAGES || !pl_table_add(&kept->table, hash, kept->n))
        return NULL;
    pl_memory_copy(kept->image[kept->n], (const void *)page, PAGE);
    kept->page[kept->n] = page;
    return kept->image[kept->n++];
}

bool pl_shared_is_file(const struct stat *st)
{
    for (unsigned i = 0; i < n_mappings; i++) {
        if (mappings[i].inode == st->st_ino && mappings[i].device == st->st_dev)
            return true;
    }
    return false;
}

bool pl_shared_file(const struct stat *st)
{
    for (unsigned i = 0; i < n_mappings; i++) {
        const struct mapping *m = &mappings[i];
        uint64_t size = (uint64_t)st->st_size;

        if (m->inode != st->st_ino || m->device != st->st_dev)
            continue;
        /* Not beyond the end, where there is no memory. */
        for (uint64_t at = m->start; at < m->end && m->offset + (at - m->start) < size;
             at += PAGE) {
            if (pl_shared_keep(at) == NULL)
                return false;
        }
    }
    return true;
}

void pl_shared_restore(void)
{
    for (uint32_t i = 0; started && i < kept->n; i++)
        pl_memory_copy((void *)kept->page[i], kept->image[i], PAGE);
}
