/* SPDX-License-Identifier: MIT */
/*
 * A file that is mapped is memory: what one thread stores there another finds by pread() and
 * read(), before or after, and what a thread writes by pwrite() is what the other loads.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=8
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=8
 *
 * RUN    plait test -s dpor:source --outputs
 * EXPECT clean complete orders=8
 *
 * RUN    plait test -s dpor --detect race
 * EXPECT clean complete
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

static int file;
static char *memory;

static void map_at(off_t offset, bool twice)
{
    unlink("mapped");
    file = open("mapped", O_CREAT | O_RDWR, 0600);
    MUST(file >= 0 && ftruncate(file, 8192) == 0 && write(file, "aaaa", 4) == 4);
    memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
    if (twice)
        memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
    MUST(memory != MAP_FAILED);
    MUST(lseek(file, 0, SEEK_SET) == 0);
}

static long stored(unsigned at)
{
    ((volatile char *)memory)[at] = 'b';
    return 0;
}

static long got_at(off_t offset)
{
    char byte = 0;

    MUST(pread(file, &byte, 1, offset) == 1);
    return byte;
}

static long got(void)
{
    char bytes[2];

    MUST(read(file, bytes, 2) == 2);
    return bytes[1];
}

static long got_pieces(void)
{
    char a, b;
    struct iovec v[2] = {{&a, 1}, {&b, 1}};

    MUST(readv(file, v, 2) == 2);
    return b;
}

ORDER(pread, map_at(0, true), return stored(2), return got_at(2))
ORDER(pread_behind, map_at(4096, false), return stored(5), return got_at(4101))
ORDER(read, map_at(0, false), return stored(1), return got())
ORDER(readv, map_at(0, false), return stored(1), return got_pieces())
ORDER(pwrite, map_at(0, false), return pwrite(file, "c", 1, 3), return ((volatile char *)memory)[3])

/* From one file to another, or out of a pipe. */
static int copy;

static void map_and_copy(void)
{
    map_at(0, false);
    copy = open("mapped.copy", O_CREAT | O_TRUNC | O_RDWR, 0600);
    MUST(copy >= 0 && write(copy, "c", 1) == 1);
}

static long sent(void)
{
    off_t from = 0;
    char byte = 0;

    MUST(sendfile(copy, file, &from, 1) == 1 && pread(copy, &byte, 1, 1) == 1);
    return byte;
}

static long copied(void)
{
    off64_t from = 0, to = 3;

    return said(copy_file_range(copy, &from, file, &to, 1, 0));
}

static long spliced(void)
{
    off64_t to = 3;
    int ends[2];

    MUST(pipe(ends) == 0 && write(ends[1], "c", 1) == 1);
    return said(splice(ends[0], NULL, file, &to, 1, 0));
}

ORDER(sendfile, map_and_copy(), return sent(), return stored(0))
ORDER(copy_file_range, map_and_copy(), return copied(), return ((volatile char *)memory)[3])
ORDER(splice, map_at(0, false), return spliced(), return ((volatile char *)memory)[3])

ORDERS(&order_sendfile, &order_copy_file_range, &order_splice, &order_pread, &order_pread_behind,
       &order_read, &order_readv, &order_pwrite)
