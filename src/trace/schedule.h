/* SPDX-License-Identifier: MIT */
/*
 * A schedule: the choices of one execution and what it found, as a file
 * `*.plait` that a person can read, compare and keep in a repository.
 *
 * The file is text, a line a choice.  A header says which program, how it was
 * searched and what was found; then come the operations performed (`.`) and
 * the choices made (`>`), in the order in which they happened; the last line
 * holds their number and a checksum.  Behind `#` stands what only people need:
 * object, source line, function.  These annotations are not in the checksum.
 * Only choices other than the default are written.  Operations are there for
 * `plait show`; a replay needs none of them.  plait-schedule(5) has the grammar.
 *
 * Equal schedules give equal bytes: no date, host, process id or address is in
 * a file.  Whatever is in a file, reading it neither crashes nor exhausts
 * memory: it gives a schedule or a sentence.
 */
#ifndef PL_TRACE_SCHEDULE_H
#define PL_TRACE_SCHEDULE_H

#include "base/err.h"
#include "model/board.h"
#include "model/choice.h"
#include "model/finding.h"
#include "model/operation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The newest that can be read.  Written is the oldest that will do: 4 with several programs, 3 with
 * several processes, 2 with packed choices, or else 1. */
#define PL_SCHEDULE_VERSION 4

/* Limits of a file; the writer keeps to them, the reader insists on them. */
enum {
    PL_SCHEDULE_FILE_MAX = 1 << 30, /* bytes */
    PL_SCHEDULE_LINE_MAX = 1 << 20, /* bytes; the longest argument of a program fits */
    PL_SCHEDULE_NOTE_MAX = 4096,    /* bytes of an annotation; longer ones are cut */
    PL_SCHEDULE_ITEMS_MAX = 65536,  /* arguments; options; details; threads */
    PL_SCHEDULE_CHOICES_MAX = PL_BOARD_STEPS,
    PL_SCHEDULE_OPERATIONS_MAX = PL_BOARD_EVENTS,
};

/*
 * An operation performed or a choice made.  Strings belong to the schedule.
 * Threads are paths such as "0.2".
 */
struct pl_schedule_line {
    bool is_choice;
    uint8_t kind;     /* choice: enum pl_choice_kind */
    uint8_t op;       /* enum pl_op_kind: performed, or announced where the choice was made */
    uint8_t way;      /* operation: enum pl_way; PL_WAY_BLOCKED counts as PL_WAY_NORMAL */
    bool early;       /* operation: a time-out or sleep that ended although somebody could run */
    uint16_t taken;   /* choice: index taken ... */
    uint16_t options; /* ... of so many */
    uint32_t ordinal; /* events the thread had had before */
    uint64_t digest;  /* choice: of all operations up to here */
    const char *thread;
    const char *target; /* choice: thread chosen; operation: thread created, joined; or NULL */

    /* Annotations; each may be NULL. */
    const char *object;   /* "accounts[0].lock" */
    const char *location; /* "bank.c:31" */
    const char *function; /* "withdraw" */
    const char *callers;  /* "bank.c:40 (pay), bank.c:52 (main)", where a segment begins or ends */
};

/* A setting that influences the execution: an option of `plait test` without its dashes. */
struct pl_schedule_option {
    const char *key;
    const char *value; /* NULL for a flag */
};

struct pl_schedule_thread {
    const char *path;
    const char *function; /* its start function, or NULL */
    uint32_t process;     /* under control beside the program, from 1; 0: of the program itself */
    const char *program;  /* that this has become, or NULL */
};

/* A choice of the packed beginning; see trace/schedule_packed.h. */
struct pl_schedule_packed {
    uint32_t shape, ordinal;
};

/* Packed choices up to `end`, of which the last has the digest; of the others none is known. */
struct pl_schedule_group {
    size_t end;
    uint64_t digest;
};

struct pl_schedule {
    const char *program;  /* as the user gave it */
    const char *build_id; /* hex digits, or NULL */
    const char *seal;     /* hex digits by which the user knows what he has recorded, or NULL */
    const char *strategy; /* as after --strategy, with its parameters */
    uint64_t seed, execution;
    uint8_t carrier; /* enum pl_carrier */
    uint8_t finding; /* enum pl_finding_kind */
    uint64_t signature;
    uint64_t identity;    /* which bug it is, also after an edit; 0: not known */
    const char *message;  /* of the finding, or NULL */
    const char *location; /* of the finding, or NULL */

    /* When the schedule has been minimised. */
    const char *minimal; /* "proven", "tried", or NULL: it has not */
    uint64_t preemptions, switches;
    const char *why;     /* what decides, a sentence without a full stop, or NULL */
    const char *passing; /* a schedule beside this one that passes, or NULL */

    /*
     * What the execution read, an image as in model/inputs.h, or NULL.  The caller's,
     * or own_inputs when it was read from a file.
     */
    const unsigned char *inputs;
    size_t n_inputs;

    const char **arguments;
    struct pl_schedule_option *options;
    const char **details; /* further lines about the finding: who waits for whom, ... */
    struct pl_schedule_thread *threads;
    struct pl_schedule_line *lines;
    size_t n_arguments, n_options, n_details, n_threads, n_lines, n_choices;

    /* What a long schedule begins with, before its lines; not among n_choices. */
    struct pl_schedule_line *shapes;
    struct pl_schedule_packed *packed;
    struct pl_schedule_group *groups;
    size_t n_shapes, n_packed, n_groups;

    bool failed; /* memory ran out or a limit was passed: the schedule is incomplete */

    /* Private: inputs as a file announces them. */
    unsigned char *own_inputs;
    size_t inputs_size;
    uint64_t inputs_hash;
    const char *inputs_file;

    /* Private: room in the arrays above and all strings, each kept once if possible. */
    size_t room_arguments, room_options, room_details, room_threads, room_lines;
    size_t room_shapes, room_packed, room_groups;
    uint32_t *shape_slots;
    struct pl_schedule_chunk *chunks;
    const char **slots;
    size_t n_slots, n_strings;
};

/* An empty schedule.  Free it with pl_schedule_free(), which leaves an empty one. */
void pl_schedule_init(struct pl_schedule *s);
void pl_schedule_free(struct pl_schedule *s);

/*
 * A copy of the text that lives as long as the schedule; NULL for NULL.  To fill
 * the header: s->program = pl_schedule_keep(s, "bank").
 */
const char *pl_schedule_keep(struct pl_schedule *s, const char *text);

/*
 * All strings are copied.  When memory runs out or a limit is passed, `failed`
 * is set, nothing is added, and pl_schedule_write() will say so: there is no
 * need to check each call.
 */
void pl_schedule_add_argument(struct pl_schedule *s, const char *argument);
void pl_schedule_add_option(struct pl_schedule *s, const char *key, const char *value);
void pl_schedule_add_detail(struct pl_schedule *s, const char *text);
void pl_schedule_add_thread(struct pl_schedule *s, const char *path, const char *function,
                            uint32_t process, const char *program);
void pl_schedule_add_operation(struct pl_schedule *s, const struct pl_schedule_line *operation);
void pl_schedule_add_choice(struct pl_schedule *s, const struct pl_schedule_line *choice);

/* Before any line: the next choice of a long schedule. */
void pl_schedule_pack_choice(struct pl_schedule *s, const struct pl_schedule_line *choice);

/* Packed choice number i; *group is 0 for the first and whatever it was left as for later ones. */
struct pl_step pl_schedule_packed_step(const struct pl_schedule *s, size_t i, size_t *group);

/* The value of an option ("" for a flag), or NULL when it is not set. */
const char *pl_schedule_option(const struct pl_schedule *s, const char *key);

/* Whether a file may hold an option of this name; *is_flag when it takes no value. */
bool pl_schedule_knows_option(const char *key, bool *is_flag);

/* The process of a thread: 0 for those of the program itself. */
uint32_t pl_schedule_process(const struct pl_schedule *s, const char *path);

/* The program that the process of a thread has become, or NULL. */
const char *pl_schedule_program(const struct pl_schedule *s, const char *path);

/* Whether processes beside the program are under control, too. */
bool pl_schedule_has_processes(const struct pl_schedule *s);

/* The start function of a thread, or NULL when it is not known. */
const char *pl_schedule_start_function(const struct pl_schedule *s, const char *path);

/*
 * Fill out with at most max choices for the replay strategy; returns how many there are in all.
 * A digest of 0 is not known.
 */
size_t pl_schedule_steps(const struct pl_schedule *s, struct pl_step *out, size_t max);

/*
 * Read a schedule.  On failure err has a sentence of PL_ERR_USER and *s is
 * empty.  Otherwise the caller frees *s.  The data need not be terminated.
 */
int pl_schedule_parse(const char *data, size_t size, struct pl_schedule *s, struct pl_err *err);
int pl_schedule_read(const char *path, struct pl_schedule *s, struct pl_err *err);

/* Print the file's text. */
int pl_schedule_print(FILE *to, const struct pl_schedule *s, struct pl_err *err);

/*
 * Write the file.  Under `path` there is at every moment, whatever gets killed,
 * what was there before or the complete new file.
 */
int pl_schedule_write(const char *path, const struct pl_schedule *s, struct pl_err *err);

#endif /* PL_TRACE_SCHEDULE_H */
