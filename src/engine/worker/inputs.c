/* SPDX-License-Identifier: MIT */
/* See inputs.h. */
#include "engine/worker/inputs.h"

#include "base/assert.h"
#include "trace/image.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void *allocate(size_t size)
{
    void *p = calloc(1, size);

    if (p == NULL)
        abort();
    return p;
}

/* All that the program could read there; -1 when that has no size. */
static int64_t size_of(const struct pl_stdin *input)
{
    struct stat st;

    if (input->fd < 0 || fstat(input->fd, &st) != 0 || (input->offset < 0 && !S_ISCHR(st.st_mode)))
        return -1;
    if (!S_ISREG(st.st_mode))
        return 0; /* nothing comes from /dev/null */
    return st.st_size > input->offset ? st.st_size - input->offset : 0;
}

static bool read_at(const struct pl_stdin *input, unsigned char *to, uint64_t size)
{
    uint64_t done = 0;

    while (done < size) {
        ssize_t n =
            pread(input->fd, to + done, size - done, (off_t)(input->offset + (int64_t)done));

        if (n <= 0)
            return false;
        done += (uint64_t)n;
    }
    return true;
}

/* At the end of the area, in a chain of its own, which is the last thread. */
static void add_stdin(unsigned char *image, const struct pl_stdin *input, uint64_t size)
{
    struct pl_inputs_head *head = (struct pl_inputs_head *)image;
    struct pl_input_thread *threads = (struct pl_input_thread *)(head + 1);
    unsigned char *area = (unsigned char *)(threads + head->n_threads);
    PL_ASSERT(head->n_threads >= 1);
    uint64_t at = head->used;
    struct pl_input_record *r = (struct pl_input_record *)(area + at);

    *r = (struct pl_input_record){
        .kind = PL_INPUT_STDIN, .bytes = size > 0 ? at + sizeof(*r) : 0, .size = size};
    if (!read_at(input, (unsigned char *)(r + 1), size))
        head->flags |= PL_INPUTS_INCOMPLETE;
    threads[head->n_threads - 1] = (struct pl_input_thread){PL_INPUTS_TOOL, at, at};
    head->used += sizeof(*r) + ((size + 7) & ~UINT64_C(7));
}

unsigned char *pl_inputs_make(const struct pl_origin *origin, const struct pl_target *target,
                              size_t *size)
{
    PL_ASSERT(origin->found->inputs_at + origin->found->inputs_size <= PL_COMMON_STORE);
    const struct pl_found *found = origin->found;
    const unsigned char *stored = origin->common->store + found->inputs_at;

    *size = found->inputs_size;
    if (found->inputs_size == 0)
        return NULL;
    const struct pl_inputs_head *old = (const struct pl_inputs_head *)stored;
    size_t heads = sizeof(*old) + old->n_threads * sizeof(struct pl_input_thread);
    int64_t n = size_of(&target->input);

    if (old->n_threads == 0 && old->process == 0 && n <= 0)
        return NULL; /* it has read nothing */
    uint64_t more = sizeof(struct pl_input_record) + ((uint64_t)(n > 0 ? n : 0) + 7) / 8 * 8;
    bool fits = n >= 0 && more <= PL_INPUTS_AREA - old->used && old->n_threads < PL_THREADS_MAX;
    unsigned char *image = allocate(*size + sizeof(struct pl_input_thread) + more);
    struct pl_inputs_head *head = (struct pl_inputs_head *)image;

    if (!fits) {
        memcpy(image, stored, *size);
        head->flags |= n > 0 ? PL_INPUTS_INCOMPLETE : 0;
        return image;
    }
    PL_ASSERT(heads + old->used <= *size);
    memcpy(image, stored, heads);
    memcpy(image + heads + sizeof(struct pl_input_thread), stored + heads, old->used);
    head->n_threads++;
    add_stdin(image, &target->input, (uint64_t)n);
    *size += sizeof(struct pl_input_thread) + more;
    return image;
}

/*
 * The number of a process that a replay is to have.  Children that nobody controls may send signals
 * there, so it must be nobody else's; a worker of ours may still have it.
 */
static int32_t free_number(int32_t pid)
{
    siginfo_t info;
    bool own = pid > 0 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
    bool free = pid > 0 && kill(pid, 0) != 0 && errno == ESRCH;

    return own || free ? pid : 0;
}

void pl_inputs_put(struct pl_board *board, const struct pl_schedule *schedule)
{
    struct pl_inputs *to = &board->inputs;

    if (schedule->inputs == NULL)
        return;
    struct pl_image image = pl_image_open(schedule->inputs);

    PL_ASSERT(image.head->n_threads <= PL_THREADS_MAX && image.head->used <= PL_INPUTS_AREA);
    PL_ASSERT(!to->feeding);
    to->feeding = true;
    to->flags = image.head->flags;
    to->used = image.head->used;
    to->process = free_number(image.head->process);
    to->n_threads = image.head->n_threads;
    memcpy(to->threads, image.threads, to->n_threads * sizeof(*to->threads));
    memcpy(to->area, image.area, image.head->used);
}

void pl_inputs_share(struct pl_board *board, const struct pl_board *from)
{
    const struct pl_inputs *log = &from->inputs;
    struct pl_inputs *to = &board->inputs;

    if (from->settings.record_inputs == 0)
        return;
    PL_ASSERT(!to->feeding && to->n_threads == 0);
    to->feeding = true;
    to->flags = log->flags | from->settings.record_inputs;
    to->used = log->used;
    to->process = log->process;
    for (unsigned i = 0; i < PL_THREADS_MAX; i++) {
        if (log->threads[i].first != 0)
            to->threads[to->n_threads++] = log->threads[i];
    }
    memcpy(to->area, log->area, log->used);
    memcpy(to->area + PL_INPUTS_HALF, log->area + PL_INPUTS_HALF, log->contents_used);
}

const struct pl_input_record *pl_inputs_stdin(const void *image)
{
    if (image == NULL)
        return NULL;
    struct pl_image i = pl_image_open(image);

    for (uint32_t k = 0; k < i.head->n_threads; k++) {
        const struct pl_input_record *r = pl_image_record(&i, i.threads[k].first);

        if (i.threads[k].name == PL_INPUTS_TOOL && r != NULL && r->kind == PL_INPUT_STDIN)
            return r;
    }
    return NULL;
}

const void *pl_inputs_bytes(const void *image, const struct pl_input_record *r)
{
    PL_ASSERT(image != NULL && r->bytes + r->size <= PL_INPUTS_AREA);
    return pl_image_open(image).area + r->bytes;
}

/* Put NAME=value in place of what the list has; NAME alone takes it out. */
static void set_variable(char **list, size_t *n, char *text)
{
    size_t length = strcspn(text, "="), i = 0;

    while (i < *n && (strncmp(list[i], text, length) != 0 || list[i][length] != '='))
        i++;
    PL_ASSERT(i <= *n);
    if (text[length] == '=') {
        list[i] = text;
        *n += i == *n;
    } else if (i < *n) {
        list[i] = list[--*n];
    }
}

/* Put each variable of the image into the list, if there is one; returns how many there are. */
static size_t each_variable(const struct pl_image *image, char **list, size_t *n)
{
    size_t found = 0;

    for (uint32_t i = 0; i < image->head->n_threads; i++) {
        const struct pl_input_record *r = pl_image_record(image, image->threads[i].first);

        for (; r != NULL; r = pl_image_record(image, r->next)) {
            if (r->kind != PL_INPUT_ENVIRONMENT)
                continue;
            found++;
            if (list != NULL)
                set_variable(list, n, (char *)image->area + r->bytes);
        }
    }
    return found;
}

char **pl_inputs_environment(const void *image, char **from)
{
    size_t n = 0, more = 0;

    while (from[n] != NULL)
        n++;
    struct pl_image i = {0};

    if (image != NULL) {
        i = pl_image_open(image);
        more = each_variable(&i, NULL, NULL);
    }
    char **list = allocate((n + more + 1) * sizeof(*list));

    memcpy(list, from, n * sizeof(*list));
    if (image != NULL)
        each_variable(&i, list, &n);
    list[n] = NULL;
    return list;
}
