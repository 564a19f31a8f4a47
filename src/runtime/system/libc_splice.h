/* SPDX-License-Identifier: MIT */
/*
 * Memory that vmsplice() has put into a pipe: whoever reads the pipe reads the memory as it is by
 * then.  So a store behind the call may be seen, and is not modelled as that.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_SPLICE_H
#define PL_RUNTIME_SYSTEM_LIBC_SPLICE_H

/* The program ends: where such memory is not as it was, the search is complete but for the call. */
void pl_splice_look(void);

#endif /* PL_RUNTIME_SYSTEM_LIBC_SPLICE_H */
