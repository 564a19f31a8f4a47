/* SPDX-License-Identifier: MIT */
/* Stretches of code of this very program; needs debug information. */
#include "engine/trust.h"

#include "base/exit.h"
#include "unit.h"

#include <link.h>
#include <stdlib.h>
#include <unistd.h>

static struct pl_board *board;
static struct pl_trusted *ranges;
static size_t n_ranges;
static struct pl_trust trust;

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

static void resolve(const char *value)
{
    struct pl_err err;
    char program[256] = "";

    free(ranges);
    pl_trust_free(&trust);
    CHECK(readlink("/proc/self/exe", program, sizeof(program) - 1) > 0);
    CHECK(pl_trust_add(&trust, value, &err) == 0);
    n_ranges = pl_trust_resolve(&trust, board, program, &ranges);
}

static bool covers(uint64_t pc)
{
    for (size_t i = 0; i < n_ranges; i++) {
        if (pc >= ranges[i].start && pc < ranges[i].end)
            return true;
    }
    return false;
}

static void functions_are_found_by_name(void)
{
    resolve("trusted_function");
    CHECK(n_ranges == 1 && trust.patterns[0].used);
    CHECK(covers((uint64_t)&trusted_function));
    CHECK(!covers(other_function() - 1));
    resolve("other_f*,trusted_function");
    CHECK(trust.n == 2 && trust.patterns[0].used && trust.patterns[1].used);
    CHECK(covers((uint64_t)&trusted_function));
    CHECK(covers(other_function() - 1));
}

static void files_and_libraries_are_found_by_name(void)
{
    resolve("engine_trust.c");
    CHECK(covers((uint64_t)&trusted_function) && covers((uint64_t)&resolve));
    CHECK(!covers((uint64_t)&pl_trust_resolve));
    resolve("unit/engine_trust.c");
    CHECK(covers((uint64_t)&trusted_function));
    resolve("libc.so.6");
    CHECK(n_ranges == 1 && covers((uint64_t)&strtol));
    CHECK(!covers((uint64_t)&trusted_function));
    resolve("strtol");
    CHECK(covers((uint64_t)&strtol) && n_ranges < 8);
}

static void what_fits_nothing_stays_unused(void)
{
    resolve("trusted,unit_engine_trust,engine_trust.cc");
    CHECK(n_ranges == 0);
    for (size_t i = 0; i < trust.n; i++)
        CHECK(!trust.patterns[i].used);
}

static void ranges_are_sorted_and_apart(void)
{
    resolve("*");
    CHECK(n_ranges > 1);
    for (size_t i = 1; i < n_ranges; i++)
        CHECK(ranges[i - 1].end < ranges[i].start);
}

static void empty_patterns_are_refused(void)
{
    static const char *const values[] = {"", ",", "a,", ",a", "a,,b"};
    struct pl_err err;

    for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        CHECK(pl_trust_add(&trust, values[i], &err) == -1 && err.code == PL_EXIT_USAGE);
    CHECK(pl_trust_add(&trust, "@/no/such/file", &err) == -1 && err.code == PL_EXIT_USAGE);
}

int main(void)
{
    board = calloc(1, sizeof(*board));
    dl_iterate_phdr(add_module, NULL);
    functions_are_found_by_name();
    files_and_libraries_are_found_by_name();
    what_fits_nothing_stays_unused();
    ranges_are_sorted_and_apart();
    empty_patterns_are_refused();
    pl_trust_free(&trust);
    free(ranges);
    free(board);
    return unit_result();
}
