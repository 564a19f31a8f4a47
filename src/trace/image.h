/* SPDX-License-Identifier: MIT */
/*
 * The image of what an execution read (model/inputs.h), as a schedule carries it
 * and as it comes from a file, where nothing in it is trusted before
 * pl_image_check() has been through all of it.
 */
#ifndef PL_TRACE_IMAGE_H
#define PL_TRACE_IMAGE_H

#include "model/inputs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PL_IMAGE_MAX = (int)(sizeof(struct pl_inputs_head) +
                         PL_THREADS_MAX * sizeof(struct pl_input_thread) + PL_INPUTS_AREA),
};

/* The three pieces of an image.  It must be aligned as malloc() does. */
struct pl_image {
    const struct pl_inputs_head *head;
    const struct pl_input_thread *threads;
    const unsigned char *area;
};

/* NULL when it is whole and everything in it leads to where it should; else what is wrong. */
const char *pl_image_check(const void *data, size_t size);

/* The pieces of one that has been checked, or was made here. */
struct pl_image pl_image_open(const void *data);

/* The record at an offset; NULL for 0. */
const struct pl_input_record *pl_image_record(const struct pl_image *image, uint64_t offset);

uint64_t pl_image_hash(const void *data, size_t size);

/* "2 files (310 bytes), 3 reads (20 bytes), standard input (8 bytes)" */
void pl_image_describe(const void *data, char *to, size_t size);

/* Base64 without line ends.  Decoding gives the number of bytes, or -1 for what is none. */
size_t pl_image_encode(char *to, const unsigned char *from, size_t n);
long pl_image_decode(unsigned char *to, size_t room, const char *from);

#endif /* PL_TRACE_IMAGE_H */
