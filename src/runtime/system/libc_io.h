/* SPDX-License-Identifier: MIT */
/* Reads and writes that others than the program's own calls ask for. */
#ifndef PL_RUNTIME_SYSTEM_LIBC_IO_H
#define PL_RUNTIME_SYSTEM_LIBC_IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A read or write that a thread of libc makes for the program, which asked for it at pc: where the
 * job says, or in its turn where there is no position.  As libc returns it. */
struct pl_io_job {
    int fd;
    void *buffer;
    size_t size;
    int64_t offset;
    uint64_t pc;
};
ssize_t pl_io_read_job(const struct pl_io_job *job);
ssize_t pl_io_write_job(const struct pl_io_job *job);

#endif /* PL_RUNTIME_SYSTEM_LIBC_IO_H */
