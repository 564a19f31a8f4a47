/* SPDX-License-Identifier: MIT */
/* Names of this very program's functions, lines and variables; needs debug information. */
#include "engine/findings/describe.h"
#include "engine/symbols/inlined.h"
#include "engine/symbols/symbols.h"
#include "unit.h"

#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct account {
    int id;
    struct {
        long amount, limit;
    } money[2];
};

struct account accounts[3];
static int counter;

__attribute__((noinline)) static void *here(void)
{
    counter++;
    return __builtin_return_address(0);
}

static int add_module(struct dl_phdr_info *info, size_t size, void *context)
{
    struct pl_board *board = context;
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
    if (info->dlpi_name[0] != '\0')
        snprintf(m->path, sizeof(m->path), "%s", info->dlpi_name);
    else if (readlink("/proc/self/exe", m->path, sizeof(m->path) - 1) < 0)
        m->path[0] = '\0';
    return 0;
}

static void code_has_function_and_line(struct pl_symbols *s)
{
    const struct pl_symbols_code *code = pl_symbols_code(s, (uint64_t)here());
    unsigned line = __LINE__ - 1;

    CHECK_STR(code->function, "code_has_function_and_line");
    CHECK(strstr(code->file, "engine_symbols.c") != NULL);
    CHECK(code->line == line);
    CHECK(code->own);
    code = pl_symbols_code(s, (uint64_t)&strtol + 1);
    CHECK(!code->own);
    CHECK(pl_symbols_code(s, 1)->line == 0);
    CHECK_STR(pl_symbols_function(s, (uint64_t)&here), "here");
}

static void variables_have_members(struct pl_symbols *s)
{
    CHECK_STR(pl_symbols_variable(s, (uint64_t)&counter), "counter");
    CHECK_STR(pl_symbols_variable(s, (uint64_t)&accounts[2].id), "accounts[2].id");
    CHECK_STR(pl_symbols_variable(s, (uint64_t)&accounts[1].money[1].limit),
              "accounts[1].money[1].limit");
    CHECK_STR(pl_symbols_variable(s, (uint64_t)&accounts[0].id + 2), "accounts[0].id+2");
    CHECK_STR(pl_symbols_variable(s, 8), "");
}

static void threads_are_named_by_their_path(struct pl_symbols *s)
{
    struct pl_thread_name threads[] = {
        {.parent = PL_TID_NONE}, {.parent = 0, .nth = 2}, {.parent = 1, .nth = 11}};
    struct pl_scene scene = {threads, 3, s, NULL, NULL};
    struct pl_place block = {.kind = PL_PLACE_HEAP, .tid = 2, .count = 3, .offset = 8};
    char text[200];

    pl_describe_thread(&scene, 0, text, sizeof(text));
    CHECK_STR(text, "0");
    pl_describe_thread(&scene, 2, text, sizeof(text));
    CHECK_STR(text, "0.2.11");
    pl_describe_thread(&scene, 9, text, sizeof(text));
    CHECK_STR(text, "");
    pl_describe_thread(&scene, PL_TID_NONE, text, sizeof(text));
    CHECK_STR(text, "");
    pl_describe_place(&scene, &block, text, sizeof(text));
    CHECK_STR(text, "block 3 of thread 0.2.11 +8");
}

static void a_deadlock_says_who_waits_for_whom(struct pl_symbols *s)
{
    struct pl_thread_name threads[] = {{.parent = PL_TID_NONE}, {.parent = 0, .nth = 1}};
    struct pl_scene scene = {threads, 2, s, NULL, NULL};
    struct pl_finding finding = {.kind = PL_FINDING_DEADLOCK, .tid = PL_TID_NONE, .n_rows = 1};
    struct pl_result_finding out = {.replays = false};

    finding.rows[0] =
        (struct pl_row){.tid = 1,
                        .holder = 0,
                        .op = PL_OP_MUTEX_LOCK,
                        .waits = PL_ROW_BLOCKED,
                        .object = {.kind = PL_PLACE_STATIC, .site = (uint64_t)&counter}};
    pl_describe_finding(&scene, &finding, &out);
    CHECK(out.n_threads == 1);
    CHECK_STR(out.threads[0].sentence,
              "thread 0.1 waits in mutex lock for mutex counter, held by 0");
    free(out.threads);
    free(out.stack);
}

static void folders_that_are_left_again_are_not_named(void)
{
    static const char *const names[][2] = {
        {"/usr/bin/../lib/gcc/x/12/../../../../include/c++/12/mutex", "/usr/include/c++/12/mutex"},
        {"../../a/./../b.h", "../../a/b.h"},
        {"../a/b/../c.h", "../a/c.h"},
        {"/../a.c", "/../a.c"},
        {"a..b/..c/d.c", "a..b/..c/d.c"}};
    char plain[PATH_MAX];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        CHECK_STR(pl_inlined_plain_file(names[i][0], plain), names[i][1]);
    CHECK(pl_inlined_system_file(names[0][0]));
    CHECK(!pl_inlined_system_file("/usr/include/../src/a.c"));
}

/* What was read once is given to all who ask for it while it is right. */
static void the_same_is_read_once(struct pl_symbols *s, const struct pl_board *board)
{
    struct pl_symbols *again = pl_symbols_open(board, "/proc/self/exe");
    struct pl_symbols *other;

    CHECK(again == s);
    pl_symbols_close(again);
    other = pl_symbols_open(board, "another program");
    CHECK(other != s);
    pl_symbols_close(other);
    CHECK(chdir("/") == 0);
    again = pl_symbols_open(board, "/proc/self/exe");
    CHECK(again != s && again != other); /* files are named without the current folder */
    pl_symbols_close(again);
    CHECK_STR(pl_symbols_variable(s, (uint64_t)&counter), "counter");
}

int main(void)
{
    struct pl_board *board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    CHECK(board != MAP_FAILED);
    dl_iterate_phdr(add_module, board);
    struct pl_symbols *s = pl_symbols_open(board, "/proc/self/exe");

    CHECK(pl_symbols_fit(s, board));
    code_has_function_and_line(s);
    variables_have_members(s);
    folders_that_are_left_again_are_not_named();
    threads_are_named_by_their_path(s);
    a_deadlock_says_who_waits_for_whom(s);
    the_same_is_read_once(s, board);
    board->n_modules--;
    CHECK(!pl_symbols_fit(s, board));
    pl_symbols_close(s);
    munmap(board, sizeof(*board));
    return unit_result();
}
