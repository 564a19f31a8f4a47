/* SPDX-License-Identifier: MIT */
/*
 * What functions of libc and calls reach by way of something else: positions in files that are kept
 * in memory, memory behind a FILE, the environment, and what the process has one of.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=29 exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=29 exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "cases.h"

#include <fcntl.h>
#include <locale.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <wchar.h>
#include <wordexp.h>

static int file, other, ends[2];
static FILE *in, *out;
static off_t *const position = (off_t *)shared.text;

static void open_all(void)
{
    memset(&shared, 0, sizeof(shared));
    file = memfd_create("from", 0);
    other = memfd_create("to", 0);
    if (pipe(ends) != 0 || write(file, "abcdefgh", 8) != 8)
        abort();
}

#define MOVES(name, call) CASE(name, open_all(), call, LOOK)

MOVES(sendfile_, result = sendfile(ends[1], file, position, 4))
MOVES(sendfile64_, result = sendfile64(ends[1], file, position, 4))
MOVES(splice_, result = splice(file, position, ends[1], NULL, 4, 0))
MOVES(copy_from, result = copy_file_range(file, position, other, NULL, 4, 0))
MOVES(copy_to, off_t at = 0; result = copy_file_range(file, &at, other, position, 4, 0))

/* Another thread sets the position between the look at it and what is stored: that is lost. */
CASE(copy_lost, open_all(), result = copy_file_range(file, position, other, NULL, 4, 0), TOUCH)

static void open_memory(void)
{
    strcpy(shared.text, "12 ab");
    in = fmemopen(shared.text, 6, "r");
}

static void print_memory(void)
{
    memset(&shared, 0, sizeof(shared));
    out = fmemopen(shared.text, 6, "w");
}

/* Address and size, one behind the other. */
static void grow_memory(void)
{
    memset(&shared, 0, sizeof(shared));
    out = open_memstream((char **)shared.text, (size_t *)(shared.text + 8));
    fputs("x", out);
}

static void grow_wide(void)
{
    memset(&shared, 0, sizeof(shared));
    out = open_wmemstream((wchar_t **)shared.text, (size_t *)(shared.text + 8));
    fputwc(L'x', out);
}

static void have_buffer(void)
{
    out = fopen("/dev/null", "w");
    setvbuf(out, shared.text, _IOFBF, sizeof(shared));
}

CASE(fmemopen_in, open_memory(), result = fgetc(in), TOUCH)
CASE(fmemopen_out, print_memory(), fputs("7", out); fflush(out), LOOK)
CASE(open_memstream_, grow_memory(), fflush(out), LOOK)
CASE(open_wmemstream_, grow_wide(), fflush(out), LOOK)
CASE(setvbuf_, have_buffer(), fputs("7", out), LOOK)

static void expand(void)
{
    wordexp_t words;

    result = wordexp("$WORD", &words, 0) == 0 && words.we_wordv[0][0] == 'b';
}

CASE(wordexp_, setenv("WORD", "a", 1), expand(), setenv("WORD", "b", 1))
CASE(width, setlocale(LC_CTYPE, "C"), result = (long)MB_CUR_MAX, setlocale(LC_CTYPE, "C.UTF-8"))
CASE(dumpable, (void)0, result = prctl(PR_GET_DUMPABLE), prctl(PR_SET_DUMPABLE, 1))

int main(void)
{
    RUN(sendfile_), RUN(sendfile64_), RUN(splice_), RUN(copy_from), RUN(copy_to), RUN(copy_lost);
    RUN(fmemopen_in), RUN(fmemopen_out), RUN(open_memstream_), RUN(open_wmemstream_);
    RUN(setvbuf_), RUN(wordexp_), RUN(width), RUN(dumpable);
    return 0;
}
