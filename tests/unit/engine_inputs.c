/* SPDX-License-Identifier: MIT */
/* What was read, on its way from the common to a schedule and back to a board. */
#include "unit.h"

#include "engine/worker/inputs.h"
#include "trace/image.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* As a worker leaves it: one thread with two variables, one set and one not. */
struct stored {
    struct pl_inputs_head head;
    struct pl_input_thread thread;
    unsigned char hole[PL_INPUTS_FIRST];
    struct pl_input_record set, unset;
    char bytes[16];
};

#define AT(member) (offsetof(struct stored, member) - offsetof(struct stored, hole))

static struct stored make(void)
{
    return (struct stored){
        .head = {.magic = PL_INPUTS_MAGIC,
                 .version = PL_INPUTS_VERSION,
                 .used = sizeof(struct stored) - offsetof(struct stored, hole),
                 .n_threads = 1},
        .thread = {1, AT(set), AT(unset)},
        .set = {.next = AT(unset), .bytes = AT(bytes), .size = 4, .kind = PL_INPUT_ENVIRONMENT},
        .unset = {.bytes = AT(bytes) + 8, .size = 2, .kind = PL_INPUT_ENVIRONMENT},
        .bytes = "A=1\0\0\0\0\0B",
    };
}

static void variables_are_as_they_were(void)
{
    char *from[] = {"A=0", "B=2", "AB=3", NULL}, *none[] = {NULL};
    struct stored s = make();
    char **now = pl_inputs_environment(&s, from);

    CHECK_STR(now[0], "A=1");
    CHECK_STR(now[1], "AB=3");
    CHECK(now[2] == NULL);
    free(now);
    now = pl_inputs_environment(&s, none);
    CHECK_STR(now[0], "A=1");
    CHECK(now[1] == NULL);
    free(now);
    now = pl_inputs_environment(NULL, from);
    CHECK(now[0] == from[0] && now[2] == from[2] && now[3] == NULL);
    free(now);
}

static void standard_input_is_added(struct pl_common *common)
{
    struct pl_found found = {.inputs_size = sizeof(struct stored)};
    struct pl_origin origin = {common, NULL, &found};
    struct pl_target target = {.input = {.fd = memfd_create("input", 0), .offset = 2}};
    size_t size;

    CHECK(write(target.input.fd, "xxhello", 7) == 7);
    *(struct stored *)common->store = make();
    unsigned char *image = pl_inputs_make(&origin, &target, &size);

    CHECK(image != NULL && pl_image_check(image, size) == NULL);
    const struct pl_input_record *r = pl_inputs_stdin(image);

    CHECK(r != NULL && r->size == 5 && memcmp(pl_inputs_bytes(image, r), "hello", 5) == 0);
    CHECK(pl_inputs_stdin(common->store) == NULL && pl_inputs_stdin(NULL) == NULL);
    free(image);
    close(target.input.fd);
    found.inputs_size = 0;
    CHECK(pl_inputs_make(&origin, &target, &size) == NULL);
}

static void a_board_gets_it(struct pl_board *board)
{
    struct stored s = make();
    struct pl_schedule schedule = {.inputs = (const unsigned char *)&s, .n_inputs = sizeof(s)};
    struct pl_schedule without = {0};

    pl_inputs_put(board, &without);
    CHECK(!board->inputs.feeding);
    pl_inputs_put(board, &schedule);
    CHECK(board->inputs.feeding && board->inputs.n_threads == 1);
    CHECK(memcmp(board->inputs.area, s.hole, s.head.used) == 0);
}

static void another_board_gets_it(struct pl_board *board, struct pl_board *from)
{
    struct pl_inputs *log = &from->inputs;

    pl_inputs_share(board, from);
    CHECK(!board->inputs.feeding);
    from->settings.record_inputs = PL_INPUTS_WORLD | PL_INPUTS_CLOCKS;
    log->used = 100;
    log->threads[3] = (struct pl_input_thread){7, 8, 8};
    log->contents_used = 5;
    memcpy(log->area + 8, "record", 6);
    memcpy(log->area + PL_INPUTS_HALF, "file!", 5);
    pl_inputs_share(board, from);
    CHECK(board->inputs.feeding && board->inputs.n_threads == 1);
    CHECK(board->inputs.threads[0].name == 7 && (board->inputs.flags & PL_INPUTS_CLOCKS) != 0);
    CHECK(memcmp(board->inputs.area + 8, "record", 6) == 0);
    CHECK(memcmp(board->inputs.area + PL_INPUTS_HALF, "file!", 5) == 0);
}

static void *map(size_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                0);
}

int main(void)
{
    variables_are_as_they_were();
    standard_input_is_added(map(sizeof(struct pl_common)));
    a_board_gets_it(map(sizeof(struct pl_board)));
    another_board_gets_it(map(sizeof(struct pl_board)), map(sizeof(struct pl_board)));
    return unit_result();
}
