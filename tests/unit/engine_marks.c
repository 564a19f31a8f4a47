/* SPDX-License-Identifier: MIT */
/* Stretches of code of this very program; needs debug information. */
#include "engine/worker/marks.h"

#include "unit.h"

#include <link.h>
#include <stdlib.h>
#include <unistd.h>

static struct pl_board *board;
static struct pl_marks_ranges found[PL_MARKS];
static struct pl_marks marks;

__attribute__((noinline)) static uint64_t trusted_function(void)
{
    __asm__ volatile("");
    return (uint64_t)__builtin_return_address(0);
}

__attribute__((noinline)) static uint64_t other_function(void)
{
    uint64_t pc = trusted_function();

    __asm__ volatile("");
    return pc; /* in here */
}

static int add_module(struct dl_phdr_info *info, size_t size, void *context)
{
    struct pl_module *m = &board->modules[board->n_modules++];

    m->base = info->dlpi_addr;
    m->start = UINT64_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uint64_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        m->start = start < m->start ? start : m->start;
        m->end = start + info->dlpi_phdr[i].p_memsz;
    }
    snprintf(m->path, sizeof(m->path), "%s", info->dlpi_name);
    return 0;
}

static void free_ranges(void)
{
    for (unsigned i = 0; i < PL_MARKS; i++)
        free(found[i].list);
}

static void resolve(const char *value)
{
    struct pl_err err;
    char program[256] = "";

    free_ranges();
    pl_marks_free(&marks);
    CHECK(readlink("/proc/self/exe", program, sizeof(program) - 1) > 0);
    CHECK(pl_marks_add(&marks, PL_MARK_TRUST, value, &err) == 0);
    pl_marks_resolve(&marks, board, program, found);
}

static bool covers_for(enum pl_mark mark, uint64_t pc)
{
    const struct pl_marks_ranges *r = &found[mark];

    for (size_t i = 0; i < r->n; i++) {
        if (pc >= r->list[i].start && pc < r->list[i].end)
            return true;
    }
    return false;
}

static bool covers(uint64_t pc)
{
    return covers_for(PL_MARK_TRUST, pc);
}

static void functions_are_found_by_name(void)
{
    resolve("trusted_function");
    CHECK(found[PL_MARK_TRUST].n == 1 && marks.patterns[0].used);
    CHECK(covers((uint64_t)&trusted_function));
    CHECK(!covers(other_function() - 1));
    resolve("other_f*,trusted_function");
    CHECK(marks.n == 2 && marks.patterns[0].used && marks.patterns[1].used);
    CHECK(covers((uint64_t)&trusted_function));
    CHECK(covers(other_function() - 1));
}

static void files_and_libraries_are_found_by_name(void)
{
    resolve("engine_marks.c");
    CHECK(covers((uint64_t)&trusted_function) && covers((uint64_t)&resolve));
    CHECK(!covers((uint64_t)&pl_marks_resolve));
    resolve("unit/engine_marks.c");
    CHECK(covers((uint64_t)&trusted_function));
    resolve("libc.so.6");
    CHECK(found[PL_MARK_TRUST].n == 1 && covers((uint64_t)&strtol));
    CHECK(!covers((uint64_t)&trusted_function));
    resolve("strtol");
    CHECK(covers((uint64_t)&strtol) && found[PL_MARK_TRUST].n < 8);
}

static void what_fits_nothing_stays_unused(void)
{
    resolve("trusted,unit_engine_marks,engine_marks.cc");
    CHECK(found[PL_MARK_TRUST].n == 0);
    for (size_t i = 0; i < marks.n; i++)
        CHECK(!marks.patterns[i].used);
}

static void ranges_are_sorted_and_apart(void)
{
    resolve("*");
    CHECK(found[PL_MARK_TRUST].n > 1);
    for (size_t i = 1; i < found[PL_MARK_TRUST].n; i++)
        CHECK(found[PL_MARK_TRUST].list[i - 1].end < found[PL_MARK_TRUST].list[i].start);
}

static void marks_are_kept_apart(void)
{
    struct pl_err err;
    char program[256] = "";

    resolve("trusted_function");
    free_ranges();
    CHECK(readlink("/proc/self/exe", program, sizeof(program) - 1) > 0);
    CHECK(pl_marks_used(&marks) == 1u << PL_MARK_TRUST);
    CHECK(pl_marks_add(&marks, PL_MARK_NOISE, "other_function", &err) == 0);
    CHECK(pl_marks_used(&marks) == (1u << PL_MARK_TRUST | 1u << PL_MARK_NOISE));
    pl_marks_resolve(&marks, board, program, found);
    CHECK(covers((uint64_t)&trusted_function));
    CHECK(!covers_for(PL_MARK_NOISE, (uint64_t)&trusted_function));
    CHECK(!covers(other_function() - 1));
    CHECK(covers_for(PL_MARK_NOISE, other_function() - 1));
}

static void empty_patterns_are_refused(void)
{
    static const char *const values[] = {"", ",", "a,", ",a", "a,,b"};
    struct pl_err err;

    for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        CHECK(pl_marks_add(&marks, PL_MARK_NOISE, values[i], &err) == -1 &&
              err.class == PL_ERR_USER);
    CHECK(pl_marks_add(&marks, PL_MARK_NOISE, "@/no/such/file", &err) == -1 &&
          err.class == PL_ERR_USER);
}

int main(void)
{
    board = calloc(1, sizeof(*board));
    dl_iterate_phdr(add_module, NULL);
    functions_are_found_by_name();
    files_and_libraries_are_found_by_name();
    what_fits_nothing_stays_unused();
    ranges_are_sorted_and_apart();
    marks_are_kept_apart();
    empty_patterns_are_refused();
    pl_marks_free(&marks);
    free_ranges();
    free(board);
    return unit_result();
}
