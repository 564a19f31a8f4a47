/* SPDX-License-Identifier: MIT */
/*
 * Reading a schedule.  The file may come from anywhere: every field is checked,
 * every size bounded, and whatever is wrong is said in a sentence with the
 * number of its line.  A line is copied to a buffer and cut into words there.
 */
#include "trace/schedule.h"

#include "model/name.h"
#include "trace/schedule_format.h"
#include "trace/schedule_inputs.h"
#include "trace/schedule_packed.h"
#include "trace/word.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WHAT_TO_DO "Copy the file again, or find the bug again with `plait test`."

struct reader {
    const char *data, *end; /* what is left */
    struct pl_schedule *s;
    struct pl_err *err;
    char *line; /* the current one, terminated */
    size_t length, room;
    unsigned number; /* of the current line, from 1 */
    unsigned seen;   /* bit per entry of headers[] */
    uint64_t hash;   /* of the lines before this one */
    uint64_t version;
    struct pl_packed_state packed; /* once there is a line of packed choices */
};

__attribute__((format(printf, 2, 3))) static int damaged(struct reader *r, const char *format, ...)
{
    char why[300];
    va_list args;

    va_start(args, format);
    vsnprintf(why, sizeof(why), format, args);
    va_end(args);
    for (char *p = why; *p != '\0'; p++) { /* words of a hostile file reach a terminal */
        if (*p < ' ' || *p > '~')
            *p = '?';
    }
    return pl_err_set(r->err, PL_ERR_USER, "line %u is damaged: %s. " WHAT_TO_DO, r->number, why);
}

static int check_memory(struct reader *r)
{
    if (r->s->failed)
        return pl_err_set(r->err, PL_ERR_USER, "memory ran out. Free some and try again.");
    return 0;
}

/*
 * Copy the next line into r->line, without its end.  Returns 0 when there is
 * one, 1 at the end of the file, -1 for an error.
 */
static int next_line(struct reader *r)
{
    if (r->data == r->end)
        return 1;
    r->number++;

    size_t left = (size_t)(r->end - r->data);
    const char *newline = memchr(r->data, '\n', left);
    size_t n = newline ? (size_t)(newline - r->data) : left;

    if (n > PL_SCHEDULE_LINE_MAX + 1)
        return damaged(r, "it is longer than %d bytes", PL_SCHEDULE_LINE_MAX);
    if (n + 1 > r->room) {
        size_t room = 2 * n + 256;
        char *line = realloc(r->line, room);

        if (!line) {
            r->s->failed = true;
            return check_memory(r);
        }
        r->line = line;
        r->room = room;
    }
    memcpy(r->line, r->data, n);
    r->data += n + (newline ? 1 : 0);
    if (n > 0 && r->line[n - 1] == '\r')
        n--;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)r->line[i];

        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return damaged(r, "it has a control character (byte %u)", c);
    }
    while (n > 0 && pl_word_is_blank(r->line[n - 1]))
        n--;
    r->line[n] = '\0';
    r->length = n;
    return 0;
}

/* The next line that says something: neither blank nor a comment. */
static int next_spoken_line(struct reader *r)
{
    int rc;

    do
        rc = next_line(r);
    while (rc == 0 && (r->line[0] == '\0' || r->line[0] == '#'));
    return rc;
}

static void check_in(struct reader *r, size_t n)
{
    while (n > 0 && pl_word_is_blank(r->line[n - 1]))
        n--;
    r->hash = pl_schedule_format_hash(r->hash, r->line, n);
    r->hash = pl_schedule_format_hash(r->hash, "\n", 1);
}

/* The only word of a header line. */
static int take_only(struct reader *r, char *rest, const char **to)
{
    struct pl_word word = pl_word_take(&rest);

    if (!word.text || !pl_word_at_end(rest))
        return damaged(r, "one word or one \"quoted text\" is expected");
    *to = pl_schedule_keep(r->s, word.text);
    return 0;
}

static int take_only_number(struct reader *r, char *rest, uint64_t *to)
{
    if (!pl_word_take_number(&rest, UINT64_MAX, to) || !pl_word_at_end(rest))
        return damaged(r, "a number is expected");
    return 0;
}

static int read_program(struct reader *r, char *rest)
{
    return take_only(r, rest, &r->s->program);
}

static int read_build_id(struct reader *r, char *rest)
{
    size_t n = strspn(rest, "0123456789abcdef");

    if (rest[n] != '\0' || n == 0 || n > 128)
        return damaged(r, "a build id is up to 128 hexadecimal digits");
    return take_only(r, rest, &r->s->build_id);
}

static int read_seal(struct reader *r, char *rest)
{
    size_t n = strspn(rest, "0123456789abcdef");

    if (rest[n] != '\0' || n != 32)
        return damaged(r, "a seal is 32 hexadecimal digits");
    return take_only(r, rest, &r->s->seal);
}

static int read_argument(struct reader *r, char *rest)
{
    const char *text = NULL;

    if (take_only(r, rest, &text) != 0)
        return -1;
    if (r->s->n_arguments >= PL_SCHEDULE_ITEMS_MAX)
        return damaged(r, "there are more than %d arguments", PL_SCHEDULE_ITEMS_MAX);
    if (text)
        pl_schedule_add_argument(r->s, text);
    return 0;
}

static int read_strategy(struct reader *r, char *rest)
{
    return take_only(r, rest, &r->s->strategy);
}

static int read_seed(struct reader *r, char *rest)
{
    return take_only_number(r, rest, &r->s->seed);
}

static int read_execution(struct reader *r, char *rest)
{
    return take_only_number(r, rest, &r->s->execution);
}

static int read_carrier(struct reader *r, char *rest)
{
    for (uint8_t i = 0; i < PL_CARRIERS; i++) {
        if (strcmp(rest, pl_carrier_texts[i]) == 0) {
            r->s->carrier = i;
            return 0;
        }
    }
    return damaged(r, "the carrier is fiber, thread or free, not '%.40s'", rest);
}

static int read_option(struct reader *r, char *rest)
{
    struct pl_word key = pl_word_take(&rest);
    bool is_flag = false;

    if (!key.text || key.quoted || !pl_schedule_knows_option(key.text, &is_flag))
        return damaged(r, "'%.40s' is not an option that belongs into a schedule",
                       key.text ? key.text : "");
    if (pl_schedule_option(r->s, key.text))
        return damaged(r, "the option '%s' is given twice", key.text);
    if (is_flag) {
        if (!pl_word_at_end(rest))
            return damaged(r, "the option '%s' takes no value", key.text);
        pl_schedule_add_option(r->s, key.text, NULL);
        return 0;
    }

    struct pl_word value = pl_word_take(&rest);

    if (!value.text || !pl_word_at_end(rest))
        return damaged(r, "the option '%s' takes one value", key.text);
    pl_schedule_add_option(r->s, key.text, value.text);
    return 0;
}

/* Nothing where all is well. */
static int complain(struct reader *r, const char *wrong)
{
    return wrong != NULL ? damaged(r, "%s", wrong) : 0;
}

static int read_inputs(struct reader *r, char *rest)
{
    uint64_t size, hash;

    if (!pl_word_take_number(&rest, UINT64_MAX, &size) || !pl_word_take_hash(&rest, &hash) ||
        !pl_word_at_end(rest))
        return damaged(r, "a size and a checksum of 16 digits are expected");
    return complain(r, pl_schedule_inputs_announce(r->s, size, hash));
}

static int read_inputs_data(struct reader *r, char *rest)
{
    return complain(r, pl_schedule_inputs_add(r->s, rest));
}

static int read_inputs_file(struct reader *r, char *rest)
{
    if (take_only(r, rest, &r->s->inputs_file) != 0)
        return -1;
    if (r->s->inputs_file != NULL && (strchr(r->s->inputs_file, '/') || !*r->s->inputs_file))
        return damaged(r, "inputs are in a file of the same folder");
    return 0;
}

static int read_finding(struct reader *r, char *rest)
{
    unsigned kind = pl_finding_find(rest);

    if (kind >= PL_FINDING_KINDS)
        return damaged(r, "'%.40s' is not a kind of finding", rest);
    r->s->finding = (uint8_t)kind;
    return 0;
}

static int read_signature(struct reader *r, char *rest)
{
    if (!pl_word_take_hash(&rest, &r->s->signature) || !pl_word_at_end(rest))
        return damaged(r, "a signature is 16 hexadecimal digits");
    return 0;
}

static int read_identity(struct reader *r, char *rest)
{
    if (!pl_word_take_hash(&rest, &r->s->identity) || !pl_word_at_end(rest))
        return damaged(r, "an identity is 16 hexadecimal digits");
    return 0;
}

static int read_message(struct reader *r, char *rest)
{
    return take_only(r, rest, &r->s->message);
}

static int read_location(struct reader *r, char *rest)
{
    return take_only(r, rest, &r->s->location);
}

static int read_minimal(struct reader *r, char *rest)
{
    if (strcmp(rest, "proven") != 0 && strcmp(rest, "tried") != 0)
        return damaged(r, "'%.40s' is neither proven nor tried", rest);
    r->s->minimal = pl_schedule_keep(r->s, rest);
    return 0;
}

static int read_preemptions(struct reader *r, char *rest)
{
    return take_only_number(r, rest, &r->s->preemptions);
}

static int read_switches(struct reader *r, char *rest)
{
    return take_only_number(r, rest, &r->s->switches);
}

static int read_why(struct reader *r, char *rest)
{
    return take_only(r, rest, &r->s->why);
}

static int read_passing(struct reader *r, char *rest)
{
    return take_only(r, rest, &r->s->passing);
}

static int read_detail(struct reader *r, char *rest)
{
    const char *text = NULL;

    if (take_only(r, rest, &text) != 0)
        return -1;
    if (r->s->n_details >= PL_SCHEDULE_ITEMS_MAX)
        return damaged(r, "there are more than %d details", PL_SCHEDULE_ITEMS_MAX);
    if (text)
        pl_schedule_add_detail(r->s, text);
    return 0;
}

static int read_thread(struct reader *r, char *rest)
{
    struct pl_word path = pl_word_take(&rest);
    struct pl_word function = {NULL, false}, process, program = {NULL, false};
    uint64_t number = 0;

    if (!path.text || path.quoted || pl_name_parse(path.text) == 0)
        return damaged(r, "'%.40s' is not a thread", path.text ? path.text : "");
    if (r->s->n_threads >= PL_SCHEDULE_ITEMS_MAX)
        return damaged(r, "there are more than %d threads", PL_SCHEDULE_ITEMS_MAX);
    if (!pl_word_at_end(rest)) {
        function = pl_word_take(&rest);
        if (!function.text || (r->version < 3 && !pl_word_at_end(rest)))
            return damaged(r, "a thread has one start function");
        if (!function.quoted && strcmp(function.text, "-") == 0)
            function.text = NULL;
    }
    if (!pl_word_at_end(rest)) {
        process = pl_word_take(&rest);
        if (!process.text || process.quoted || (r->version < 4 && !pl_word_at_end(rest)) ||
            !pl_word_parse_number(process.text, 10, PL_COMPANY_MOST - 1, &number))
            return damaged(r, "a thread has one process, from 1 to %d", PL_COMPANY_MOST - 1);
    }
    if (!pl_word_at_end(rest)) {
        program = pl_word_take(&rest);
        if (!program.text || number == 0 || !pl_word_at_end(rest))
            return damaged(r, "a thread of another process has one program");
    }
    pl_schedule_add_thread(r->s, path.text, function.text, (uint32_t)number, program.text);
    return 0;
}

enum { ONCE = 1, REQUIRED = 2 };

static const struct {
    const char *key;
    unsigned flags;
    int (*read)(struct reader *r, char *rest);
} headers[] = {
    {"program", ONCE | REQUIRED, read_program},
    {"build-id", ONCE, read_build_id},
    {"seal", ONCE, read_seal},
    {"argument", 0, read_argument},
    {"strategy", ONCE | REQUIRED, read_strategy},
    {"seed", ONCE | REQUIRED, read_seed},
    {"execution", ONCE | REQUIRED, read_execution},
    {"carrier", ONCE | REQUIRED, read_carrier},
    {"option", 0, read_option},
    {"inputs", ONCE, read_inputs},
    {"inputs-data", 0, read_inputs_data},
    {"inputs-file", ONCE, read_inputs_file},
    {"finding", ONCE | REQUIRED, read_finding},
    {"signature", ONCE, read_signature},
    {"identity", ONCE, read_identity},
    {"message", ONCE, read_message},
    {"location", ONCE, read_location},
    {"minimal", ONCE, read_minimal},
    {"preemptions", ONCE, read_preemptions},
    {"switches", ONCE, read_switches},
    {"why", ONCE, read_why},
    {"passing", ONCE, read_passing},
    {"detail", 0, read_detail},
    {"thread", 0, read_thread},
};

enum { N_HEADERS = sizeof(headers) / sizeof(headers[0]) };

static int read_header_line(struct reader *r)
{
    size_t n = strcspn(r->line, " \t");

    for (unsigned i = 0; i < N_HEADERS; i++) {
        if (strlen(headers[i].key) != n || memcmp(headers[i].key, r->line, n) != 0)
            continue;
        if ((headers[i].flags & ONCE) && (r->seen & 1u << i))
            return damaged(r, "there is a second '%s'", headers[i].key);
        r->seen |= 1u << i;
        return headers[i].read(r, pl_word_skip_blanks(r->line + n));
    }
    return damaged(r, "'%.40s' is not known in a header", r->line);
}

static int read_header(struct reader *r)
{
    int rc;

    while ((rc = next_spoken_line(r)) == 0) {
        check_in(r, r->length);
        if (strcmp(r->line, "begin") == 0)
            break;
        if (read_header_line(r) != 0 || check_memory(r) != 0)
            return -1;
    }
    if (rc < 0)
        return -1;
    if (rc > 0)
        return damaged(r, "the line 'begin' is missing");
    for (unsigned i = 0; i < N_HEADERS; i++) {
        if ((headers[i].flags & REQUIRED) && !(r->seen & 1u << i))
            return damaged(r, "the header has no '%s'", headers[i].key);
    }
    const char *wrong = pl_schedule_inputs_check(r->s);

    return wrong != NULL ? damaged(r, "the inputs above are of no use: %s", wrong) : 0;
}

/*
 * The annotation: object, location and function, and perhaps callers.  What somebody has edited
 * by hand into something else counts as the object.
 */
static void read_note(char *p, struct pl_schedule_line *line)
{
    const char **const fields[] = {&line->object, &line->location, &line->function, &line->callers};
    char *end = p = pl_word_skip_blanks(p);
    unsigned n = 0;

    while (n < 4 && end && (n < 3 || !pl_word_at_end(end))) {
        end = pl_word_end(pl_word_skip_blanks(end));
        n++;
    }
    if (!end || !pl_word_at_end(end)) {
        line->object = *p != '\0' ? p : NULL;
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        struct pl_word word = pl_word_take(&p);

        *fields[i] = word.quoted || strcmp(word.text, "-") != 0 ? word.text : NULL;
    }
}

/* A thread's path, not quoted; NULL when it is none. */
static const char *thread_path(const struct pl_word *word)
{
    return word->text && !word->quoted && pl_name_parse(word->text) != 0 ? word->text : NULL;
}

/* The kind of operation whose name the next word is; PL_OP_KINDS when there is none. */
static unsigned take_operation(char **at)
{
    struct pl_word word = pl_word_take(at);

    for (unsigned kind = 0; word.text && kind < PL_OP_KINDS; kind++) {
        const char *text = pl_operation_text(kind), *p = word.text;

        while (*text != '\0' && pl_schedule_format_dash(*text) == *p) {
            text++;
            p++;
        }
        if (*text == '\0' && *p == '\0')
            return kind;
    }
    return PL_OP_KINDS;
}

static unsigned find_way(const char *text)
{
    for (unsigned way = 0; way < PL_SCHEDULE_FORMAT_WAYS; way++) {
        if (pl_schedule_format_ways[way] && strcmp(pl_schedule_format_ways[way], text) == 0)
            return way;
    }
    return PL_SCHEDULE_FORMAT_WAYS;
}

/* What follows the ordinal in ". THREAD ORDINAL OPERATION [THREAD] [WAY] [early]". */
static int read_operation(struct reader *r, char *p, struct pl_schedule_line *line)
{
    unsigned op = take_operation(&p);

    if (op >= PL_OP_KINDS)
        return damaged(r, "an operation is expected after the number");
    line->op = (uint8_t)op;
    line->way = PL_WAY_NORMAL;
    while (!pl_word_at_end(p)) {
        struct pl_word word = pl_word_take(&p);
        const char *path = thread_path(&word);
        unsigned way = word.text ? find_way(word.text) : PL_SCHEDULE_FORMAT_WAYS;

        if (word.text && strcmp(word.text, "early") == 0 && !line->early)
            line->early = true;
        else if (path && !line->target && line->way == PL_WAY_NORMAL)
            line->target = path;
        else if (way < PL_SCHEDULE_FORMAT_WAYS && line->way == PL_WAY_NORMAL)
            line->way = (uint8_t)way;
        else
            return damaged(r, "'%.40s' does not belong here", word.text ? word.text : p);
    }
    if (r->s->n_lines - r->s->n_choices >= PL_SCHEDULE_OPERATIONS_MAX)
        return damaged(r, "there are more than %d operations", PL_SCHEDULE_OPERATIONS_MAX);
    pl_schedule_add_operation(r->s, line);
    return 0;
}

/* "TAKEN/OPTIONS" */
static bool take_index(char **at, struct pl_schedule_line *line)
{
    struct pl_word word = pl_word_take(at);
    char *slash = word.text ? strchr(word.text, '/') : NULL;
    uint64_t taken, options;

    if (!slash)
        return false;
    *slash = '\0';
    if (!pl_word_parse_number(slash + 1, 10, UINT16_MAX, &options) ||
        !pl_word_parse_number(word.text, 10, UINT16_MAX, &taken) || taken >= options)
        return false;
    line->taken = (uint16_t)taken;
    line->options = (uint16_t)options;
    return true;
}

/* "KIND TARGET TAKEN/OPTIONS OPERATION" */
static int read_shape(struct reader *r, char **at, struct pl_schedule_line *line)
{
    struct pl_word kind = pl_word_take(at);
    struct pl_word target = pl_word_take(at);

    line->kind = (uint8_t)(kind.text ? pl_choice_find(kind.text) : PL_CHOICE_KINDS);
    if (line->kind >= PL_CHOICE_KINDS)
        return damaged(r, "'%.40s' is not a kind of choice", kind.text ? kind.text : "");
    line->target = thread_path(&target);
    if (!line->target &&
        (line->kind == PL_CHOICE_THREAD || !target.text || strcmp(target.text, "-") != 0))
        return damaged(r, "'%.40s' is not a thread", target.text ? target.text : "");
    if (!take_index(at, line))
        return damaged(r, "a choice needs an index and a number of options such as 1/3");

    unsigned op = take_operation(at);

    if (op >= PL_OP_KINDS)
        return damaged(r, "a choice ends with an operation and 16 hexadecimal digits");
    line->op = (uint8_t)op;
    return 0;
}

/* What follows the ordinal in "> THREAD ORDINAL KIND TARGET TAKEN/OPTIONS OPERATION DIGEST". */
static int read_choice(struct reader *r, char *p, struct pl_schedule_line *line)
{
    if (read_shape(r, &p, line) != 0)
        return -1;
    if (!pl_word_take_hash(&p, &line->digest) || !pl_word_at_end(p))
        return damaged(r, "a choice ends with an operation and 16 hexadecimal digits");
    if (r->s->n_packed + r->s->n_choices >= PL_SCHEDULE_CHOICES_MAX)
        return damaged(r, "there are more than %d choices", PL_SCHEDULE_CHOICES_MAX);
    pl_schedule_add_choice(r->s, line);
    return 0;
}

/* "= THREAD KIND TARGET TAKEN/OPTIONS OPERATION" */
static int read_packed_shape(struct reader *r)
{
    struct pl_schedule_line line = {0};
    char *p = r->line + 1;
    struct pl_word thread = pl_word_take(&p);
    size_t before = r->s->n_shapes;

    line.thread = thread_path(&thread);
    if (!line.thread)
        return damaged(r, "'%.40s' is not a thread", thread.text ? thread.text : "");
    if (read_shape(r, &p, &line) != 0)
        return -1;
    if (!pl_word_at_end(p) || r->s->n_groups > 0 || r->s->n_shapes == PL_PACKED_SHAPES)
        return damaged(r, "such a line comes before all others and ends with an operation");
    pl_packed_shape(r->s, &line);
    if (check_memory(r) != 0)
        return -1;
    return r->s->n_shapes == before ? damaged(r, "it comes twice") : 0;
}

/* "+ DIGEST TOKEN..." */
static int read_packed_choices(struct reader *r)
{
    char *p = r->line + 1;
    uint64_t digest;

    if (!pl_word_take_hash(&p, &digest))
        return damaged(r, "16 hexadecimal digits are expected");
    if (r->s->n_groups == 0 && pl_packed_open(&r->packed, r->s) != 0)
        r->s->failed = true;
    if (check_memory(r) != 0)
        return -1;
    return complain(r, pl_packed_parse(r->s, &r->packed, digest, p));
}

/* Whether the line belongs to the packed beginning. */
static bool is_packed(const struct reader *r)
{
    return r->version > 1 && r->s->n_lines == 0 && (r->line[0] == '=' || r->line[0] == '+') &&
           pl_word_is_blank(r->line[1]);
}

static int read_body_line(struct reader *r)
{
    struct pl_schedule_line line = {0};
    char *note = strchr(r->line, '#');
    char *p = r->line + 1;
    char mark = r->line[0];
    uint64_t ordinal;

    check_in(r, note ? (size_t)(note - r->line) : r->length);
    if (is_packed(r))
        return mark == '=' ? read_packed_shape(r) : read_packed_choices(r);
    if ((mark != '.' && mark != '>') || !pl_word_is_blank(*p))
        return damaged(r, "a line begins with '. ' or '> ' here");
    if (note) {
        *note = '\0';
        read_note(note + 1, &line);
    }

    struct pl_word thread = pl_word_take(&p);

    line.thread = thread_path(&thread);
    if (!line.thread)
        return damaged(r, "'%.40s' is not a thread", thread.text ? thread.text : "");
    if (!pl_word_take_number(&p, UINT32_MAX, &ordinal))
        return damaged(r, "a number is expected after the thread");
    line.ordinal = (uint32_t)ordinal;
    return mark == '.' ? read_operation(r, p, &line) : read_choice(r, p, &line);
}

/* Lines up to "end NUMBER CHECKSUM", and nothing after it. */
static int read_body(struct reader *r)
{
    uint64_t number, hash;
    int rc;

    while ((rc = next_spoken_line(r)) == 0 && strncmp(r->line, "end ", 4) != 0) {
        if (read_body_line(r) != 0 || check_memory(r) != 0)
            return -1;
    }
    if (rc != 0)
        return rc < 0 ? -1 : damaged(r, "the line 'end' is missing");

    if (r->s->n_shapes > 0 && r->s->n_packed == 0)
        return damaged(r, "there are shapes before it, but no choices that have them");
    char *p = r->line + 4;

    if (!pl_word_take_number(&p, UINT64_MAX, &number) || !pl_word_take_hash(&p, &hash) ||
        !pl_word_at_end(p))
        return damaged(r, "a number and a checksum of 16 digits are expected");
    if (number != r->s->n_shapes + r->s->n_groups + r->s->n_lines || hash != r->hash)
        return pl_err_set(r->err, PL_ERR_USER,
                          "the schedule is corrupted: its checksum is not that of its lines. "
                          "Only what follows a # may be edited. " WHAT_TO_DO);
    rc = next_spoken_line(r);
    if (rc == 0)
        return damaged(r, "there is something after the end");
    return rc < 0 ? -1 : 0;
}

/* Whether this is a schedule that this plait can read, and complete. */
static int check_whole(struct reader *r, const char *data, size_t size)
{
    static const char magic[] = PL_SCHEDULE_MAGIC " ";
    const size_t n = sizeof(magic) - 1;
    uint64_t version;

    if (size == 0)
        return pl_err_set(r->err, PL_ERR_USER, "the file is empty. " WHAT_TO_DO);
    if (memcmp(data, magic, size < n ? size : n) != 0)
        return pl_err_set(r->err, PL_ERR_USER,
                          "this is not a schedule but %s. Name a .plait file written by "
                          "`plait test`.",
                          memchr(data, '\0', size) ? "a binary file" : "something else");
    if (size > PL_SCHEDULE_FILE_MAX)
        return pl_err_set(r->err, PL_ERR_USER, "the schedule is larger than %d bytes. " WHAT_TO_DO,
                          PL_SCHEDULE_FILE_MAX);
    if (next_line(r) != 0)
        return -1;
    check_in(r, r->length);
    if (size <= n || (size_t)(r->data - data) == size)
        return pl_err_set(r->err, PL_ERR_USER,
                          "the schedule is cut off in its first line. " WHAT_TO_DO);
    if (r->length <= n || !pl_word_parse_number(r->line + n, 10, UINT32_MAX, &version) ||
        version == 0)
        return damaged(r, "'%.40s' names no version of the format", r->line);
    if (version > PL_SCHEDULE_VERSION)
        return pl_err_set(r->err, PL_ERR_USER,
                          "the schedule was written by a newer plait (format %" PRIu64
                          "; this one reads %d). Install the newer plait to use it.",
                          version, PL_SCHEDULE_VERSION);
    r->version = version;
    return 0;
}

/* A file that does not end with its last line was cut off; no use in judging the rest. */
static int check_end(struct reader *r, const char *data, size_t size)
{
    const char *last = data + size, *end;
    unsigned number = 1;

    while (last > data && (last[-1] == '\n' || last[-1] == '\r' || pl_word_is_blank(last[-1])))
        last--;
    end = last;
    while (last > data && last[-1] != '\n')
        last--;

    bool is_end = end - last >= 3 && memcmp(last, "end", 3) == 0;

    if (is_end && (size_t)(end - last) >= strlen("end 0 0123456789abcdef"))
        return 0;
    if (!is_end && memmem(data, size, "\nend ", 5))
        return 0; /* there is more behind its end, which read_body() will say */
    for (const char *p = data; p < last; p++)
        number += *p == '\n';
    return pl_err_set(r->err, PL_ERR_USER,
                      "the schedule is cut off in or after line %u. " WHAT_TO_DO, number);
}

int pl_schedule_parse(const char *data, size_t size, struct pl_schedule *s, struct pl_err *err)
{
    struct reader r = {
        .data = data, .end = data + size, .s = s, .err = err, .hash = PL_SCHEDULE_HASH_START};
    int rc = -1;

    pl_schedule_init(s);
    if (check_whole(&r, data, size) == 0 && check_end(&r, data, size) == 0 &&
        read_header(&r) == 0 && read_body(&r) == 0)
        rc = 0;
    pl_packed_close(&r.packed);
    free(r.line);
    if (rc != 0)
        pl_schedule_free(s);
    return rc;
}
