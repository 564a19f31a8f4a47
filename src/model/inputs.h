/* SPDX-License-Identifier: MIT */
/*
 * What an execution read from the world, so that a replay needs nothing of it.
 *
 * Records are kept per thread, in the order of the thread's own calls, because a
 * thread that is replayed makes the same calls in the same order.  They lie in
 * one area, each with the offset of the next of its thread; whoever adds one
 * takes its place from a counter, so threads that run in parallel need no lock.
 * A place taken by a thread that was killed before it linked its record is a
 * hole that nobody sees.  Bytes that belong to a record lie in the same area, also
 * the contents of files, equal ones once.
 *
 * An image is the same as one piece of memory: head, threads, area.  It is what
 * a finding keeps in the common, what a schedule carries, what a file *.inputs
 * holds, and what is put on the board of a worker that is to be fed.  Offsets
 * are those in the area.  docs/design/inputs.md has the why.
 */
#ifndef PL_MODEL_INPUTS_H
#define PL_MODEL_INPUTS_H

#include "model/operation.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PL_INPUTS_AREA = 128 << 20,          /* bytes of records and contents of one execution */
    PL_INPUTS_HALF = PL_INPUTS_AREA / 2, /* while it is recorded: records below, files above */
    PL_INPUT_CONTENTS = 1024,            /* files */
    PL_INPUTS_FIRST = 8,                 /* offset 0 means none */
    PL_INPUTS_VERSION = 1,
};

#define PL_INPUTS_MAGIC UINT64_C(0x737475706e696c70) /* "plinputs" */
#define PL_INPUTS_TOOL UINT64_C(0)                   /* the name of the tool's own chain */

/* What settings.record_inputs asks for; also flags of an image. */
enum {
    PL_INPUTS_WORLD = 1,      /* files, pipes, sockets, environment */
    PL_INPUTS_CLOCKS = 2,     /* times and random numbers, where they are real */
    PL_INPUTS_INCOMPLETE = 4, /* flag only: there was more than the area holds */
};

/* Values of ready_at of a record. */
#define PL_INPUT_AT_ONCE UINT64_C(0)
#define PL_INPUT_NEVER UINT64_MAX /* it timed out, or the execution ended before */

enum pl_input_kind {
#define PL_INPUT(name, text) PL_INPUT_##name,
#include "model/inputs.def"
#undef PL_INPUT
    PL_INPUT_KINDS
};

/* How a replay gives the program a descriptor; in the low bits of aux. */
enum pl_input_source {
    PL_INPUT_CONTENT, /* a memory file with the bytes */
    PL_INPUT_STREAM,  /* a stand-in; what is read from it is recorded */
    PL_INPUT_REAL,    /* the world's own: not recorded */
    PL_INPUT_SOURCES,
};

struct pl_input_record {
    uint64_t next;     /* offset of the thread's next one; 0: none.  Always a greater one */
    uint64_t bytes;    /* offset of what belongs to it; 0: nothing */
    uint64_t size;     /* of that */
    uint64_t ready_at; /* events of the execution when a call that waits could go on; or: */
    int64_t result;
    int32_t error; /* errno, where the result says that there was one */
    int32_t fd;    /* the descriptor asked about, or another argument that tells calls apart */
    uint32_t kind; /* enum pl_input_kind */
    uint32_t aux;  /* by kind: source and type of a descriptor; parts of the bytes */
};

struct pl_input_thread {
    uint64_t name;        /* of the thread, see name.h */
    uint64_t first, last; /* offsets of records; 0: none */
};

/* The contents of a file, and how it is known again; see runtime/inputs/contents.c. */
struct pl_input_content {
    uint64_t at, size; /* in the area */
    uint64_t device, file, changed;
};

struct pl_inputs_head {
    uint64_t magic;
    uint32_t version;
    uint32_t flags;
    uint64_t used; /* bytes of the area */
    uint32_t n_threads;
    int32_t process; /* the number of the program's process, if it has asked for that; or 0 */
};

/* On the board: what is being recorded, or is to be fed. */
struct pl_inputs {
    bool feeding;
    _Atomic uint32_t flags;
    _Atomic uint64_t used;
    uint64_t root_used; /* when the root was reached; and so on */
    uint32_t root_flags;
    uint32_t n_threads; /* when feeding: entries of threads[], which are in no order */
    int32_t process;    /* as in the head of an image */
    struct pl_input_thread threads[PL_THREADS_MAX]; /* while inputs are recorded: by number */
    uint64_t root_last[PL_THREADS_MAX];

    /* Files, kept from one execution to the next. */
    bool contents_full; /* there was no room for one */
    uint32_t n_contents, root_contents;
    uint64_t contents_used, root_contents_used;
    struct pl_input_content contents[PL_INPUT_CONTENTS];
    _Alignas(8) unsigned char area[PL_INPUTS_AREA];
};

/* "read", as in messages. */
__attribute__((unused)) static const char *const pl_input_texts[] = {
#define PL_INPUT(name, text) text,
#include "model/inputs.def"
#undef PL_INPUT
};

#endif /* PL_MODEL_INPUTS_H */
